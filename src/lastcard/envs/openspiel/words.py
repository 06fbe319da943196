"""What a seat has seen, as text: short, and different wherever what was seen is."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from lastcard.envs.compiled.forks import CHANCE, PAST_WAIT
from lastcard.envs.openspiel.spots import Spot
from lastcard.game.actions import action_move
from lastcard.game.cards import CARD_NAMES, COLOR_LETTERS, cards_text, hand_text
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.rules import tape
from lastcard.rules.past import SIGHT

_REASONS: Final = (*tape.DRAW_REASONS, "deal")

# What is said of each kind of word: s is its seat, a and b its two values, A and B the cards of those.
_WORDS: Final = {
    tape.PLAYED: "{s} lays {A}{color}",
    tape.DREW: "{s} draws {A} ({reason})",
    tape.PASSED: "{s} passes",
    tape.SKIPPED: "{s} is skipped",
    tape.REVERSED: "direction {a}",
    tape.SWAPPED: "{s} swaps with {a}",
    tape.HANDS_PASSED: "hands pass {a}",
    tape.CALLED: "{s} calls",
    tape.CAUGHT: "{s} is caught by {a}",
    tape.FALSE_CALL: "{s} calls falsely",
    tape.FALSE_CATCH: "{s} catches {a} falsely",
    tape.CHALLENGED: "{s} is challenged by {a}: {b}",
    tape.SHOWN: "{s} shows {a}",
    tape.COLOR: "{s} names {a}",
    tape.LEVER: "{s} pulls {lever}",
    tape.RULE: "{s} performs {a}",
    tape.THREW: "{s} throws {A}",
    tape.BURIED: "{s} buries {A}",
    tape.TOOK: "{s} takes {B} from {a}",
    tape.RESHUFFLED: "reshuffled {a}",
    tape.DONE: "{s} is done",
    tape.OVER: "{s} wins",
    tape.CHOSE: "{s} chooses {a}",
    tape.TARGET: "{s} targets {a}",
    tape.JUMPED: "{s} jumps in",
    tape.TURNED: "turned {A}",
    tape.PAST_SEEN: "{a} sees {B} of {s}",
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
        if word & 255 == tape.PAST_ACT:
            parts.append(f"| {(word >> 8 & 255) - 1} {_act_text(values[i + 1] >> 8)}")
            i += SIGHT
            if i + 1 < len(values) and values[i + 1] & 0xFFFF == tape.PLAYED | word & 0xFF00:
                i += 1  # the card of the act
        elif not _says_nothing(word):
            parts.append(_word_text(word))
        i += 1
    return ", ".join(parts)


def _says_nothing(word: int) -> bool:
    """Whether a word is a card of another hand as dealt, or one that somebody else looked at."""
    kind, a, b = word & 255, word >> 16 & 255, word >> 24 & 255
    return (kind == tape.DREW and a == 0 and b == tape.BY_DEAL + 1) or (kind == tape.PAST_SEEN and b == 0)


def private_text(spot: Spot, seat: int) -> str:
    """What only one seat knows: its hand, the card it has just drawn, and that it is asked out of turn."""
    drawn = spot.drawn(seat)
    words = [f"seat {seat}: {hand_text(spot.hand(seat)) or 'nothing'}"]
    words += [f"drawn {_name(drawn)}"] if drawn is not None else []
    words += ["asked out of turn"] if spot.reacts and spot.seat == seat else []
    return ", ".join(words)


def public_text(spot: Spot) -> str:
    """What lies open at a spot, in one line."""
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
    marked = (("exposed", face.exposed), ("called", face.called), ("early", face.early))
    words += [f"pending {face.pending}"] if face.pending else []
    words += [f"{name} {tuple(sorted(seats))}" for name, seats in marked if seats]
    if face.performer is not None:
        words.append(f"{face.performer} performs {face.rule}")
    return "; ".join(words)


def spot_text(spot: Spot) -> str:
    """All there is, for people: what lies open, and every hand."""
    hands = [f"{seat}: {hand_text(spot.hand(seat))}" for seat in range(spot.own.players)] if spot.dealt else []
    act = [f"chance: {_SOURCES[spot.source]}, after {spot.told} events"] if spot.seat == CHANCE else []
    asked = [f"{spot.seat} is asked out of turn"] if spot.reacts else []
    return "\n".join([public_text(spot), *hands, *act, *asked])
