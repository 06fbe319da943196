"""Bundles of the web client: modules, texts, the page."""
