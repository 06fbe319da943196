"""Signals are delayed, and none is lost."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from types import FrameType

import pytest

from lastcard.interrupts import SIGNAL_NAMES, delay_interrupts

SIGNALS = [getattr(signal, name) for name in SIGNAL_NAMES if hasattr(signal, name)]


class Came(Exception):
    """A signal was handled."""


def _handle(number: int, frame: FrameType | None) -> None:
    raise Came(number)


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Handlers that raise, as Ctrl-C does."""
    before = [signal.signal(number, _handle) for number in SIGNALS]
    yield
    for number, handler in zip(SIGNALS, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_no_signal_is_lost_in_a_block(number: int) -> None:
    """The signal is handled once at the end of the block; later ones are handled at once again."""
    done = []

    def work() -> None:
        with delay_interrupts():
            signal.raise_signal(number)
            done.append("all")

    with pytest.raises(Came):
        work()
    assert done == ["all"]
    assert signal.getsignal(number) is _handle
    with pytest.raises(Came):
        signal.raise_signal(number)


def test_blocks_of_several_tasks_end_in_any_order() -> None:
    """The last of them lets the signal through."""
    steps: list[str] = []

    async def work(name: str, first: asyncio.Event, other: asyncio.Event) -> None:
        with delay_interrupts():
            first.set()
            await other.wait()
            steps.append(name)

    async def both() -> None:
        begun, over = asyncio.Event(), asyncio.Event()
        one = asyncio.create_task(work("one", begun, asyncio.Event()))
        await begun.wait()
        two = asyncio.create_task(work("two", asyncio.Event(), over))
        await asyncio.sleep(0)
        one.cancel()
        await asyncio.gather(one, return_exceptions=True)
        signal.raise_signal(signal.SIGTERM)
        steps.append("delayed")
        over.set()
        await two

    with pytest.raises(Came):
        asyncio.run(both())
    assert steps == ["delayed", "two"]
    assert [signal.getsignal(number) for number in SIGNALS] == [_handle] * len(SIGNALS)


def test_ignored_signals_stay_ignored() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with delay_interrupts():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
        signal.raise_signal(signal.SIGTERM)


def test_other_threads_have_nothing_to_delay() -> None:
    """Only the main thread may set handlers."""
    seen: list[object] = []

    def read() -> None:
        with delay_interrupts():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert seen == [_handle]
