"""Converts functions to return their results.

Numba's functions write their result to an address. In WebAssembly every such address is in memory, on a separate stack,
which makes each call slower. With returned results nothing is stored there, and *expert* decides a tenth faster.
"""

from __future__ import annotations

import re
from typing import Final

_DEFINITION: Final = re.compile(
    r"^define (?:linkonce_odr )?i32 (?P<name>@\S+?)"
    r"\(ptr noalias captures\(none\) %retptr, ptr noalias captures\(none\) %excinfo(?P<taken>.*?)\)"
    r"(?P<said>[ #0-9]*)\{$(?P<body>.*?)^}$",
    re.MULTILINE | re.DOTALL,
)
_RESULT_STORE: Final = re.compile(r"store (\S+) \S+, ptr %retptr")
_CALL: Final = re.compile(
    r"^  (?P<status>%[.\w]*[a-z.][.\w]*) = call i32 (?P<name>@\S+?)"
    r"\(ptr (?P<place>%[^,]+), ptr %[^,)]+(?:, )?(?P<passed>.*)\)$",
    re.MULTILINE,
)
_RETURNABLE_TYPES: Final = ("i8", "i16", "i32", "i64", "float", "double", "ptr")
"""Types of results that a function can return; ``ptr`` for None."""


def return_results(text: str) -> str:
    """Add a variant to every function of LLVM text that returns its result, and call the variants.

    The first parameters of functions lowered by Numba are pointers for a result and an exception; they return 0,
    because no function of the kernel raises an exception. In the returned, equivalent text only the exported functions
    and the variants call them, inlined.
    """
    returning, kinds = [], {}
    for found in _DEFINITION.finditer(text):
        written = set(_RESULT_STORE.findall(found["body"]))
        if len(written) == 1 and written <= set(_RETURNABLE_TYPES):
            (kinds[found["name"]],) = written
            returning.append(_returning_function(found, kinds[found["name"]]))

    def inline_original(found: re.Match[str]) -> str:
        if found["name"] not in kinds:
            return found[0]
        head, brace, body = found[0].partition("{\n")
        return f"{head.removesuffix(found['said'])} alwaysinline {brace}{body}"

    def call_returning(found: re.Match[str]) -> str:
        name, status, kind = found["name"], found["status"], kinds.get(found["name"])
        if kind is None:
            return found[0]
        called = f"call {_return_type(kind)} {_returning_name(name)}({found['passed']})"
        value = f"{status}.value"
        lines = [f"{value} = {called}", f"store {kind} {value}, ptr {found['place']}"]
        if kind == "ptr":
            lines = [called, f"store ptr null, ptr {found['place']}"]
        return "\n".join(f"  {line}" for line in (*lines, f"{status} = add i32 0, 0"))

    return "\n".join(
        [_CALL.sub(call_returning, _DEFINITION.sub(inline_original, text)), "declare void @llvm.trap()", *returning]
    )


def _return_type(kind: str) -> str:
    return "void" if kind == "ptr" else kind


def _returning_name(name: str) -> str:
    return f'{name[:-1]}.value"' if name.endswith('"') else f"{name}.value"


def _returning_function(found: re.Match[str], kind: str) -> str:
    """Returns LLVM's text of a variant; it traps if the original raises an exception."""
    types = [parameter.split()[0] for parameter in found["taken"].split(",") if parameter.strip()]
    taken = ", ".join(f"{one} %a{i}" for i, one in enumerate(types))
    passed = "".join(f", {one} %a{i}" for i, one in enumerate(types))
    end = ["ret void"] if kind == "ptr" else [f"%value = load {kind}, ptr %place", f"ret {kind} %value"]
    inline = "alwaysinline " if found["said"].strip() else ""  # Numba sets no other attribute
    return "\n".join(
        [
            f"define {_return_type(kind)} {_returning_name(found['name'])}({taken}) {inline}{{",
            f"%place = alloca {kind}",
            "%exception = alloca ptr",
            f"%status = call i32 {found['name']}(ptr %place, ptr %exception{passed})",
            "%raised = icmp ne i32 %status, 0",
            "br i1 %raised, label %stop, label %go",
            "stop:",
            "call void @llvm.trap()",
            "unreachable",
            "go:",
            *end,
            "}",
        ]
    )
