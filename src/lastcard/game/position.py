"""Positions as text: everything needed to continue a round from a turn, in the keys of a conformance case.

A position is a state in which a seat is to play. Any other state (a drawn card, a challenge, a rule card
half performed) is written as a position and the moves that follow it; see ``docs/notation.md``.

``parse_position`` parses leniently, then checks strictly: one error lists all faults.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from lastcard.errors import NotationError
from lastcard.game.cards import (
    ALL_WILD_ONLY_CARDS,
    CARD_NAMES,
    JACKPOT,
    NO_COLOR,
    UNKNOWN,
    card_color,
    card_face,
    color_letter,
    is_wild,
    parse_cards,
    parse_color,
)
from lastcard.game.numbers import is_integer
from lastcard.game.options import ALL_WILD_GAME, LEVER_OUTCOMES, WILD_JACKPOT_GAME
from lastcard.game.rulecards import BUILT_IN, RuleCard, parse_rule_card
from lastcard.game.rulesets import CLASSIC, MAX_PLAYERS, MIN_PLAYERS, Ruleset, ruleset
from lastcard.game.toml import Fields, expect_number, expect_table, expect_text, faults_text, parse_toml, toml_lines

UNKNOWN_CARD: Final = -1
"""The card number of ``??``: a card that the reader may not know, only in views."""
MAX_CARDS: Final = 128
"""Maximum number of cards."""
MAX_RULE_CARDS: Final = 16
"""Maximum number of rule cards in the dispenser."""
MAX_LEVER_OUTCOMES: Final = 32
"""Maximum number of lever outcomes fixed in advance."""
MAX_SCORE: Final = 1_000_000
"""Maximum score before a round, far above that of any real match."""

KEYS: Final = (
    "rules",
    "options",
    "hands",
    "discard",
    "color",
    "draw",
    "turn",
    "direction",
    "dealer",
    "called",
    "scores",
    "lever",
    "rule_cards",
)
"""The keys of a position, in the order of its text."""

_NO_CARDS: Final[tuple[int, ...]] = ()
_CARD_SYNTAX: Final = "a card is a color R Y G B or W and a face, like R5, Ys, W+4, and W*3 is three of them"
DIRECTIONS: Final = {1: "cw", -1: "ccw"}
_DIRECTION_WORDS: Final = {
    "cw": 1,
    "clockwise": 1,
    "ccw": -1,
    "counterclockwise": -1,
    "counter-clockwise": -1,
    "anticlockwise": -1,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A round at a turn, as plain values. Cards are integers; ``parse_position`` makes checked positions.

    >>> position = parse_position({"rules": "classic", "hands": ["R5 G2", "B1"], "discard": "R9"})
    >>> Round.from_position(position).legal()
    [<Move R5>, <Move uno>]

    Args:
        hands: cards of each seat, sorted.
        discard: discard pile, oldest first; the last is the top.
        draw: draw pile, next card first.
        color: current color if the top is a wild; ``NO_COLOR`` for none.
        turn: seat to play.
        direction: 1 clockwise, -1 counter-clockwise.
        dealer: seat of the dealer.
        called: seats with one card that have called, sorted.
        scores: match scores before the round, by seat.
        lever: next lever outcomes by name; after them outcomes are random.
        rule_cards: dispenser, next card first; None for the stack of the ruleset, shuffled.
    """

    rules: Ruleset
    hands: tuple[tuple[int, ...], ...]
    discard: tuple[int, ...]
    draw: tuple[int, ...]
    color: int
    turn: int
    direction: int
    dealer: int
    called: tuple[int, ...]
    scores: tuple[int, ...]
    lever: tuple[str, ...] = ()
    rule_cards: tuple[RuleCard, ...] | None = None

    def __str__(self) -> str:
        return toml_lines(position_table(self))

    def faults(self, is_view: bool = False) -> list[str]:
        """Returns the faults that prevent play from this position, in words; empty if there are none.

        Args:
            is_view: whether it is a view at any moment of a round: with ``??`` cards, perhaps
                with an empty hand or a color still to be named.
        """
        no_numbers = [*_number_faults(self)]
        return no_numbers or [*_card_faults(self, is_view), *_seat_faults(self), *_supply_faults(self)]


def _number_faults(position: Position) -> Iterable[str]:
    """Yields faults of values that must be numbers: booleans would pass for 1 and 0."""
    single = [(key, (getattr(position, key),)) for key in ("color", "turn", "direction", "dealer")]
    several = [(key, getattr(position, key)) for key in ("discard", "draw", "called", "scores")]
    hands = [(f"hands: seat {seat}", hand) for seat, hand in enumerate(position.hands)]
    for key, values in [*hands, *several, *single]:
        for value in values:
            if not is_integer(value):
                yield f"{key}: {value!r} is no whole number"
                break


def _card_faults(position: Position, is_view: bool) -> Iterable[str]:
    places = [(f"hands: seat {seat}", hand) for seat, hand in enumerate(position.hands)]
    places += [("discard", position.discard), ("draw", position.draw)]
    for place, cards in places:
        if UNKNOWN_CARD in cards and not is_view:
            yield f"{place}: a position to play from must name every card; {UNKNOWN} is for views only"
        if any(card not in CARD_NAMES and card != UNKNOWN_CARD for card in cards):
            yield f"{place}: there is a number in it that is no card"
        for card in sorted(ALL_WILD_ONLY_CARDS & set(cards)) if position.rules.game != ALL_WILD_GAME else ():
            yield f"{place}: {CARD_NAMES[card]} is for All Wild only; at other tables it has no meaning"
    total = sum(len(cards) for _, cards in places)
    if total > MAX_CARDS:
        yield f"a table holds at most {MAX_CARDS} cards, not {total}"
    if not is_view:
        yield from _turn_faults(position)


def _turn_faults(position: Position) -> Iterable[str]:
    """Yields faults that prevent a seat from taking its turn."""
    for seat, hand in enumerate(position.hands):
        if not hand:
            yield f"hands: seat {seat} holds no card, so the round would be over (CO-40)"
    if not position.discard:
        yield "discard: the discard pile is empty; its last card is the top"
        return
    top = position.discard[-1]
    all_wild = position.rules.game == ALL_WILD_GAME
    if top >= 0 and is_wild(top):
        if position.color == NO_COLOR and not all_wild:
            yield f"color: missing; the top is {CARD_NAMES.get(top, top)}, which has no color of its own (CL-16)"
    elif top >= 0 and position.color != card_color(top) and not all_wild:
        yield f"color: the top is {CARD_NAMES.get(top, top)}, which decides the current color (CL-16)"


def _seat_faults(position: Position) -> Iterable[str]:
    players = len(position.hands)
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        yield f"hands: {players} hands; a table has {MIN_PLAYERS} to {MAX_PLAYERS} players (CO-47)"
    if position.rules.options.team_play and players != 4:
        yield f"hands: {players} hands; team play needs four players (LC-46)"
    seats = [("turn", position.turn), ("dealer", position.dealer), *(("called", seat) for seat in position.called)]
    for key, seat in seats if players else ():
        if not 0 <= seat < players:
            yield f"{key}: there is no seat {seat}; the seats are 0 to {players - 1}"
        elif key == "called" and len(position.hands[seat]) != 1:
            yield f"called: seat {seat} holds {len(position.hands[seat])} cards; a call stands on one card (CO-19)"
    if position.direction not in DIRECTIONS:
        yield f"direction: {position.direction}; expected 1 or -1"
    if len(position.scores) != players:
        yield f"scores: {len(position.scores)} scores for {players} players"
    if any(score < 0 for score in position.scores):
        yield "scores: a score cannot be negative"
    if any(score > MAX_SCORE for score in position.scores):
        yield f"scores: a score is at most {MAX_SCORE} before the round"


def _has_lever(position: Position) -> bool:
    """Whether rule cards may be dealt: in Wild Jackpot, and if a Jackpot is among the cards."""
    cards = {*position.discard, *position.draw, *chain(*position.hands)}
    return position.rules.game == WILD_JACKPOT_GAME or any(card_face(card) == JACKPOT for card in cards)


def _supply_faults(position: Position) -> Iterable[str]:
    for outcome in position.lever:
        if outcome not in LEVER_OUTCOMES:
            yield f"lever: there is no outcome {outcome!r}; the outcomes are {', '.join(LEVER_OUTCOMES)}"
    if len(position.lever) > MAX_LEVER_OUTCOMES:
        yield f"lever: {len(position.lever)} outcomes; at most {MAX_LEVER_OUTCOMES} can be fixed"
    if position.rule_cards == () and _has_lever(position):
        yield "rule_cards: empty; give at least one, or leave the key out"  # the lever needs a card (WJ-46)
    if len(position.rule_cards or ()) > MAX_RULE_CARDS:
        yield f"rule_cards: {len(position.rule_cards or ())} cards; a dispenser holds at most {MAX_RULE_CARDS}"


# --- reading ------------------------------------------------------------------------------------


def parse_position(position: Mapping[str, Any] | str, is_view: bool = False) -> Position:
    """Returns the position of a text, as ``str(position)`` writes it, or of its keys and values: ``docs/notation.md``.

    >>> str(Cards(parse_position({"rules": "classic", "hands": ["W*3", "B1"], "discard": "R9"}).hands[0]))
    'W W W'

    Args:
        position: TOML text or table; ``rules``, ``hands`` and ``discard`` are required, the others have defaults.
        is_view: whether it is a view, as in ``Position.faults``.

    Raises:
        NotationError: if it is neither; otherwise lists all faults, one a line.
    """
    fields = Fields(_position_table(position), KEYS)
    no_options: dict[str, Any] = {}
    options = fields.read("options", expect_table, no_options)
    rules = fields.read("rules", lambda value: ruleset(expect_text(value), options), CLASSIC, required=True)
    hands = tuple(tuple(sorted(hand)) for hand in fields.read_each("hands", _parse_pile_value, required=True))
    discard = fields.read("discard", _parse_pile_value, _NO_CARDS, required=True)
    turn = fields.read("turn", expect_number, 0)
    direction = fields.read("direction", parse_direction, 1)
    found = Position(
        rules=rules,
        hands=hands,
        discard=discard,
        draw=fields.read("draw", _parse_pile_value, _NO_CARDS),
        color=fields.read("color", lambda value: parse_color(expect_text(value)), _own_color(discard)),
        turn=turn,
        direction=direction,
        dealer=fields.read("dealer", expect_number, (turn - direction) % max(len(hands), 1)),
        called=_effective_callers(fields.read_each("called", expect_number), hands),
        scores=fields.read_each("scores", expect_number) if "scores" in fields else (0,) * len(hands),
        lever=fields.read_each("lever", lambda value: expect_text(value).strip().lower()),
        rule_cards=fields.read_each("rule_cards", _parse_rule_card_value) if "rule_cards" in fields else None,
    )
    faults = fields.faults + _independent_faults(found.faults(is_view), fields.unreadable)
    if faults:
        raise NotationError(faults_text(faults))
    return found


def _position_table(position: Mapping[str, Any] | str) -> Mapping[str, Any]:
    if not isinstance(position, str):
        return expect_table(position)
    try:
        return parse_toml(position)
    except NotationError as error:
        raise NotationError(f"the position is not TOML: {error}") from None


def _independent_faults(faults: list[str], unreadable: set[str]) -> list[str]:
    """Returns the faults that do not result from an unreadable key."""
    if unreadable & {"rules", "hands", "discard"}:
        return []
    return [fault for fault in faults if fault.partition(":")[0] not in unreadable]


def _effective_callers(seats: Iterable[int], hands: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Returns the seats whose call is valid, which requires exactly one card (CO-19)."""
    return tuple(sorted({s for s in seats if not 0 <= s < len(hands) or len(hands[s]) == 1}))


def _own_color(discard: Sequence[int]) -> int:
    top = discard[-1] if discard else UNKNOWN_CARD
    return card_color(top) if top >= 0 and not is_wild(top) else NO_COLOR


def parse_direction(value: object) -> int:
    """Returns 1 for ``cw``, -1 for ``ccw``; raises a NotationError for anything else."""
    direction = _DIRECTION_WORDS.get(expect_text(value).strip().lower())
    if direction is None:
        raise NotationError(f"{value!r} is not a direction; expected cw or ccw")
    return direction


def _parse_rule_card_value(value: object) -> RuleCard:
    return parse_rule_card(expect_text(value))


def parse_pile(text: str) -> tuple[int, ...]:
    """Returns cards separated by blanks, in order; ``??`` and ``??*3`` stand for unknown cards.

    Raises:
        NotationError: at the first word that is not a card; with its column and the notation of cards.
    """
    try:
        return tuple(parse_cards(text, unknown=UNKNOWN_CARD))
    except NotationError as error:
        raise NotationError(f"{error.reason}; {_CARD_SYNTAX}", text, error.column) from None


def _parse_pile_value(value: object) -> tuple[int, ...]:
    return parse_pile(expect_text(value))


# --- writing ------------------------------------------------------------------------------------


def pile_text(cards: Iterable[int]) -> str:
    """Returns cards as text in order, three or more equal ones in succession as ``W*3``, unknown ones as ``??``."""
    words: list[str] = []
    run: list[int] = []
    for card in [*cards, None]:
        if run and card != run[0]:
            name = CARD_NAMES.get(run[0], UNKNOWN)
            words += [f"{name}*{len(run)}"] if len(run) > 2 else [name] * len(run)
            run = []
        if card is not None:
            run.append(card)
    return " ".join(words)


def rule_card_name(card: RuleCard) -> str:
    """Returns the text of a rule card in a position: ``R1`` ... ``R8`` for a built-in one, else its text."""
    return next((name for name, built_in in BUILT_IN.items() if built_in == card), card.text)


def position_table(position: Position) -> dict[str, Any]:
    """Returns the keys and values of a position's canonical text, without defaults."""
    players = len(position.hands)
    table: dict[str, Any] = {
        "rules": str(position.rules),
        "hands": [pile_text(hand) for hand in position.hands],
        "discard": pile_text(position.discard),
    }
    if position.color != _own_color(position.discard):
        table["color"] = color_letter(position.color)
    table["draw"] = pile_text(position.draw)
    if position.turn:
        table["turn"] = position.turn
    if position.direction != 1:
        table["direction"] = DIRECTIONS[position.direction]
    if position.dealer != (position.turn - position.direction) % max(players, 1):
        table["dealer"] = position.dealer
    for key, numbers in (("called", position.called), ("scores", position.scores)):
        if any(numbers) or (key == "called" and numbers):
            table[key] = list(numbers)
    if position.lever:
        table["lever"] = list(position.lever)
    if position.rule_cards is not None:
        table["rule_cards"] = [rule_card_name(card) for card in position.rule_cards]
    return table
