"""``python -m lastcard``: the command line."""

import sys

from lastcard.cli.main import main

sys.exit(main())
