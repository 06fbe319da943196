"""Cards and acts in RLCard's words: ``r-5``, ``g-skip``, ``b-wild_draw_4``, ``draw``."""

from __future__ import annotations

from functools import cache
from typing import Final

from lastcard.envs.action_space import ActionSpace
from lastcard.game.cards import (
    CARD_NAMES,
    DRAW_TWO,
    JACKPOT,
    REVERSE,
    SKIP,
    W_DRAW_FOUR,
    W_DRAW_TWO,
    W_JACKPOT,
    W_REVERSE,
    W_SKIP,
    W_SKIP_TWO,
    W_SWAP,
    W_TARGETED,
    W,
    card_color,
    card_face,
    is_wild,
)
from lastcard.game.rulesets import MAX_PLAYERS

_LETTERS: Final = "rygb"
"""RLCard's colors, by the numbers of ours."""
_TRAITS: Final = {SKIP: "skip", REVERSE: "reverse", DRAW_TWO: "draw_2", JACKPOT: "jackpot"}
_WILDS: Final = {
    W: "wild",
    W_DRAW_FOUR: "wild_draw_4",
    W_SKIP: "wild_skip",
    W_SKIP_TWO: "wild_skip_two",
    W_REVERSE: "wild_reverse",
    W_DRAW_TWO: "wild_draw_2",
    W_TARGETED: "wild_targeted_draw_2",
    W_SWAP: "wild_swap",
    W_JACKPOT: "wild_jackpot",
}


@cache
def card_word(card: int, color: int = 0) -> str:
    """A card in RLCard's words, such as ``g-skip``.

    Args:
        card: an integer of ``lastcard.game.cards``.
        color: 0 to 3, what a wild names; a wild that names none is written with red, as RLCard's wilds have a color
            even in the hand.
    """
    if is_wild(card):
        return f"{_LETTERS[color]}-{_WILDS[card]}"
    face = card_face(card)
    return f"{_LETTERS[card_color(card)]}-{_TRAITS.get(face, face)}"


def act_words(actions: ActionSpace) -> list[str]:
    """All acts in RLCard's words, by number.

    A seat that is named stands behind, as ``r-wild_swap>+1``. What RLCard does not know is ``x-`` and our own name,
    such as ``x-pass``: its rule agents take every act but ``draw`` apart at the dash.
    """
    words = []
    for number, name in enumerate(actions.names):
        move = actions.decode(number, 0, MAX_PLAYERS)
        if move is not None and move.verb == "play" and move.card is not None:
            seat = "" if move.target is None else f">+{move.target}"
            words.append(card_word(move.card, move.color or 0) + seat)
        elif move is not None and move.verb == "color" and move.color is not None:
            words.append(f"{_LETTERS[move.color]}-color")
        else:
            words.append(name if name == "draw" else f"x-{name}")
    return words


CARD_WORDS: Final = {card: card_word(card) for card in CARD_NAMES}
"""Every card as it stands in a hand."""
