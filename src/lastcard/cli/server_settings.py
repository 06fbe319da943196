"""Options of a server from the command line, the environment, and a TOML file; the first of these takes precedence.

``--public-url`` is ``LASTCARD_PUBLIC_URL`` and ``public-url = "…"``. Secrets have a second option for a file.
"""

from __future__ import annotations

import argparse
import os
import stat
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from lastcard.cli.arguments import add_shared
from lastcard.errors import NotationError, UsageError, suggest
from lastcard.game.text_files import read_text
from lastcard.game.toml import parse_toml

PREFIX: Final = "LASTCARD_"
CONFIG: Final = "LASTCARD_CONFIG"
TOKEN: Final = "LASTCARD_ADMIN_TOKEN"
"""The token itself; there is no option for it, because the list of processes would show it."""
OTHER_VARIABLES: Final = ("LASTCARD_CACHE", "LASTCARD_KERNEL")
"""Variables read by other parts."""
FILE_ALTERNATIVES: Final = {
    "database_url": "database_url_file",
    "redis_url": "redis_url_file",
    "admin_token": "admin_token_file",
}
"""Pairs of options that exclude each other: a value, or the file with it."""

_TRUE_WORDS: Final = ("yes", "true", "on", "1")
_FALSE_WORDS: Final = ("no", "false", "off", "0")


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add all options of a server."""
    add = parser.add_argument
    add("--host", help="address to listen at (default: all of this computer)")
    add("--port", type=int, metavar="N", help="port to listen at (default 8020)")
    add("--socket", type=Path, metavar="PATH", help="listen at a Unix socket, for a proxy on this computer")
    add_database(parser)
    add("--redis-url", metavar="URL", help="redis://HOST:PORT, for several servers that share a PostgreSQL database")
    add("--redis-url-file", type=Path, metavar="FILE", help="a file with that address, which may hold a password")
    add("--metrics", metavar="HOST:PORT", help="where Prometheus gets figures (default: /metrics, for callers nearby)")
    add(
        "--bot",
        action="append",
        metavar="LEVEL=BOT",
        help="a bot that plays for a level at all tables, as in sharp=policy:policy.npz",
    )
    add("--allow-host", action="append", metavar="NAME", help="one more name people find the server by")
    add("--trusted-proxies", metavar="LIST", help="addresses and networks whose proxies say where calls come from")
    add("--nat-networks", metavar="LIST", help="addresses and networks that many guests share, as a school's")
    add("--spectators", type=int, metavar="N", help="people who may watch a table (default 50)")
    add(
        "--public-url",
        metavar="URL",
        help="the address that people type, where a proxy for HTTPS is in front of the server",
    )
    add(
        "--share",
        nargs="?",
        const="any",
        type=_read_share,
        metavar="TUNNEL",
        help="let friends elsewhere in, through cloudflared, tailscale or ssh:USER@HOST (default: what is installed)",
    )
    add(
        "--match-retention",
        metavar="DAYS",
        help="delete matches so many days after their end, as in 90d (default: never)",
    )
    add(
        "--chat",
        choices=("on", "off", "never"),
        help="whether new tables begin with chat and voice (default: on, and off with --public-url); never: none has",
    )
    add(
        "--voice-server",
        action="append",
        metavar="ADDRESS",
        help="a STUN or TURN server through which voice reaches other networks, as in turn:turn.example:3478",
    )
    add("--turn-secret-file", type=Path, metavar="FILE", help="a file with the secret of the TURN servers")
    add(
        "--notify-networks",
        metavar="LIST",
        help="addresses and networks to which people may have notifications sent although they are not public",
    )
    add(
        "--puzzles",
        choices=("on", "off"),
        help="whether lastcard puzzles make may read the finished matches for puzzles without names (default: off)",
    )
    add(
        "--open-tables",
        choices=("on", "off"),
        help="whether Play with others seats strangers at open tables; bots take free seats (default: off)",
    )
    add(
        "--embed-origin",
        action="append",
        metavar="ORIGIN",
        help="a site that may show replays, puzzles and the game against bots in a frame, or * for all (default: none)",
    )
    add(
        "--solo-play",
        choices=("server", "client"),
        help="where Play now and lessons run: in the page nothing of them reaches the server (default: server)",
    )
    add(
        "--analysis",
        choices=("server", "client"),
        help="where hints and reports of matches against bots are worked out (default: server)",
    )
    add(
        "--admin-token-file",
        type=Path,
        metavar="FILE",
        help=f"a file with the token for the page /admin (default: {TOKEN}, else there is no page)",
    )
    add(
        "--open",
        dest="open_browser",
        action=argparse.BooleanOptionalAction,
        help="open the browser, or do not (default: where there is a screen)",
    )
    add_shared(parser, "--kernel")
    add_shared(parser, "--language", default=None)


def add_database(parser: argparse.ArgumentParser) -> None:
    """Add the options for the database, and for the file with settings."""
    add = parser.add_argument
    add_shared(
        parser,
        "--database-url",
        help="sqlite:///FILE or postgresql://USER@HOST/DATABASE (default: a file in the data folder)",
    )
    add("--database-url-file", type=Path, metavar="FILE", help="a file with that address, which may hold a password")
    add("--config", type=Path, metavar="FILE", help=f"a TOML file with options of a server (default: {CONFIG})")


def resolve_settings(args: argparse.Namespace, environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Return some or all options of a server from all sources, by their names in Python.

    Raises:
        UsageError: for an invalid value, with its source; for an unknown key of the file; for a password that everybody
            on this computer could read.
    """
    _check_passwords(args)
    actions = _actions()
    file = _config_file(args, environment)
    levels = [
        {} if file is None else _read_config_file(file, actions),
        _read_environment(environment, actions),
        {name: value for name in actions if (value := getattr(args, name, None)) is not None},
    ]
    found: dict[str, Any] = {}
    for level in levels:
        for own, alternative in (*FILE_ALTERNATIVES.items(), *((twin, own) for own, twin in FILE_ALTERNATIVES.items())):
            if own in level:
                if alternative in level:
                    raise UsageError(f"{_flag(own)} and {_flag(alternative)} are both given: one of them, please")
                found.pop(alternative, None)
        found |= level
    return found


def database_url_of(args: argparse.Namespace) -> str:
    """Return the address of a command's database; raises a UsageError as ``resolve_settings``."""
    from lastcard.server.setup.server_options import database_at

    found = resolve_settings(args)
    return database_at(found.get("database_url"), found.get("database_url_file"))


def find_misspelled_variables(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return probably misspelled variables, each with the right name."""
    known = {CONFIG, TOKEN, *OTHER_VARIABLES, *map(_variable, _actions())}
    wrong = [name for name in environment if name.startswith(PREFIX) and name not in known]
    near = {name: get_close_matches(name, known, n=1, cutoff=0.8) for name in wrong}
    return [f"{name} is no variable of ours; did you mean {meant[0]}?" for name, meant in near.items() if meant]


# --- passwords --------------------------------------------------------------------------------------------


def _check_passwords(args: argparse.Namespace) -> None:
    """Refuse a password on the command line, which ``ps`` shows to everybody; the UsageError does not repeat it."""
    for name in ("database_url", "redis_url"):
        if _has_password(getattr(args, name, None)):
            raise UsageError(
                f"everybody on this computer could read the password in {_flag(name)}: put the address into "
                f"{_variable(name)}, or into a file for {_flag(FILE_ALTERNATIVES[name])}"
            )


def _has_password(address: str | None) -> bool:
    try:
        return bool(address and ("password=" in address or urlsplit(address).password))
    except ValueError:
        return False


def find_exposed_passwords(args: argparse.Namespace, environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return warnings about passwords in a settings file that others can read."""
    file = _config_file(args, environment)
    if file is None or os.name == "nt" or not file.stat().st_mode & stat.S_IROTH:
        return []
    settings = _read_config_file(file, _actions())
    if not any(_has_password(settings.get(name)) for name in ("database_url", "redis_url")):
        return []
    return [f"{file} holds a password that everybody on this computer can read: chmod 640 {file}"]


# --- options by name --------------------------------------------------------------------------------------


def _actions() -> dict[str, argparse.Action]:
    """Return the options of ``lastcard serve``, by name in ``argparse.Namespace``."""
    parser = argparse.ArgumentParser(add_help=False)
    add_settings(parser)
    return {action.dest: action for action in parser._actions if action.dest != "config"}


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}" if name != "admin_token" else TOKEN


def _variable(name: str) -> str:
    return PREFIX + ("OPEN" if name == "open_browser" else name.upper())


# --- reading ----------------------------------------------------------------------------------------------


def _read_share(text: str) -> str:
    """Return a tunnel by its name, or any; empty for none."""
    return "any" if text.lower() in _TRUE_WORDS else "" if text.lower() in _FALSE_WORDS else text


def _read_environment(environment: Mapping[str, str], actions: Mapping[str, argparse.Action]) -> dict[str, Any]:
    """Return the settings in environment variables; empty ones are ignored, as containers set them."""
    found = {
        name: _parse_setting(action, environment[_variable(name)], _variable(name))
        for name, action in actions.items()
        if environment.get(_variable(name)) and _variable(name) not in OTHER_VARIABLES
    }
    return found | ({"admin_token": environment[TOKEN]} if environment.get(TOKEN) else {})


def _config_file(args: argparse.Namespace, environment: Mapping[str, str]) -> Path | None:
    """Return the path of the settings file; None if not set."""
    named_file: Path | None = args.config or (Path(environment[CONFIG]) if environment.get(CONFIG) else None)
    return named_file


def _read_config_file(file: Path, actions: Mapping[str, argparse.Action]) -> dict[str, Any]:
    try:
        entries = parse_toml(read_text(file, UsageError))
    except NotationError as error:
        raise UsageError(f"{file}: this is no TOML: {error}") from None
    names = {action.option_strings[0].removeprefix("--"): name for name, action in actions.items()}
    found = {}
    for key, value in entries.items():
        name = names.get(key.replace("_", "-"))
        if name is None:
            secret = "; its token stands in a file of its own, which admin-token-file names" * (key == "admin-token")
            raise UsageError(f"{file}: there is no option {key!r}{secret or suggest(key, names)}")
        found[name] = _parse_setting(actions[name], _as_text(value, f"{file}: {key}"), f"{file}: {key}")
        if isinstance(found[name], Path):  # relative to the settings file, not to the working directory
            found[name] = file.parent / found[name].expanduser()
    return found


def _as_text(value: Any, where: str) -> str:
    """Return a value of TOML as an environment variable would have it."""
    if isinstance(value, bool):
        return _TRUE_WORDS[0] if value else _FALSE_WORDS[0]
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ",".join(value)
    if isinstance(value, str | int):
        return str(value)
    raise UsageError(f"{where}: a text, a whole number, true or false, or a list of texts")


def _parse_setting(action: argparse.Action, text: str, where: str) -> Any:
    """Return the parsed value of a text; raises a UsageError if it is invalid."""
    if isinstance(action, argparse.BooleanOptionalAction):
        if text.lower() not in _TRUE_WORDS + _FALSE_WORDS:
            raise UsageError(f"{where}: yes or no, not {text!r}")
        return text.lower() in _TRUE_WORDS
    if action.dest in ("allow_host", "bot", "embed_origin", "voice_server"):
        return [name for part in text.split(",") if (name := part.strip())]
    kind = action.type if callable(action.type) else str
    try:
        value = kind(text)
    except ValueError:
        raise UsageError(f"{where}: a whole number, not {text!r}") from None
    if action.choices is not None and value not in action.choices:
        choices = [*map(str, action.choices)]
        raise UsageError(f"{where}: {', '.join(choices)}, not {text!r}{suggest(text, choices)}")
    return value
