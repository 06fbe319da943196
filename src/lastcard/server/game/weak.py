"""Calls that do not keep alive whom they reach: what has ended is given back at once, for the garbage collector comes
seldom on a server.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast
from weakref import WeakMethod

P = ParamSpec("P")
T = TypeVar("T")


def weakly(method: Callable[P, T]) -> Callable[P, T]:
    """A call of a method that holds its object weakly; where that is gone, nothing happens and None comes of it.

    Args:
        method: bound to an object that holds, be it through others, whoever will call it.
    """
    found = WeakMethod(method)

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        method = found()
        return cast(T, None) if method is None else method(*args, **kwargs)

    return call
