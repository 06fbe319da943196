"""What a seat has seen, as text: short, and different wherever what was seen is."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from lastcard.engine import layout
from lastcard.engine.layout import BY_DEAL, DRAW_REASONS, E_DREW, E_PLAYED, PAST_ACT, PAST_SEEN
from lastcard.engine.past import SIGHT
from lastcard.envs.compiled.forks import CHANCE, PAST_WAIT
from lastcard.envs.openspiel.spots import Spot
from lastcard.game.actions import action_move
from lastcard.game.cards import CARD_NAMES, COLOR_LETTERS, cards_text, hand_text
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.game.rulecards import rule_card_text

_REASONS: Final = (*DRAW_REASONS, "deal")

# What is said of each kind of word: s is its seat, a and b its two values, A and B the cards of those.
_WORDS: Final = {
    layout.E_PLAYED: "{s} lays {A}{color}",
    layout.E_DREW: "{s} draws {A} ({reason})",
    layout.E_PASSED: "{s} passes",
    layout.E_SKIPPED: "{s} is skipped",
    layout.E_REVERSED: "direction {a}",
    layout.E_SWAPPED: "{s} swaps with {a}",
    layout.E_HANDS_PASSED: "hands pass {a}",
    layout.E_CALLED: "{s} calls",
    layout.E_CAUGHT: "{s} is caught by {a}",
    layout.E_FALSE_CALL: "{s} calls falsely",
    layout.E_FALSE_CATCH: "{s} catches {a} falsely",
    layout.E_CHALLENGED: "{s} is challenged by {a}: {b}",
    layout.E_SHOWN: "{s} shows {a}",
    layout.E_COLOR: "{s} names {a}",
    layout.E_LEVER: "{s} pulls {lever}",
    layout.E_RULE: "{s} performs {a}",
    layout.E_THREW: "{s} throws {A}",
    layout.E_BURIED: "{s} buries {A}",
    layout.E_TOOK: "{s} takes {B} from {a}",
    layout.E_RESHUFFLED: "reshuffled {a}",
    layout.E_DONE: "{s} is done",
    layout.E_OVER: "{s} wins",
    layout.E_CHOSE: "{s} chooses {a}",
    layout.E_TARGET: "{s} targets {a}",
    layout.E_JUMPED: "{s} jumps in",
    layout.E_TURNED: "turned {A}",
    PAST_SEEN: "{a} sees {B} of {s}",
    PAST_WAIT: "{s} waits",
}

_SOURCES: Final = {
    "": "the deck",
    "pile": "a card of the draw pile",
    "hand": "a card taken blind",
    "rules": "a rule card",
    "lever": "the lever",
}


def _name(card: int) -> str:
    return CARD_NAMES.get(card, "?")


@cache
def _word_text(word: int) -> str:
    """A word of the past, but for those of an act."""
    kind, s, a, b = word & 255, (word >> 8 & 255) - 1, (word >> 16 & 255) - 1, (word >> 24 & 255) - 1
    return _WORDS[kind].format(
        s=s,
        a=a,
        b=b,
        A=_name(a),
        B=_name(b),
        color=f"={COLOR_LETTERS[b]}" if 0 <= b < len(COLOR_LETTERS) else "",
        reason=_REASONS[b] if b < len(_REASONS) else b,
        lever=LEVER_OUTCOMES[a] if 0 <= a < len(LEVER_OUTCOMES) else a,
    )


@cache
def _act_text(action: int) -> str:
    return str(action_move(action))


def past_text(words: Any) -> str:
    """The past as a seat saw it: acts behind a stroke, each followed by what came of it.

    Args:
        words: int32, as ``Spot.seen`` gives them.
    """
    values: list[int] = words.tolist()
    parts = []
    i = 0
    while i < len(values):
        word = values[i]
        if word & 255 == PAST_ACT:
            parts.append(f"| {(word >> 8 & 255) - 1} {_act_text(values[i + 1] >> 8)}")
            i += SIGHT
            if i + 1 < len(values) and values[i + 1] & 0xFFFF == E_PLAYED | word & 0xFF00:
                i += 1  # the card of the act
        elif not _says_nothing(word):
            parts.append(_word_text(word))
        i += 1
    return ", ".join(parts)


def _says_nothing(word: int) -> bool:
    """Whether a word is a card of another hand as dealt, or one that somebody else looked at."""
    kind, a, b = word & 255, word >> 16 & 255, word >> 24 & 255
    return (kind == E_DREW and a == 0 and b == BY_DEAL + 1) or (kind == PAST_SEEN and b == 0)


def private_text(spot: Spot, seat: int) -> str:
    """What only one seat knows: its hand, the card it has just drawn, and that it is asked out of turn."""
    drawn = spot.drawn(seat)
    words = [f"seat {seat}: {hand_text(spot.hand(seat)) or 'nothing'}"]
    words += [f"drawn {_name(drawn)}"] if drawn is not None else []
    words += ["asked out of turn"] if spot.reacts and spot.seat == seat else []
    return ", ".join(words)


def public_text(spot: Spot) -> str:
    """What lies open."""
    if not spot.dealt:
        return "the cards are dealt"
    face = spot.face()
    turn = f"{face.decision} {face.turn}" if face.decision != "over" else "over"
    words = [
        f"{turn}, {'clockwise' if face.direction > 0 else 'counter-clockwise'}",
        f"top {_name(face.top)} {COLOR_LETTERS[face.color] if face.color >= 0 else 'no color'}",
        f"hands {' '.join(map(str, face.counts))}",
        f"draw pile {face.draw_count}",
        f"discards {cards_text(spot.discards())}",
    ]
    marked = (("pending", face.pending), ("exposed", face.exposed), ("called", face.called), ("early", face.early))
    words += [f"{name} {value}" for name, value in marked if value]
    if face.performer is not None:
        words.append(f"{face.performer} performs {rule_card_text(spot.own.rule_cards[face.rule])}")
    return "; ".join(words)


def spot_text(spot: Spot) -> str:
    """All there is, for people: what lies open, and every hand."""
    hands = [f"{seat}: {hand_text(spot.hand(seat))}" for seat in range(spot.own.players)] if spot.dealt else []
    act = [f"chance: {_SOURCES[spot.source]}, after {spot.told} events"] if spot.seat == CHANCE else []
    asked = [f"{spot.seat} is asked out of turn"] if spot.reacts else []
    return "\n".join([public_text(spot), *hands, *act, *asked])
