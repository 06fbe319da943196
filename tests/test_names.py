"""Conventions of the sources: spelling of names, number of parameters, and references in comments."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from support.source_files import read_source, statements, syntax_tree

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "src" / "lastcard"
MAX_PARAMETERS: Final = 6
"""Maximum number of positional parameters; keyword-only ones explain themselves."""
MANY_PARAMETERS: Final = {f"src/lastcard/kernel/intrinsics.py: {name}" for name in ("four_blocks", "_add_two_rows")}
"""They generate machine code, which has no named tuples."""
OLD_SCHEMAS: Final = "versions"
"""Migrations of the database never change."""
PLACES: Final = [
    ROOT,
    ROOT / "docs",
    ROOT / "examples" / "agents",
    ROOT / "tests",
    ROOT / "src",
    PACKAGE,
    PACKAGE / "web",
]
"""Roots of the paths that a comment names."""
NAMED_PATH: Final = re.compile(r"(?<![\w/.{}%@\"'-])(?:\w+/)+\w+\.(?:py|js|css|md|ts|toml)\b|\b[A-Z]+\.md\b")


BANNED: Final = {
    *("tell", "tells", "told", "hear", "hears", "heard", "look", "looks", "keep", "keeps", "kept"),
    *("settle", "settles", "settled", "stand", "stands", "room", "rooms", "door", "doors", "house", "houses"),
    *("desk", "desks", "shelf", "shelves", "fence", "fences", "gate", "gates"),
}
"""Words that no identifier contains."""
EVERYDAY_NAMES: Final = {
    *("RESHUFFLE_KEEP_NONE", "keep_none", "_keep_none", "_keep_none_all_wild"),  # a value of an option
    *("draw_keeps_turn", "look"),  # fields of rulesets and of wire messages
}
QUANTITIES: Final = {
    *("AGE", "DELAY", "DISTANCE", "DURATION", "HEIGHT", "INTERVAL", "LENGTH", "LIMIT", "PAUSE", "SIZE", "TIMEOUT"),
    *("WAIT", "WIDTH"),
}
"""Endings of names that leave the unit open."""
SHARED_MODULE_NAMES: Final = {
    # the same thing in Python and in JavaScript
    *("careers", "cases", "dailydeals", "dealing", "errors", "highlights", "hosting", "importrecord"),
    *(
        "daily",
        "devices",
        "embedding",
        "match",
        "matchlog",
        "matchplay",
        "messages",
        "masterrun",
        "opencardsolver",
        "passkeys",
        "position",
        "record",
        "refusals",
    ),
    *(
        "replays",
        "report",
        "round",
        "roundanalysis",
        "rulecards",
        "rulefigures",
        "rules",
        "rulesets",
        "seating",
        "seeds",
    ),
    *("statistics", "store", "tablebots", "texts", "thinking", "toml", "tutor", "unorace", "view", "wording"),
    "workspace",
    # the same thing in two layers, such as a command and a page
    *("admin", "advice", "arena", "backup", "cards", "career", "chat", "evaluation", "events", "export", "features"),
    *("habits", "lever", "main", "matches", "me", "positiondata", "puzzleprogress", "puzzlerating", "puzzles"),
    *("replay", "search", "table", "train", "tune", "turnnotices", "verify", "voice"),
}
"""Names of more than one module of the package, without underscores."""


def sources(*folders: Path, endings: str = "py") -> Iterator[tuple[Path, str]]:
    """Every file below some folders, and its text."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix[1:] in endings.split() and OLD_SCHEMAS not in path.parts:
                yield path.relative_to(ROOT), read_source(path)


def test_functions_take_few_arguments() -> None:
    """Values that belong together are passed as one."""
    crowded = [
        f"{path}: {node.name}"
        for path, _ in sources(PACKAGE)
        for node in statements(ROOT / path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and len([a for a in node.args.posonlyargs + node.args.args if a.arg not in ("self", "cls")]) > MAX_PARAMETERS
    ]
    assert not set(crowded) - MANY_PARAMETERS


def split_words(name: str) -> set[str]:
    """The words of a name, in lower case: ``LAN_CODE``, ``setAvatar``, ``IllegalMove``."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


@cache
def has_banned_word(name: str) -> bool:
    """Whether a name contains a banned word; the term *house rule* is none."""
    words = split_words(name) - ({"house"} if re.search("house_?rule", name, re.IGNORECASE) else set())
    return name not in EVERYDAY_NAMES and not words.isdisjoint(BANNED)


def defined_names(tree: ast.Module) -> set[str]:
    """Names defined by Python code: functions, classes, parameters, variables, attributes and import aliases."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.arg(arg=name) | ast.alias(asname=str(name)):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                names.add(name)
    return names


def defined_names_of_javascript(text: str) -> set[str]:
    """Names defined by JavaScript code: functions, classes, members, and variables that are not destructured."""
    found = re.findall(
        r"\b(?:const|let|function\*?|class) +([\w$]+)|^ +(?:async |static |get |set |\*)*#?(\w+)(?:\(.*\{$| = )",
        text,
        re.M,
    )
    return {name for names in found for name in names if name}


def test_names_contain_no_banned_word() -> None:
    """A file is parsed only if one of its words might be such a name."""
    code = (ROOT / name for name in ("src", "tests", "tools", "benchmarks", "examples"))
    wrong = []
    for path, text in sources(*code, endings="py js"):
        names = {path.stem}
        if any(map(has_banned_word, set(re.findall(r"\w+", text)))):
            is_python = path.suffix == ".py"
            names |= defined_names(syntax_tree(ROOT / path)) if is_python else defined_names_of_javascript(text)
        wrong += [f"{path}: {name}" for name in names if has_banned_word(name)]
    assert not wrong


def test_constants_carry_their_unit() -> None:
    """A size or length says whether it counts bytes, characters, pixels or seconds."""
    wrong = []
    for path, text in sources(ROOT / "src", ROOT / "tools", ROOT / "tests", endings="py js"):
        for name in re.findall(r"^(?:export )?(?:const )?([A-Z_][A-Z0-9_]+)(?:: Final)? = -?[\d.]", text, re.M):
            if name.rsplit("_", 1)[-1] in QUANTITIES:
                wrong.append(f"{path}: {name}")
    assert not wrong


def test_modules_have_names_of_their_own() -> None:
    """Two modules share a name only if they are one thing in two layers or languages, and are listed."""
    names: dict[str, list[Path]] = {}
    for path, _ in sources(PACKAGE, endings="py js"):
        if not path.stem.startswith("__"):
            names.setdefault(path.stem.replace("_", "").lower(), []).append(path)
    assert {name for name, paths in names.items() if len(paths) > 1} == SHARED_MODULE_NAMES


def test_names_are_spelled_in_one_way() -> None:
    """Spelling is American; only texts may still read the old one."""
    names = {
        f"{path}: {token.string}"
        for path, text in sources(PACKAGE)
        if "colour" in text.lower()
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.NAME and "colour" in token.string.lower()
    }
    assert not names | {str(path) for path, text in sources(PACKAGE / "web", endings="js css html") if "colour" in text}


def test_constants_have_one_name() -> None:
    """A code of the kernel has the same name everywhere, with its module if two have the same name."""
    renamed = [
        f"{path}: {alias.name} as {alias.asname}"
        for path, _ in sources(PACKAGE)
        for node in statements(ROOT / path)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(("lastcard.rules", "lastcard.ai"))
        for alias in node.names
        if alias.name.isupper() and alias.asname
    ]
    assert not renamed


def test_constants_in_shapes_exist() -> None:
    """``float32[rows, ACTION]`` in a comment names constants of the package."""
    texts = [text for _, text in sources(PACKAGE)]
    defined = {name for text in texts for name in re.findall(r"^([A-Z]\w+)(?::| =)", text, re.MULTILINE)}
    named = {
        name
        for text in texts
        for shape in re.findall(r"\b(?:u?int|float)\d+\[([^\]\n]+)\]", text)
        for name in re.findall(r"\b[A-Z][A-Z_]+\b", shape)
    }
    assert len(named) > 10
    assert not named - defined


def test_references_in_comments_exist() -> None:
    """A reason, a clause, a page or an existing path; no plan of work, which only its makers have."""
    wrong = []
    pages = [(Path(name), (ROOT / name).read_text(encoding="utf-8")) for name in ("README.md", "CONTRIBUTING.md")]
    for path, text in [*pages, *sources(ROOT / "src", ROOT / "tests", ROOT / "docs", endings="py js css html md")]:
        if "decisions" in path.parts:  # a decision may name paths of its time
            continue
        wrong += [f"{path}: {found[0]}" for found in re.finditer(r"\bissue \d", text, re.IGNORECASE)]
        near = [*PLACES, (ROOT / path).parent]
        wrong += [
            f"{path}: {found[0]}"
            for found in NAMED_PATH.finditer(re.sub(r"https?://.*", "", text))
            if not any((place / found[0]).exists() for place in near)
        ]
    assert not wrong
