"""Callbacks that hold their object weakly. Objects are then freed at once instead of by the garbage collector, which
runs rarely on a server.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast
from weakref import WeakMethod

P = ParamSpec("P")
T = TypeVar("T")


def weak_callback(method: Callable[P, T]) -> Callable[P, T]:
    """Return a callback that holds the object of a method weakly, because that object holds, maybe indirectly, the
    future caller. If it is gone, a call does nothing and returns None.
    """
    found = WeakMethod(method)

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        method = found()
        return cast(T, None) if method is None else method(*args, **kwargs)

    return call
