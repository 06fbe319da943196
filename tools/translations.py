"""Which texts are still to be translated: ``python -m tools.translations``, or ``make translations``.

A text needs English only; until it is translated, the other languages use that (``lastcard.text.locale``).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lastcard.text.locale import LANGUAGES

CATALOG: Final = Path(__file__).parents[1] / "src" / "lastcard" / "text" / "catalog"


def find_missing(folder: Path) -> Iterator[str]:
    """Yields a line for each text in a catalog that lacks a language: its file, its key, and the languages."""
    for file in sorted(folder.glob("*.json")):
        for key, entry in json.loads(file.read_text(encoding="utf-8")).items():
            if missing := [language for language in LANGUAGES if language not in entry]:
                yield f"{file.name}: {key} lacks {', '.join(missing)}"


def main() -> None:
    """Print what is missing."""
    argparse.ArgumentParser(prog="python -m tools.translations", description=__doc__).parse_args()
    lines = list(find_missing(CATALOG))
    sys.stdout.write("\n".join(lines or ["Every text is translated."]) + "\n")


if __name__ == "__main__":
    main()
