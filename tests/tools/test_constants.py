"""Constants of the browser's side that are generated from Python's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import lastcard
from lastcard.bundle.site import read_web
from tools.constants import constants

WEB: Final = Path(lastcard.__file__).with_name("web")


def test_every_constant_is_imported() -> None:
    imported = re.compile(r'^import \{([\w\s,]+)\} from "\.\.?/(?:bindings/)?constants\.js";', re.MULTILINE)
    texts = [file.read_text("utf-8") for file in WEB.rglob("*.js")]
    used = {name for text in texts for names in imported.findall(text) for name in re.findall(r"\w+", names)}
    assert used == {constant.name for constant in constants()}


def test_a_pack_contains_the_constants_that_it_uses() -> None:
    packs = {name: body for name, body in read_web().files.items() if name.startswith("packs/")}
    assert b'const GAMES = ["all-wild", "classic", "wild-jackpot"];' in packs["packs/home.js"]
    assert b"const PROTOCOL_VERSION = 1;" in packs["packs/table.js"]
    assert b"PROTOCOL_VERSION" not in packs["packs/home.js"]
    assert [name for name, body in packs.items() if b"LESSONS" in body] == ["packs/worker.js"]
