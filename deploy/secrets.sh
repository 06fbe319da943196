#!/bin/sh
# Makes what nobody may know, into deploy/secrets: the password of the database, and the token for the page /admin.
# What is there already stays.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets  # nobody else gets in; the files in it are read by the users of the containers

secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

if [ ! -e secrets/database-password ]; then
    secret > secrets/database-password
    echo "postgresql://cards:$(cat secrets/database-password)@database/cards" > secrets/database-url
fi
[ -e secrets/admin-token ] || secret > secrets/admin-token
chmod 644 secrets/*
echo "in $(pwd)/secrets: database-password, database-url, admin-token (what /admin asks for)"
