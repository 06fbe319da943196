"""An extension of Griffe for docstrings: shows examples with ``>>>`` as code, in any section."""

from __future__ import annotations

import re
from typing import Any, Final

from griffe import Extension, Object

_EXAMPLE: Final = re.compile(r"^>>> .*(?:\n.+)*", re.M)


class DocstringExamples(Extension):  # type: ignore[misc]
    """Puts a fence around every example, which Markdown would show as nested quotes."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        """Change the docstring of an object."""
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
