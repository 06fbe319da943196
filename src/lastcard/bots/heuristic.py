"""A sensible player by rules of thumb: keeps its wilds, minds who is nearly out, hits the next player then."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from lastcard import cards as c
from lastcard.actions import Move
from lastcard.bots.base import SeededBot
from lastcard.bots.dice import Dice
from lastcard.bots.sight import Sight, longest_row

if TYPE_CHECKING:
    from lastcard.view import View

# Worth of a turn lost by a foe who holds so many cards; more cards are worth the last.
_ALARM: Final = (40.0, 40.0, 24.0, 12.0, 6.0, 4.0)
_DRAW: Final = -50.0  # drawing is for those who have nothing better
_PASS: Final = -40.0
_LOST: Final = -1000.0
_WON: Final = 1000.0
_KEEP_WILD: Final = {c.W: 35.0, c.W_DRAW_FOUR: 40.0, c.W_JACKPOT: 30.0}
_KEEP_ACTION: Final = 10.0
_BLUFF: Final = 30.0
_CARD: Final = 16.0  # worth of one card more or less in hand


class HeuristicBot(SeededBot):
    """Scores every legal move by a few rules of thumb and makes the best; ties are broken by its dice."""

    name = "heuristic"

    def pick(self, view: View, dice: Dice) -> Move:
        """See ``SeededBot.pick``."""
        moves = [move for move in view.legal if move.verb not in ("uno", "catch")]
        if len(moves) == 1:
            return moves[0]
        sight = Sight(view)
        scores = [score(sight, move) for move in moves]
        best = [move for move, worth in zip(moves, scores, strict=True) if worth == max(scores)]
        return best[dice.below(len(best))]

    def jump(self, view: View, dice: Dice) -> Move | None:
        """See ``SeededBot.jump``: a card fewer is worth it unless the card should be kept for later."""
        moves = [move for move in view.legal if move.verb == "play"]
        if not moves:
            return None
        sight = Sight(view)
        best = max(moves, key=lambda move: score(sight, move))
        return best if score(sight, best) > -15 else None


def score(sight: Sight, move: Move) -> float:
    """What a move is worth; only comparisons at one moment mean anything."""
    return _SCORES[move.verb](sight, move)


def _play(sight: Sight, move: Move) -> float:
    card = move.card
    assert card is not None
    if sight.view.decision == "streak":
        color = c.card_color(card) if move.color is None else move.color
        return longest_row(sight.rest(card), card, color)
    if sight.size == 1:
        return _last(sight, move)
    if sight.runs_out(card, c.card_color(card) if move.color is None else move.color):
        return _WON
    if sight.all_wild:
        return _play_wild(sight, move, card)
    return _play_color(sight, move, card)


def _last(sight: Sight, move: Move) -> float:
    """The last card wins, unless it hands the empty hand to somebody else (AW-45, LC-42)."""
    gives = move.card == c.W_SWAP or sight.options.seven_zero
    if gives and move.target is not None and move.target not in sight.team:
        return _LOST
    if sight.options.seven_zero and sight.options.seven_zero_last == "effect" and c.card_face(move.card or 0) == 0:
        return _LOST if c.card_color(move.card or 0) != c.WILD and sight.beside(1) in sight.foes else _WON
    return _WON


# --- All Wild -------------------------------------------------------------------------------------


def _play_wild(sight: Sight, move: Move, card: int) -> float:
    """Plain cards first: what hits others is worth more when somebody is nearly out."""
    rest = sight.rest(card)
    stuck = sight.options.forced_swap_last_card != "player_wins" and set(rest) == {c.W_SWAP}
    worth = -60.0 if stuck else 0.0
    if card == c.W_SWAP:
        urge = _CARD / 2 if sight.size <= 3 else 0.0
        return worth + urge + _swap(sight, move.target, sight.size - 1) - _KEEP_ACTION / 2
    if card == c.W:
        return worth
    if card == c.W_TARGETED:
        assert move.target is not None
        return worth + _hit(sight, move.target) * 0.8 - _KEEP_ACTION
    return worth + _strike(sight, card) - _KEEP_ACTION


# --- classic and Wild Jackpot ---------------------------------------------------------------------


def _play_color(sight: Sight, move: Move, card: int) -> float:
    rest = sight.rest(card)
    held = sight.colors(rest)
    color = move.color if move.color is not None else c.card_color(card)
    support = held[color] if color != c.WILD else 0
    worth = 3.0 * min(support, 5) + sight.points(card) * (0.4 if sight.threat <= 2 else 0.1)
    if c.card_color(card) == c.WILD:
        worth -= _KEEP_WILD[card] * (0.4 if sight.threat <= 1 else 1.0)
        if card == c.W_DRAW_FOUR:
            worth += _strike(sight, card)
            if sight.options.wd4_mode == "challenge" and sight.colors(rest)[sight.view.color]:
                worth -= _BLUFF * (0.3 if sight.count(sight.beside(1)) <= 1 else 1.0)
        return worth
    face = c.card_face(card)
    if face in (c.SKIP, c.REVERSE, c.DRAW_TWO):
        worth += _strike(sight, card)
    if sight.options.seven_zero and face == 7:
        worth += _swap(sight, move.target, sight.size - 1)
    elif sight.options.seven_zero and face == 0:
        worth += _swap(sight, sight.beside(-1), sight.size - 1)
    return worth


# --- what a card does to others -------------------------------------------------------------------


def _alarm(count: int) -> float:
    return _ALARM[min(count, len(_ALARM) - 1)]


def _hit(sight: Sight, seat: int) -> float:
    """The worth of hurting a seat: more the fewer cards it holds, none for a partner."""
    return _alarm(sight.count(seat)) * (-1.0 if seat in sight.team else 1.0)


def _strike(sight: Sight, card: int) -> float:
    """What an action card does to the players after this one."""
    face = c.card_face(card)
    following = sight.beside(1)
    two = sight.view.players == 2
    if face == c.REVERSE:
        if two:
            return _hit(sight, following) if sight.options.two_player_reverse == "skip" else 0.0
        # Whoever would have been next waits longest now.
        return (_hit(sight, following) - _hit(sight, sight.beside(-1))) * 0.6
    if c.card_color(card) == c.WILD and face == c.SKIP_TWO:
        if two:
            return 0.0 if sight.options.two_player_skip_two == "opponent_next" else _hit(sight, following)
        return _hit(sight, following) + _hit(sight, sight.beside(2))
    if face == c.SKIP:
        return _hit(sight, following)
    return _hit(sight, following) * (1.6 if face == c.DRAW_FOUR else 1.3)


def _swap(sight: Sight, target: int | None, mine: int) -> float:
    """What exchanging hands is worth, by the number of cards."""
    return 0.0 if target is None else _CARD * (mine - sight.count(target))


# --- other decisions ------------------------------------------------------------------------------


def _challenge(sight: Sight, move: Move) -> float:
    """The odds that a Wild Draw Four was a bluff, by how many cards its player still holds."""
    laid = sight.count(sight.beside(-1))
    holds = 1 - 0.75**laid
    bluff = holds * 0.2 / (holds * 0.2 + (1 - holds) * 0.8)
    return (bluff - 0.5) * 20


def _accept(sight: Sight, move: Move) -> float:
    return 0.0 if sight.view.decision == "challenge" else _DRAW


def _color(sight: Sight, move: Move) -> float:
    assert move.color is not None
    return sight.colors(sight.hand)[move.color]


def _choose(sight: Sight, move: Move) -> float:
    """Whom to name: for a rule card from the lever oneself with many cards, else who is nearly out."""
    assert move.target is not None
    count = sight.count(move.target)
    if sight.view.rule is not None:
        return -count
    few = 3.0 * (4 - count)
    return few + 1 if move.target in sight.foes else -few


def _take(sight: Sight, move: Move) -> float:
    """From whoever has cards to spare: taking helps him."""
    assert move.target is not None
    return sight.count(move.target) - (100 if move.target in sight.team else 0)


def _throw(sight: Sight, move: Move) -> float:
    """Everything off, the color held most last, so that it is the one in force (WJ-42)."""
    assert move.card is not None
    held = sight.colors(sight.hand)
    strikes = _strike(sight, move.card) if c.card_face(move.card) in (c.SKIP, c.REVERSE, c.DRAW_TWO) else 0.0
    return 100 - 5.0 * held[c.card_color(move.card)] + sight.points(move.card) / 10 + strikes / 10


def _bury(sight: Sight, move: Move) -> float:
    """What is dear goes first when somebody is nearly out; else what is hardest to get rid of."""
    assert move.card is not None
    if sight.threat <= 2:
        return sight.points(move.card)
    if c.card_color(move.card) == c.WILD:
        return -30.0
    return sight.points(move.card) / 10 - 3.0 * sight.colors(sight.hand)[c.card_color(move.card)]


def _always(worth: float) -> Callable[[Sight, Move], float]:
    return lambda sight, move: worth


_SCORES: Final[dict[str, Callable[[Sight, Move], float]]] = {
    "play": _play,
    "draw": _always(_DRAW),
    "pass": _always(_PASS),
    "challenge": _challenge,
    "accept": _accept,
    "color": _color,
    "choose": _choose,
    "pull": _always(0.0),
    "throw": _throw,
    "stop": _always(0.0),
    "bury": _bury,
    "take": _take,
    "done": _always(0.0),
}
