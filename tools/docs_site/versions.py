"""Several versions of the site beside each other: a folder each, and the list from which a page offers them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Final

LATEST: Final = "latest"
_LIST: Final = "versions.json"
_START: Final = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="content-security-policy" content="{policy}">
    <meta http-equiv="refresh" content="0; url={version}/">
    <title>lastcard</title>
  </head>
  <body><a href="{version}/">lastcard {version}</a></body>
</html>
"""


def add_version(site: Path, version: str, pages: Path, policy: str) -> None:
    """Move the pages of a version into a site, replacing the same version; list all, and start with the newest."""
    site.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(site / version, ignore_errors=True)
    shutil.move(pages, site / version)
    versions = find_versions(site)
    listed = [{"version": each, "title": each, "aliases": [LATEST] if each == versions[0] else []} for each in versions]
    (site / _LIST).write_text(json.dumps(listed, indent=1), encoding="utf-8")
    (site / "index.html").write_text(_START.format(version=versions[0], policy=policy), encoding="utf-8")


def find_versions(site: Path) -> list[str]:
    """Returns the versions in a site, newest first."""
    names = [path.name for path in site.iterdir() if re.match(r"\d+\.\d", path.name) and path.is_dir()]
    return sorted(names, key=_sort_key, reverse=True)


def _sort_key(version: str) -> tuple[list[int], bool, str]:
    """Returns a key that sorts numbers by value, and a release after its candidates."""
    release, rest = re.fullmatch(r"([\d.]+\d)(.*)", version).groups()  # type: ignore[union-attr]
    return [int(part) for part in release.split(".")], not rest, rest
