"""Print what an issue needs about this installation, without secrets."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import re
import sys
import webbrowser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from lastcard import __version__
from lastcard.cli.command import FAILED
from lastcard.cli.server_settings import PREFIX, find_misspelled_variables, resolve_settings
from lastcard.cli.version import installed_version
from lastcard.errors import LastcardError
from lastcard.text.escaping import escape_control_characters

EXAMPLES = ("lastcard doctor", "LASTCARD_KERNEL=native lastcard doctor")
_REQUIREMENT: Final = re.compile(r"""([\w.-]+)(?:\[[^\]]*\])?[^;]*(?:;(?:.*extra == ["'](?P<extra>[\w-]+)["'])?.*)?""")
"""A requirement in the metadata of a package: its name, and the extra that needs it."""
_PLATFORM: Final = re.compile(r"""sys_platform (==|!=) ["'](\w+)["']""")
"""The systems of a requirement: this one, or all but this one."""
_PUBLIC_VARIABLES: Final = (
    "LASTCARD_KERNEL",
    "LASTCARD_LANGUAGE",
    "LASTCARD_OPEN",
    "LASTCARD_PORT",
    "NUMBA_DISABLE_JIT",
)
"""Variables whose values hold no secret, address or path."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(args: argparse.Namespace) -> int:
    """Print all findings; the exit status says whether lastcard works with the settings of the environment."""
    wrong = 0
    for title, lines in (
        ("versions", _versions()),
        ("kernel", _kernel()),
        ("packages", _packages()),
        ("extras", _extras()),
        ("variables", _variables(os.environ)),
        ("browser", _browser()),
        ("server", _server(args)),
    ):
        print(f"{title}:")
        for line in lines:
            wrong += line.startswith("wrong")
            print(f"  {_hide_home(escape_control_characters(line))}")
    return FAILED if wrong else 0


def _versions() -> Iterator[str]:
    yield f"lastcard {__version__}, {_origin()}"
    yield f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}"
    yield f"{platform.platform()}, {os.cpu_count()} processors"


def _origin() -> str:
    """Return in words how the package was installed."""
    try:
        found = importlib.metadata.distribution("lastcard").read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        return "not installed: it runs from its sources"
    if found is None:
        return "from a package index"
    is_editable = json.loads(found).get("dir_info", {}).get("editable", False)
    return "from a checkout that can be edited" if is_editable else "from a folder or a file"


def _kernel() -> Iterator[str]:
    """Yield the backend, why it was chosen, and the state of native code."""
    from lastcard.cli.precompile import native_code_state
    from lastcard.kernel.jit import ENV_VARIABLE, backend, requested_backend

    try:
        wanted = requested_backend()
        name = backend().name
    except LastcardError as error:
        yield f"wrong  {error}"
        return
    if wanted == name:
        is_disabled = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"
        yield f"{name}, because {'NUMBA_DISABLE_JIT' if is_disabled else ENV_VARIABLE} says so"
    elif name == "module":
        yield f"module, because {ENV_VARIABLE} does not name another"
    else:
        yield f"{name}, because the module is older than its sources: make module"
    yield f"native code: {native_code_state()}"


def _requirements() -> dict[str, list[str]]:
    """Return the packages that each extra needs on this system; those of the base install under the empty name."""
    found: dict[str, list[str]] = {"": []}
    try:
        required = importlib.metadata.requires("lastcard") or []
    except importlib.metadata.PackageNotFoundError:
        return found
    for line in required:
        system = _PLATFORM.search(line)
        if system and (system[1] == "==") != (system[2] == sys.platform):
            continue
        if matched := _REQUIREMENT.fullmatch(line):
            found.setdefault(matched["extra"] or "", []).append(matched[1])
    return found


def _packages() -> Iterator[str]:
    """Yield the packages of the base install with their versions."""
    for name in _requirements()[""]:
        version = installed_version(name)
        yield f"{name} {version}" if version else f"wrong  {name} is not installed: install lastcard again"


def _extras() -> Iterator[str]:
    """Yield for each extra what it lacks, or the versions of its packages."""
    for extra, names in sorted(_requirements().items()):
        versions = {name: installed_version(name) for name in names}
        missing = [name for name, version in versions.items() if version is None]
        if extra and missing:
            yield f"{extra}: not installed, lacks {', '.join(missing)}"
        elif extra:
            yield f"{extra}: {', '.join(f'{name} {version}' for name, version in versions.items())}"


def _variables(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the variables that lastcard reads, with values only where they hold no secret."""
    names = sorted(name for name in environment if name.startswith(PREFIX) or name in _PUBLIC_VARIABLES)
    for name in names:
        yield f"{name}={environment[name]}" if name in _PUBLIC_VARIABLES else f"{name} is set"
    if not names:
        yield "none is set"
    yield from find_misspelled_variables(environment)


def _browser() -> Iterator[str]:
    try:
        opener = webbrowser.get()
    except webbrowser.Error:
        yield "none that Python can open: type the address that lastcard serve prints"
        return
    yield getattr(opener, "name", type(opener).__name__)


def _server(args: argparse.Namespace) -> Iterator[str]:
    """Yield what ``lastcard serve --check`` finds: the port, the database, the disk."""
    args.config = None
    try:
        settings = resolve_settings(args)
        settings.pop("kernel", None)

        from lastcard.server.setup.preflight import check_options
        from lastcard.server.setup.server_options import ServerOptions

        for found in check_options(ServerOptions(**settings)):
            yield f"{found.kind:5}  {found.text}"
    except LastcardError as error:
        yield f"wrong  {error}"


def _hide_home(line: str) -> str:
    """Return a line with ~ for the folder of this user, whose name is often a person's."""
    home = str(Path.home())
    return line.replace(home, "~") if len(home) > 1 else line
