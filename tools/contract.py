"""Writes the protocol of the server: ``web/net/protocol.d.ts`` for the browser, ``docs/asyncapi.json`` for others.

``python -m tools.contract`` writes them and the constants of ``tools.constants``; with ``--check`` it only checks
that they are up to date.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, Final, get_args

import msgspec
from msgspec import inspect as shape

from lastcard.analysis import rule_figures
from lastcard.server.game import career
from lastcard.server.http import (
    admin,
    daily_deals,
    devices,
    duplicate_matches,
    matches,
    open_seats,
    pages,
    passkeys,
    replays,
    reports,
    running_matches,
    turn_notices,
)
from lastcard.server.table import matchmaking
from lastcard.server.wire import parts, protocol
from lastcard.session import commands, table_settings, table_state, turn_clock, tutor
from lastcard.session.lifecycle import TRANSITIONS
from tools.constants import CONSTANTS_FILE, constants_module

_CHECKOUT: Final = Path(__file__).parents[1]
TYPES_FILE: Final = _CHECKOUT / "src" / "lastcard" / "web" / "net" / "protocol.d.ts"
ASYNCAPI_FILE: Final = _CHECKOUT / "docs" / "asyncapi.json"
SESSION_FILE: Final = _CHECKOUT / "docs" / "session.md"
"""Page with the state diagram of a table."""
CONTRACT_COMMAND: Final = "python -m tools.contract"
_DIAGRAM: Final = re.compile("```mermaid\n.*?```", re.DOTALL)

_FROM_CLIENT: Final[tuple[type[msgspec.Struct], ...]] = get_args(protocol.ClientUnion)
_FROM_SERVER: Final[tuple[type[msgspec.Struct], ...]] = get_args(protocol.ServerUnion)
_ANSWERS: Final = (
    replays.Replay,
    matches.MatchLine,
    reports.ReportPage,
    career.Career,
    career.LeaderboardEntry,
    admin.AdminAccess,
    running_matches.RunningMatch,
    turn_notices.Notifications,
    daily_deals.DailyPage,
    rule_figures.RuleFigures,
    daily_deals.DailyStandings,
    duplicate_matches.DuplicatePage,
    admin.AdminPage,
    pages.SiteFacts,
    matchmaking.OpenTables,
    matchmaking.OpenSeat,
    devices.DeviceCode,
    devices.Joining,
    passkeys.Passkey,
    passkeys.SignedIn,
)
"""Types of HTTP responses."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or with ``--check`` compare them; returns 1 if one is not up to date."""
    parser = argparse.ArgumentParser(prog=CONTRACT_COMMAND, description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say which files are not up to date")
    check = parser.parse_args(arguments).check
    old = [path for path, text in contract_files().items() if not path.is_file() or path.read_text("utf-8") != text]
    if check:
        for path in old:
            sys.stderr.write(f"{path.name} is not up to date: {CONTRACT_COMMAND}\n")
        return 1 if old else 0
    for path, text in contract_files().items():
        path.write_text(text, "utf-8")
    return 0


def contract_files() -> dict[Path, str]:
    """Returns the files and their text."""
    return {
        TYPES_FILE: type_declarations(),
        ASYNCAPI_FILE: json.dumps(asyncapi(), indent=1) + "\n",
        CONSTANTS_FILE: constants_module(),
        SESSION_FILE: _DIAGRAM.sub(f"```mermaid\n{draw_diagram()}\n```", SESSION_FILE.read_text("utf-8")),
    }


def draw_diagram() -> str:
    """Returns the phases of a table and all transitions as a state diagram of Mermaid."""
    lines = ["stateDiagram-v2", "    [*] --> lobby"]
    for transition in TRANSITIONS.values():
        lines += [f"    {before} --> {transition.after}: {transition.why}" for before in transition.before]
    return "\n".join(lines)


# --- TypeScript -----------------------------------------------------------------------------------------


def type_declarations() -> str:
    """Returns TypeScript declarations of all messages, responses, and their parts."""
    notes = _field_docs(
        commands,
        table_settings,
        table_state,
        turn_clock,
        tutor,
        parts,
        protocol,
        replays,
        matches,
        reports,
        admin,
        rule_figures,
        turn_notices,
        running_matches,
        open_seats,
        matchmaking,
    )
    known = _structs(shape.multi_type_info([*_FROM_CLIENT, *_FROM_SERVER, *_ANSWERS]))
    sent = tuple(struct.cls for struct in _structs(shape.multi_type_info([*_FROM_SERVER, *_ANSWERS])))
    head = f"// The wire as the browser knows it: made by `{CONTRACT_COMMAND}`, not by hand.\n"
    declared = [_declaration(struct, notes, complete=issubclass(struct.cls, sent)) for struct in known]
    unions = [
        _union("ClientUnion", "All that a client says.", _FROM_CLIENT),
        _union("ServerUnion", "All that the server says.", _FROM_SERVER),
    ]
    return "\n".join([head, *declared, *unions])


def _field_docs(*modules: ModuleType) -> dict[tuple[str, str], str]:
    """Returns docstrings of fields by struct and field, read from the source because Python does not store them."""
    notes = {}
    nodes = (node for module in modules for node in ast.parse(inspect.getsource(module)).body)
    for struct in (node for node in nodes if isinstance(node, ast.ClassDef)):
        for field, after in pairwise(struct.body):
            match field, after:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=note)):
                    notes[struct.name, name] = str(note)
    return notes


def _structs(types: Iterable[shape.Type]) -> list[shape.StructType]:
    """Returns the structs in some types, each once, parts first."""
    found: dict[type, shape.StructType] = {}

    def visit(kind: shape.Type) -> None:
        for part in _inside(kind):
            visit(part)
        if isinstance(kind, shape.StructType):
            found.setdefault(kind.cls, kind)

    for kind in types:
        visit(kind)
    return list(found.values())


def _inside(kind: shape.Type) -> Iterator[shape.Type]:
    if isinstance(kind, shape.StructType):
        yield from (field.type for field in kind.fields)
    elif isinstance(kind, shape.UnionType):
        yield from kind.types
    elif isinstance(kind, shape.VarTupleType | shape.ListType):
        yield kind.item_type
    elif isinstance(kind, shape.DictType):
        yield kind.value_type


def _declaration(struct: shape.StructType, notes: Mapping[tuple[str, str], str], complete: bool) -> str:
    """Returns an interface; a complete struct includes fields with defaults."""
    name = struct.cls.__name__
    lines = [_comment(inspect.getdoc(struct.cls) or "", ""), f"export interface {name} {{"]
    if struct.tag is not None:
        lines.append(f'  {struct.tag_field}: "{struct.tag}";')
    always = complete and not struct.cls.__struct_config__.omit_defaults
    for field in struct.fields:
        note = notes.get((name, field.name))
        if note:
            lines.append(_comment(note, "  "))
        optional = "" if field.required or always else "?"
        lines.append(f"  {field.encode_name}{optional}: {_typescript_type(field.type)};")
    return "\n".join([*lines, "}", ""])


def _comment(text: str, indent: str) -> str:
    plain = re.sub(r"\bNone\b", "null", text.replace("``", "`")).splitlines()
    if len(plain) == 1:
        return f"{indent}/** {plain[0]} */"
    return "\n".join([f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in plain), f"{indent} */"])


def _typescript_type(kind: shape.Type) -> str:
    match kind:
        case shape.StrType():
            return "string"
        case shape.IntType() | shape.FloatType():
            return "number"
        case shape.BoolType():
            return "boolean"
        case shape.NoneType():
            return "null"
        case shape.LiteralType():
            return " | ".join(json.dumps(value) for value in kind.values)
        case shape.StructType():
            return kind.cls.__name__
        case shape.UnionType():
            # Raw is a part that has been encoded before; the union also contains its type.
            return " | ".join(_typescript_type(part) for part in kind.types if not isinstance(part, shape.RawType))
        case shape.VarTupleType() | shape.ListType():
            item = _typescript_type(kind.item_type)
            return f"({item})[]" if " | " in item else f"{item}[]"
        case shape.TupleType():
            return f"[{', '.join(map(_typescript_type, kind.item_types))}]"
        case shape.NamedTupleType():
            return f"[{', '.join(f'{part.name}: {_typescript_type(part.type)}' for part in kind.fields)}]"
        case shape.DictType():
            return f"Record<string, {_typescript_type(kind.value_type)}>"
    raise TypeError(f"{kind} has no form in TypeScript yet")


def _union(name: str, about: str, messages: Sequence[type]) -> str:
    names = "\n  | ".join(message.__name__ for message in messages)
    return f"/** {about} */\nexport type {name} =\n  | {names};\n"


# --- AsyncAPI -------------------------------------------------------------------------------------------


def asyncapi() -> dict[str, Any]:
    """Returns the WebSocket API as an AsyncAPI 3 document, from the server's side."""
    messages = (*_FROM_CLIENT, *_FROM_SERVER)
    _, schemas = msgspec.json.schema_components(messages, ref_template="#/components/schemas/{name}")
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "lastcard: a table",
            "version": str(protocol.VERSION),
            "description": f"JSON texts over a WebSocket. The first message is hello. Made by `{CONTRACT_COMMAND}`.",
        },
        "defaultContentType": "application/json",
        "channels": {
            "table": {
                "address": "/ws/{code}",
                "parameters": {"code": {"description": "The code of the table."}},
                "messages": {m.__name__: {"$ref": f"#/components/messages/{m.__name__}"} for m in messages},
            }
        },
        "operations": {
            "receive": _operation("receive", "What a client says.", _FROM_CLIENT),
            "send": _operation("send", "What the server says.", _FROM_SERVER),
        },
        "components": {
            "messages": {m.__name__: _message(m) for m in messages},
            "schemas": {name: _without_raw(schema) for name, schema in sorted(schemas.items())},
        },
    }


def _operation(action: str, about: str, messages: Sequence[type]) -> dict[str, Any]:
    return {
        "action": action,
        "summary": about,
        "channel": {"$ref": "#/channels/table"},
        "messages": [{"$ref": f"#/channels/table/messages/{message.__name__}"} for message in messages],
    }


def _message(message: type[msgspec.Struct]) -> dict[str, Any]:
    return {
        "name": message.__struct_config__.tag,
        "summary": inspect.getdoc(message),
        "payload": {"$ref": f"#/components/schemas/{message.__name__}"},
    }


def _without_raw(schema: Any) -> Any:
    """Returns a schema without the alternative "anything", which means a part that has been encoded before."""
    if isinstance(schema, list):
        return [_without_raw(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    cleaned = {key: _without_raw(part) for key, part in schema.items()}
    choices = [choice for choice in cleaned.get("anyOf", []) if choice != {}]
    if len(choices) == 1:
        del cleaned["anyOf"]
        return {**cleaned, **choices[0]}
    return {**cleaned, "anyOf": choices} if choices else cleaned


if __name__ == "__main__":
    sys.exit(main())
