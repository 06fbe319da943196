"""Callbacks that hold their object weakly. Objects are then freed at once instead of by the garbage collector, which
runs rarely on a server.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import ParamSpec, TypeVar, cast
from weakref import WeakMethod

P = ParamSpec("P")
T = TypeVar("T")


def weak_callback(method: Callable[P, T]) -> Callable[P, T]:
    """Return a callback that holds the object of a method weakly, because that object holds, maybe indirectly, the
    future caller. If it is gone, a call does nothing and returns None, that of a coroutine method when it is awaited.
    """
    found, is_async = WeakMethod(method), iscoroutinefunction(method)

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        method = found()
        if method is not None:
            return method(*args, **kwargs)
        return cast(T, _do_nothing() if is_async else None)

    return call


async def _do_nothing() -> None:
    """Stand for a coroutine of an object that is gone."""
