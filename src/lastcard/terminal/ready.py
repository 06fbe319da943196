"""Compiling what a sitting needs, and saying so where that takes a while."""

from __future__ import annotations

from collections.abc import Iterable

from lastcard.bots.warm import are_warm, warm_bots
from lastcard.play.warm import warm_up
from lastcard.terminal.talk import Talk
from lastcard.words.locale import Catalog


def get_ready(bots: Iterable[str], texts: Catalog, talk: Talk) -> None:
    """Compile the engine, and what these bots call.

    Args:
        bots: by name; an empty one is a person.
        texts: the language.
        talk: the terminal.
    """
    names = sorted({name for name in bots if name})
    if are_warm(names):
        return
    talk.say(texts.text("play.preparing"))
    warm_up()
    warm_bots(names)
    talk.say(texts.text("play.ready"))
