"""Entry point of ``lastcard`` and ``python -m lastcard``: Ctrl-C ends them quietly even during imports."""

import sys


def main() -> int:
    """Run the command line; returns its exit status (``cli.main``). ``--version`` alone loads no command."""
    if sys.argv[1:] == ["--version"]:
        from lastcard import __version__

        print(f"lastcard {__version__}")  # noqa: T201 - as main does
        return 0
    try:
        from lastcard.cli.main import main as run

        return run()
    except KeyboardInterrupt:  # during the import
        print(file=sys.stderr)  # noqa: T201 - as main does
        return 130


if __name__ == "__main__":
    sys.exit(main())
