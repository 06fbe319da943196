"""How ``lastcard`` and ``python -m lastcard`` start: Ctrl-C ends them quietly from the first moment on."""

import sys


def main() -> int:
    """Run the command line; returns its exit status (``cli.main``)."""
    try:
        from lastcard.cli.main import main as run

        return run()
    except KeyboardInterrupt:  # while that was still imported
        print(file=sys.stderr)  # noqa: T201 - as main does
        return 130


if __name__ == "__main__":
    sys.exit(main())
