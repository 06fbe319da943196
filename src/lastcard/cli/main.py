"""The command line: one door to everything. Imports wait until they are needed, so that ``--help`` is instant."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from lastcard.cli import arena as cli_arena
from lastcard.cli import bot as cli_bot
from lastcard.cli import learn as cli_learn
from lastcard.cli import report as cli_report
from lastcard.errors import LastcardError, PlayerError, RecordError
from lastcard.words.locale import LANGUAGES, guess_language

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
    from lastcard.lab.simulate import Simulation

BAD_INPUT = 2
INTERRUPTED = 130
_BROKEN_PIPE = 141

_RULES_HELP = "ruleset: all-wild, classic or wild-jackpot, with presets and options joined by + (see `lastcard rules`)"
_BOTS_HELP = (
    "bots: learner, casual, sharp, expert or master, weak to strong; or by kind: random, heuristic, trained, search"
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments; those of the process by default.

    Returns:
        The exit status: 0 all well, 1 a check failed, 2 bad input, 130 interrupted.
    """
    try:
        args = _parser().parse_args(argv)
    except SystemExit as done:  # argparse has printed its help or what is wrong
        return done.code if isinstance(done.code, int) else BAD_INPUT
    try:
        status: int = args.run(args)
        sys.stdout.flush()
        return status
    except LastcardError as error:
        print(f"lastcard: {error}", file=sys.stderr)
        if isinstance(error, PlayerError):
            return 1
        checking = args.command == "verify" or (args.command == "replay" and args.check)
        return 1 if checking and isinstance(error, RecordError) else BAD_INPUT
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone, as with `| head`; Python would complain once more at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE


# --- commands -----------------------------------------------------------------------------------


def _play(args: argparse.Namespace) -> int:
    from lastcard.terminal.start import Table, play, terminal

    _end_well()
    table = Table(
        rules=args.rules,
        players=args.players,
        bots=_names(args.bots),
        language=_language(args),
        seed=args.seed,
        hot_seat=args.hot_seat,
        names=_names(args.names),
        resume=args.resume,
        save=args.save,
    )
    return play(table, terminal())


def _end_well() -> None:
    """Let a closed window or a shutdown do what Ctrl-C does: save the match, end the program that plays."""
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _rules(args: argparse.Namespace) -> int:
    from lastcard.game.rulesets import ruleset
    from lastcard.words.explain import explain, explain_index

    width = _width()
    if args.name is None:
        text = explain_index(_language(args), width)
    else:
        text = explain(ruleset(args.name), _language(args), width)
    sys.stdout.write(text)
    return 0


def _simulate(args: argparse.Namespace) -> int:
    from lastcard.lab import report
    from lastcard.lab.simulate import simulate

    def run(progress: report.Progress) -> Simulation:
        bots = _names(args.bots) or ("heuristic",)
        return simulate(args.rules, args.players, bots, args.rounds, args.seed, progress=progress)

    if args.json:
        print(report.as_json(run(lambda: None)))
    else:
        report.print_table(report.with_bar(args.rounds, run))
    return 0


def _replay(args: argparse.Namespace) -> int:
    from lastcard.terminal.replay import check_record, show_record
    from lastcard.terminal.start import terminal

    if args.check:
        print(check_record(args.file))
    else:
        show_record(args.file, _language(args), args.seat, terminal())
    return 0


def _verify(args: argparse.Namespace) -> int:
    from lastcard.terminal.start import terminal
    from lastcard.terminal.verify import verify

    verify(args.file, _language(args), terminal())
    return 0


def _serve(args: argparse.Namespace) -> int:
    from lastcard.server.start import Options, serve

    return serve(
        Options(
            host=args.host,
            port=args.port,
            database_url=args.database_url,
            redis_url=args.redis_url,
            public_url=args.public_url,
            open_browser=args.open,
            language=_language(args),
        )
    )


def _cases(args: argparse.Namespace) -> int:
    from lastcard.notation.cases import cases_command

    return cases_command(args.files, sys.stdout, sys.stderr)


def _version(args: argparse.Namespace) -> int:
    from importlib.metadata import version

    print(f"lastcard {version('lastcard')}")
    return 0


# --- arguments ----------------------------------------------------------------------------------


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",")) if text else ()


def _language(args: argparse.Namespace) -> str:
    return args.language or guess_language(os.environ)


def _width() -> int | None:
    """The width of the terminal; None where the text goes elsewhere."""
    import shutil

    return min(shutil.get_terminal_size().columns, 120) if sys.stdout.isatty() else None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lastcard",
        description="UNO All Wild, classic UNO and UNO Wild Jackpot by exact rules.",
        epilog="`lastcard COMMAND --help` says more. To begin: lastcard play",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_play(commands)
    _add_serve(commands)
    _add_rules(commands)
    _add_simulate(commands)
    cli_arena.add_parsers(_add_stoppable, commands)
    cli_bot.add_parsers(_add_stoppable, commands)
    _add_replay(commands)
    _add_verify(commands)
    cli_report.add_parsers(_add, commands, _add_language, _language)
    cli_report.add_keep(_add, commands)
    cli_learn.add_parsers(_add, commands)
    cases = _add(commands, "cases", _cases, "run files of conformance cases", "lastcard cases tests/conformance/*.toml")
    cases.add_argument("files", nargs="+", metavar="FILE", help="TOML files in the format of docs/notation.md")
    _add(commands, "version", _version, "print the version", "lastcard version")
    return parser


def _add(commands: Commands, name: str, run: object, about: str, *examples: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=about,
        description=about[:1].upper() + about[1:] + ".",
        epilog="examples:\n" + "\n".join(f"  {example}" for example in examples),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def _add_stoppable(
    commands: Commands, name: str, run: Callable[[argparse.Namespace], int], about: str, *examples: str
) -> argparse.ArgumentParser:
    """``_add`` for a command that has work to keep when it is stopped."""

    def start(args: argparse.Namespace) -> int:
        _end_well()
        return run(args)

    return _add(commands, name, start, about, *examples)


def _add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", choices=LANGUAGES, help="language of the text (default: that of the system)")


def _add_play(commands: Commands) -> None:
    parser = _add(
        commands,
        "play",
        _play,
        "play a match in the terminal against bots or with friends at one keyboard",
        "lastcard play",
        "lastcard play --rules all-wild --players 3 --language es",
        "lastcard play --rules classic+stacking=cross+jump_in --bots casual,expert",
        "lastcard play --rules wild-jackpot+wj_rules=written --hot-seat --names Ann,Bo --players 4",
        "lastcard play --resume match.toml",
    )
    parser.add_argument("--rules", default="classic", metavar="NAME", help=f"{_RULES_HELP}; default classic")
    parser.add_argument("--players", type=int, metavar="N", help="how many players, bots included: 2 to 10 (default 4)")
    parser.add_argument("--bots", metavar="NAME[,NAME…]", help=f"{_BOTS_HELP} (default heuristic)")
    _add_language(parser)
    parser.add_argument("--seed", metavar="S", help="seed of all chance: any text; the same seed deals the same cards")
    parser.add_argument("--hot-seat", action="store_true", help="several people share the keyboard; hands are hidden")
    parser.add_argument("--names", metavar="A,B", help="names of the people at the keyboard, in seat order")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with a match that was left")
    parser.add_argument("--save", type=Path, metavar="FILE", help="where to save the match (default: the data folder)")


def _add_serve(commands: Commands) -> None:
    parser = _add(
        commands,
        "serve",
        _serve,
        "open tables to play at in the browser, for everybody in the house",
        "lastcard serve",
        "lastcard serve --port 8080 --no-open",
        "lastcard serve --host 127.0.0.1 --public-url https://cards.example --database-url postgresql://cards@db/cards",
    )
    parser.add_argument("--host", default="0.0.0.0", help="address to listen at (default: all of this computer)")
    parser.add_argument("--port", type=int, default=8020, metavar="N", help="port to listen at (default 8020)")
    parser.add_argument(
        "--database-url",
        metavar="URL",
        help="sqlite:///FILE or postgresql://USER@HOST/DATABASE (default: a file in the data folder)",
    )
    parser.add_argument(
        "--redis-url", metavar="URL", help="redis://HOST:PORT, where several servers share a PostgreSQL database"
    )
    parser.add_argument("--public-url", metavar="URL", help="what the world calls the server, behind a proxy for HTTPS")
    parser.add_argument(
        "--open",
        action=argparse.BooleanOptionalAction,
        help="open the browser, or do not (default: where there is a screen)",
    )
    _add_language(parser)


def _add_rules(commands: Commands) -> None:
    parser = _add(
        commands,
        "rules",
        _rules,
        "explain a ruleset and its options in words, with clause ids",
        "lastcard rules",
        "lastcard rules all-wild",
        "lastcard rules classic+stacking=same+jump_in --language fr",
    )
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="a ruleset; without one the games and presets are listed"
    )
    _add_language(parser)


def _add_simulate(commands: Commands) -> None:
    parser = _add(
        commands,
        "simulate",
        _simulate,
        "let bots play against each other and count",
        "lastcard simulate --rules all-wild --rounds 5000",
        "lastcard simulate --bots heuristic,random --players 4 --seed 1 --json",
    )
    parser.add_argument("--rules", default="classic", metavar="NAME", help=f"{_RULES_HELP}; default classic")
    parser.add_argument("--players", type=int, default=4, metavar="N", help="how many seats: 2 to 10 (default 4)")
    parser.add_argument("--bots", metavar="NAME[,NAME…]", help=f"{_BOTS_HELP}; repeated until every seat has one")
    parser.add_argument("--rounds", type=int, default=1000, metavar="N", help="how many rounds (default 1000)")
    parser.add_argument("--seed", metavar="S", help="the same seed gives the same result")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def _add_replay(commands: Commands) -> None:
    parser = _add(
        commands,
        "replay",
        _replay,
        "show a recorded match step by step in words, or check that it is true",
        "lastcard replay match.toml",
        "lastcard replay match.toml --seat 0 --language pl",
        "lastcard replay match.toml --check",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a match record")
    parser.add_argument("--check", action="store_true", help="verify every move and number; print ok or what is wrong")
    parser.add_argument("--seat", type=int, metavar="N", help="see it through the eyes of a seat, from 0")
    _add_language(parser)


def _add_verify(commands: Commands) -> None:
    parser = _add(
        commands,
        "verify",
        _verify,
        "prove a match record, shuffle and all, and say in words what was proved",
        "lastcard verify match.toml",
        "lastcard verify match.toml --language pt",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a match record")
    _add_language(parser)


if __name__ == "__main__":
    sys.exit(main())
