"""Presses at a point of a page, with a mouse or a finger."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Locator, Page

from support.page_readiness import wait_until_pressable

Point = tuple[float, float]


def box_of(element: Locator) -> dict[str, float]:
    """Position and size of an element that is there, in pixels."""
    box: Any = element.bounding_box()
    assert box is not None
    return dict(box)


def middle_of(element: Locator) -> Point:
    """The center of an element."""
    box = box_of(element)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def corner_of(control: Locator) -> Point:
    """A point of a control that takes presses, at its upper left, whatever lies beside it."""
    wait_until_pressable(control.page)
    box = box_of(control)
    return box["x"] + min(14, box["width"] / 2), box["y"] + min(30, box["height"] / 2)


class Mouse:
    """A mouse, whose events have given times: a busy machine makes no double click slower."""

    def __init__(self, page: Page) -> None:
        self._line = page.context.new_cdp_session(page)
        self._at: Point = (0, 0)

    def press(self, at: Point, when: float | None = None) -> None:
        """Press the button at a point."""
        self._at = at
        self._send("mousePressed", 0.5, when)

    def release(self, when: float | None = None) -> None:
        self._send("mouseReleased", 0, when)

    def click(self, at: Point, when: float | None = None) -> None:
        self.press(at, when)
        self.release(when)

    def _send(self, kind: str, force: float, when: float | None) -> None:
        where = {"x": self._at[0], "y": self._at[1], "button": "left", "clickCount": 1}
        self._line.send(
            "Input.dispatchMouseEvent", {"type": kind, "force": force, "timestamp": when or time.time(), **where}
        )


class Finger(Mouse):
    """A finger on a touch screen."""

    def press(self, at: Point, when: float | None = None) -> None:
        self._line.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        self._touch("touchStart", [{"x": at[0], "y": at[1]}], when)

    def release(self, when: float | None = None) -> None:
        self._touch("touchEnd", [], when)
        self._line.send("Emulation.setTouchEmulationEnabled", {"enabled": False})

    def _touch(self, kind: str, points: list[dict[str, float]], when: float | None) -> None:
        what = {"type": kind, "touchPoints": points, "timestamp": when or time.time()}
        self._line.send("Input.dispatchTouchEvent", what)
