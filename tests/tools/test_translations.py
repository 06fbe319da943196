"""``make translations`` lists what is missing."""

from __future__ import annotations

import json
from pathlib import Path

from tools.translations import CATALOG, find_missing


def test_missing_languages_are_listed(tmp_path: Path) -> None:
    complete = {"en": "Yes", "es": "Sí", "fr": "Oui", "pt": "Sim", "pl": "Tak"}
    texts = {"lobby.no": {"en": "No", "fr": "Non"}, "lobby.yes": complete}
    (tmp_path / "lobby.json").write_text(json.dumps(texts), encoding="utf-8")
    assert list(find_missing(tmp_path)) == ["lobby.json: lobby.no lacks es, pt, pl"]


def test_every_file_of_the_catalog_is_read() -> None:
    assert not [line for line in find_missing(CATALOG) if " lacks en" in line]
