"""The observation of a seat as small numbers, in one row: version 1 of the layout in ``lastcard.envs.features``.

A row is written as uint8. Seats are relative to the observer. The row ends with the options in force, which never
change. Counts of cards, its longest part, are updated with every move beside the table and only copied.
"""

from typing import Any, Final, NamedTuple

from lastcard.ai import opponent_memory
from lastcard.envs.compiled import action_ids, knowledge
from lastcard.envs.compiled.action_ids import LegalActions
from lastcard.game import cards
from lastcard.kernel import bytes16
from lastcard.kernel.jit import export, inlined, kernel
from lastcard.kernel.records import Int8s, Int32s, Int64s, Int64s2, Uint8s, Uint8s2
from lastcard.rules import option_codes, phases
from lastcard.rules.round_state import RoundState, RoundStates

PILE_NUMBERS: Final = 6  # direction, draw pile, discard pile, pending, whether asked out of turn, passes in succession
JACKPOT_NUMBERS: Final = 20  # pulls, cards left to bury, colors thrown off, effect being performed
EFFECT_NUMBERS: Final = 14
SEAT_NUMBERS: Final = 17

_MAX_BYTE: Final = 255

# Facts of a seat, behind the number of its cards.
_EXPOSED: Final = 1
_CALLED: Final = 2
_EARLY: Final = 3
_LOSES_TURN: Final = 4
_ON_TURN: Final = 5
_CHALLENGED: Final = 6
_PERFORMS: Final = 7
_SCORE: Final = 8
_LACKS: Final = 9
_COLOR_NAMED: Final = 13


@inlined
def clamp_count(value: int) -> int:
    """A number that fits a byte."""
    return value if value < _MAX_BYTE else _MAX_BYTE


@kernel
def count_discards(t: RoundState, kinds: Int8s, discard_counts: Uint8s) -> None:
    """Count the discard pile by kinds."""
    for kind in range(discard_counts.size):
        discard_counts[kind] = 0
    for i in range(t.discard_n):
        discard_counts[kinds[int(t.discard[i])]] += 1


@inlined
def copy_counts(x: Uint8s, to: int, counts: Any) -> None:
    """Copy counts, and zeros behind them."""
    for at in range(0, counts.size, bytes16.WIDTH_BYTES):
        bytes16.copy_part(x, to + at, counts, at)


@inlined
def write_seat(t: RoundState, m: Int64s, other: int, score: int, x: Any) -> None:
    """Write the public facts of a seat, and the memory of it (``ai.opponent_memory``)."""
    x[0] = t.held[other]
    x[_EXPOSED] = t.exposed >> other & 1
    x[_CALLED] = t.called >> other & 1
    x[_EARLY] = t.early >> other & 1
    x[_LOSES_TURN] = t.skip_mask >> other & 1
    x[_ON_TURN] = 1 if other == t.turn else 0
    x[_CHALLENGED] = 1 if other == t.challenged_seat and t.phase == phases.CHALLENGE else 0
    x[_PERFORMS] = 1 if other == t.performer else 0
    x[_SCORE] = clamp_count(score)
    if t.game != option_codes.ALL_WILD:
        for color in range(cards.WILD):
            x[_LACKS + color] = m[other, color]
            x[_COLOR_NAMED + color] = 1 if m[other, opponent_memory.NAMED] == color + 1 else 0


@kernel
def write_jackpot(t: RoundState, x: Any) -> None:
    """Write the state of the lever and the rule cards of Wild Jackpot."""
    x[0] = t.extra_pulls
    if t.phase == phases.BURY:
        x[1] = t.cards_to_bury
    if t.phase == phases.THROW:
        for color in range(cards.WILD):
            x[2 + color] = t.discarded_colors >> color & 1
    if t.performer >= 0:
        x[6 + (int(t.effects[t.rule, t.effect_index]) & 255)] = 1


class ObserverState(NamedTuple):
    """Arrays beside a table for an observer."""

    opponent_memory: Int64s2
    """int64[seats, MEMORY_COLUMNS]: memory of each seat."""
    known_cards: Uint8s2
    """uint8[owner, places]: cards of other hands that this seat knows; see ``knowledge``."""
    discard_counts: Uint8s
    """uint8[places]: the discard pile."""
    scores: Int64s
    """int64[seats], percent of the winning score; a row says 255 for more."""


class ObservationBuffer(NamedTuple):
    """Arrays for an observation."""

    kinds: Int8s
    """int8[CARD_SLOTS], the kinds of the game's cards."""
    kind_count: int
    """Number of kinds."""
    changing_size: int
    """Length of the part of the row that changes; the rest are options."""
    options: Uint8s
    """uint8: the row."""
    x: Uint8s
    """uint8: the options in it."""


@inlined
def write_observation(
    t: RoundState, seat: int, is_reaction: bool, observer: ObserverState, buffer: ObservationBuffer
) -> None:
    """Write the observation of a seat into a row; ``is_reaction``: it is asked out of turn."""
    kinds = buffer.kinds
    size = buffer.changing_size
    x = buffer.x
    n = buffer.kind_count
    for place in range(0, size, bytes16.WIDTH_BYTES):
        bytes16.clear_part(x, place)
    # Counts are copied with the zeros behind them, so the fields after them are written later, and the options last.
    knowledge.add_hand(t, seat, kinds, x)
    if t.phase == phases.DRAWN and seat == t.turn:
        x[n + int(kinds[t.drawn])] = 1
    if t.topless == 0:
        x[2 * n + int(kinds[t.top])] = 1
    copy_counts(x, 3 * n, observer.discard_counts)
    at = 4 * n
    if t.color >= 0:
        x[at + t.color] = 1
    at += cards.WILD
    if t.phase < phases.OVER:
        x[at + t.phase] = 1
    at += phases.OVER
    x[at] = 1 if t.direction > 0 else 0
    x[at + 1] = t.pile_n
    x[at + 2] = t.discard_n
    x[at + 3] = clamp_count(t.pending)
    x[at + 4] = 1 if is_reaction else 0
    x[at + 5] = clamp_count(t.successive_passes)
    at += PILE_NUMBERS
    if t.game == option_codes.WILD_JACKPOT:
        write_jackpot(t, x[at : at + JACKPOT_NUMBERS])
        at += JACKPOT_NUMBERS
    other = seat & 15
    for i in range(t.players):
        write_seat(t, observer.opponent_memory, other, observer.scores[other], x[at : at + SEAT_NUMBERS])
        at += SEAT_NUMBERS
        if i > 0:
            copy_counts(x, at, observer.known_cards[other])
            at += n
        other += 1
        if other == t.players:
            other = 0
    bytes16.copy_part(x, size, buffer.options, 0)


class ViewArrays(NamedTuple):
    """A view in arrays."""

    states: RoundStates
    """Two tables; 0 is the table as the seat sees it, 1 is scratch."""
    words: Int32s
    """int32: the redacted event log of the seat, and free space behind it."""


@export
def observe_view(
    view: ViewArrays, observer: ObserverState, buffer: ObservationBuffer, count: int, seat: int, is_reaction: bool
) -> None:
    """Write a row from what one seat has seen, ``count`` words of an event log; see ``write_observation``.

    ``observer`` has the scores; the rest of it is written.
    """
    states = view.states
    t = states[0]
    history = view.words[:count]
    opponent_memory.reset(observer.opponent_memory)
    for owner in range(observer.known_cards.shape[0]):
        knowledge.forget_hand(observer.known_cards[owner])
    opponent_memory.fill_memory(states, observer.opponent_memory, history)
    knowledge.rebuild_known(history, seat, t.players, buffer.kinds, observer.known_cards)
    count_discards(t, buffer.kinds, observer.discard_counts)
    write_observation(t, seat, is_reaction, observer, buffer)


@export
def write_legal_actions(states: RoundStates, to: LegalActions, seat: int, is_reaction: bool) -> None:
    """Write the legal actions of a seat in an information state; see ``action_ids.add_legal_actions``."""
    action_ids.add_legal_actions(states[0], seat, is_reaction, to)
