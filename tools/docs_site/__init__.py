"""The documentation site: ``python -m tools.docs_site`` builds it, from the pages of ``docs/`` and from the code."""
