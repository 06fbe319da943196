"""``python -m lastcard``: the command line."""

import sys

from lastcard.cli import main

sys.exit(main())
