"""Programs that build and check the product: ``python -m tools.NAME`` in the root of a checkout.

Some use the referee and helpers of the tests, which this package makes importable.
"""

import sys
from pathlib import Path

_TESTS = str(Path(__file__).parents[1] / "tests")
if _TESTS not in sys.path:
    sys.path.append(_TESTS)
