"""A search for puzzles: moments in rounds in which one move is clearly best, and not every level of bots finds it.

The rounds are played by bots, or are the first ones of finished matches, of which a puzzle has no names.

Moves are measured on imagined deals, without hidden cards (``MoveEvaluator.measure_moves``). The first measurement
chooses moments, so its best move is also the luckiest; a second one, on other deals, decides and gives the chances.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil
from typing import Final

from lastcard.arena.task_distribution import MAX_WORKERS, count_cores, put_in_order, run_tasks
from lastcard.bots.base import choose_move, list_turn_moves, swaps_hands
from lastcard.bots.evaluation import MEASURE_CONFIG, MoveEvaluator
from lastcard.bots.move_reasons import Reason, find_reason
from lastcard.bots.registry import LEVELS, make_bot, make_bots
from lastcard.bots.search import RatedMove
from lastcard.bots.statistics import rollout_mean
from lastcard.errors import UsageError
from lastcard.formats.puzzles import MAX_GRADE, Puzzle
from lastcard.formats.record_files import Record
from lastcard.formats.replay import start_match
from lastcard.game.cards import JACKPOT, card_face, card_name, color_letter, is_wild
from lastcard.game.moves import Move, parse_seat_move
from lastcard.game.numbers import require_int
from lastcard.game.options import ALL_WILD_GAME
from lastcard.match.match import Match
from lastcard.match.view import View

RULES: Final = {
    "all-wild": ("all-wild",),
    "classic": ("classic", "classic", "classic+seven_zero"),
    "wild-jackpot": ("wild-jackpot",),
}
"""Rulesets of the matches of each game, which take turns."""
_PLAYERS: Final = (4, 3, 2, 4, 5, 3, 4, 6)
"""Numbers of players, which take turns."""
_TABLE: Final = ("sharp", "casual", "sharp")
"""Levels of the bots in a match, which take turns: only sharp play would show a few kinds of moments only."""
_FIRST_DEALS: Final = 16
_DEALS: Final = 256
"""Numbers of deals of each chain in the first and the second measurement."""
_FIRST_LEAD: Final = 0.02
LEAD: Final = 0.03
"""Lower end of the interval by which the best move must be better than every other, in parts of a round."""
_MIN_CHANCE: Final = 0.1
"""Chance to win with the best move: a puzzle is no lost position."""
_MEASURE_CONFIG: Final = replace(MEASURE_CONFIG, deals=_DEALS)
_BOTS_PER_LEVEL: Final = 3
"""Number of bots of a level, with different seeds, all of which must find a move."""
_MAX_PLIES: Final = 110
"""Number of moves of the longest round that becomes a puzzle."""
_LEVER_DECISIONS: Final = ("throw", "choose", "take", "perform")
_WAITS: Final = ("draw", "pass")
_THEME_SHARE: Final = 0.4
_GRADE_SHARES: Final = (0.0, 1.0, 0.6, 0.4, 0.15)
"""Largest shares of a search that one theme, and each grade, may have."""
_MAX_PER_ROUND: Final = 2
_ROUNDS_PER_PUZZLE: Final = 100
"""Number of rounds after which a search gives up, for each puzzle that it was to find."""


@dataclass(frozen=True, slots=True)
class PuzzleTask:
    """A round to be searched."""

    rules: str
    players: int
    seed: int | str
    """Seed of the match: a number, or hex digits."""
    number: int
    """Place of the round among those that are searched."""
    moves: tuple[str, ...] = ()
    """The moves that were made in the round; if there are none, bots play it."""


RoundPuzzles = tuple[int, list[Puzzle]]
MAX_COUNT: Final = 10_000
MAX_SEED: Final = 10**9


def list_tasks(game: str, first_seed: int, count: int) -> list[PuzzleTask]:
    """Rounds of a game with consecutive seeds; a UsageError for an unknown game."""
    if game not in RULES:
        raise UsageError(f"there is no game {game!r}; the games are {', '.join(RULES)}")
    rules = RULES[game]
    seeds = range(first_seed, first_seed + count)
    return [
        PuzzleTask(rules[seed % len(rules)], _PLAYERS[seed % len(_PLAYERS)], seed, number)
        for number, seed in enumerate(seeds)
    ]


def list_match_tasks(game: str, records: Iterable[Record]) -> list[PuzzleTask]:
    """First rounds of finished matches of a game that follow from rules, players and seed; each seed once.

    Matches with written rule cards or another host are left out if they were dealt differently.
    """
    tasks: dict[str, PuzzleTask] = {}
    for record in records:
        if record.winners is None or record.seed is None or record.rules.game != game:
            continue
        dealt = Match(record.rules, len(record.players), seed=record.seed)
        if record.rule_cards is None and dealt.round.state_bytes() == start_match(record).round.state_bytes():
            seed, moves = record.seed.hex(), tuple(record.rounds[0].moves)
            tasks[seed] = PuzzleTask(str(record.rules), len(record.players), seed, len(tasks), moves)
    return list(tasks.values())


def search_puzzles(
    game: str, count: int, first_seed: int, workers: int | None = None, progress: Callable[[int], object] = int
) -> Iterator[Puzzle]:
    """Yield puzzles of a game in rounds of bots, as ``search_rounds`` does; fewer if there are not enough in many.

    Args:
        count: number of puzzles, 1 to ``MAX_COUNT``.
        first_seed: seed of the first round, which is from 0; the next rounds have the next seeds.
        workers: as in ``search_rounds``; ``progress`` too.

    Raises:
        UsageError: for an unknown game, or a number out of range.
    """
    count = require_int("the number of puzzles", count, 1, MAX_COUNT)
    first_seed = require_int("a seed", first_seed, 0, MAX_SEED)
    return search_rounds(list_tasks(game, first_seed, count * _ROUNDS_PER_PUZZLE), count, workers, progress)


def search_rounds(
    tasks: Sequence[PuzzleTask], count: int, workers: int | None = None, progress: Callable[[int], object] = int
) -> Iterator[Puzzle]:
    """Yield puzzles in rounds, spread over themes and grades; fewer if there are not enough.

    Args:
        tasks: the rounds, numbered from 0.
        count: number of puzzles, 1 to ``MAX_COUNT``.
        workers: number of processes, which change nothing but the time; None for one on every core.
        progress: callback for the number of puzzles found since its last call.

    Raises:
        UsageError: for a number out of range.
    """
    count = require_int("the number of puzzles", count, 1, MAX_COUNT)
    workers = count_cores() if workers is None else require_int("the number of workers", workers, 1, MAX_WORKERS)
    themes: Counter[str] = Counter()
    grades: Counter[int] = Counter()
    with closing(run_tasks(find_puzzles, tasks, workers)) as answers:
        for found in put_in_order(answers, {}):
            new = [
                puzzle
                for puzzle in sorted(found, key=lambda puzzle: puzzle.grade)
                if themes[puzzle.theme] < ceil(count * _THEME_SHARE)
                and grades[puzzle.grade] < ceil(count * _GRADE_SHARES[puzzle.grade])
            ][: min(_MAX_PER_ROUND, count - themes.total())]
            for puzzle in new:
                themes[puzzle.theme] += 1
                grades[puzzle.grade] += 1
                progress(1)
                yield puzzle
            if themes.total() == count:
                return


def find_puzzles(task: PuzzleTask) -> RoundPuzzles:
    """The number of a round, and its puzzles in the order of their moments."""
    match = Match(task.rules, task.players, seed=task.seed)
    evaluator, found = MoveEvaluator(measure_config=_MEASURE_CONFIG), []
    for seat, move in islice(_made_moves(task, match), _MAX_PLIES):
        if seat == match.round.turn:
            puzzle = _find_puzzle(task, match, evaluator)
            if puzzle is not None:
                found.append(puzzle)
        match.do(seat, move)
    return task.number, found


def _made_moves(task: PuzzleTask, match: Match) -> Iterator[tuple[int, Move]]:
    """Yield the moves of a round, which the caller makes: those that were made, or those of bots."""
    if isinstance(task.seed, str):
        yield from map(parse_seat_move, task.moves)
        return
    bots = make_bots([_TABLE[(seat + task.seed) % len(_TABLE)] for seat in range(task.players)], match.seed)
    while not match.round.over:
        yield choose_move(match.round, bots)


def _find_puzzle(task: PuzzleTask, match: Match, evaluator: MoveEvaluator) -> Puzzle | None:
    """The puzzle of the moment of a match; None if it is none."""
    view, ply = match.round.view(match.round.turn), len(match.moves)
    moves = list_turn_moves(view)
    if len(moves) < 2:
        return None
    rated = rate_moves(evaluator, view, moves, _derive_seed(match, ply, 1), _FIRST_DEALS, _FIRST_LEAD)
    if not rated or _choose(view, "sharp", match, 0) == rated[0].move == _choose(view, "casual", match, 0):
        return None  # too easy
    theme = find_theme(view, rated, find_reason(view, rated[0], rated))
    if theme is None:
        return None
    checked = rate_moves(evaluator, view, moves, _derive_seed(match, ply, 2), _DEALS, LEAD)
    if not checked or checked[0].move != rated[0].move or checked[0].chance < _MIN_CHANCE:
        return None
    reason = find_reason(view, checked[0], checked)
    if find_theme(view, checked, reason) != theme:
        return None
    best = _choose(view, "master", match, 0)
    grade = sum(
        all(_choose(view, level, match, number) == best for number in range(_BOTS_PER_LEVEL)) for level in LEVELS
    )
    if without_call(best) != checked[0].move or not 1 <= grade <= MAX_GRADE:
        return None
    return Puzzle(
        rules=task.rules,
        players=task.players,
        seed=task.seed,
        ply=ply,
        theme=theme,
        grade=grade,
        chances=tuple((str(each.move), round(100 * each.chance)) for each in checked),
        reason=_reason_words(reason),
        moves=_play_on(match, best),
    )


def rate_moves(
    evaluator: MoveEvaluator, view: View, moves: Sequence[Move], seed: int, deals: int, lead: float
) -> list[RatedMove]:
    """Moves with their chances, best first; none if the best is not better than each other by more than ``lead``.

    Args:
        seed: of all chance, 0 to 2**32 - 1.
        deals: number of deals of each chain.
        lead: lower end of the interval of the difference, in parts of a round.
    """
    shares = evaluator.measure_moves(view, moves, seed, deals)[:, :, view.seat]
    order = sorted(range(len(moves)), key=lambda i: -shares[:, i].mean())
    leads = (rollout_mean(shares[:, order[0]] - shares[:, i], 1 / deals) for i in order[1:])
    if any(each.low <= lead for each in leads):
        return []
    estimates = [(i, rollout_mean(shares[:, i], 1 / deals)) for i in order]
    return [RatedMove(moves[i], each.value, each.margin, deals * len(shares)) for i, each in estimates]


def find_theme(view: View, rated: Sequence[RatedMove], reason: Reason) -> str | None:
    """The theme of a moment, by the criteria of ``docs/puzzles.md``; None if it has none.

    Args:
        rated: all moves, best first.
        reason: reason for the best move.
    """
    best, *others = [each.move for each in rated if each.move is not None]
    if view.decision == "challenge":
        return "challenge"
    if best.verb not in _WAITS and sum(move.verb not in _WAITS for move in others) == 0:
        return None  # the only move that is more than waiting
    if view.decision in _LEVER_DECISIONS or any(_is_jackpot(move) for move in (best, others[0])):
        return "lever"
    if len({move.target for move in (best, *others) if swaps_hands(move)}) > 1:
        return "swap"
    if reason.name in ("keep_wild", "keep_strike") or (not _plays_wild(view, best) and _plays_wild(view, others[0])):
        return "hold"
    if best.color is not None and any(move.card == best.card for move in others):
        return "colors"
    if best.verb == "play" and view.hand is not None and len(view.hand) == 2:
        return "uno"
    return "colors" if reason.name == "color" else None


def _is_jackpot(move: Move) -> bool:
    return move.verb == "play" and move.card is not None and card_face(move.card) == JACKPOT


def _plays_wild(view: View, move: Move) -> bool:
    """Whether a move plays a wild where other cards have colors."""
    has_colors = not view.rules.startswith(ALL_WILD_GAME)
    return has_colors and move.verb == "play" and move.card is not None and is_wild(move.card)


def _choose(view: View, level: str, match: Match, number: int) -> Move:
    """The move of the bot with a number of a level, with its call."""
    assert view.seat is not None
    return make_bot(level, match.seed + bytes([number]), view.seat).choose(view)


def without_call(move: Move) -> Move:
    """A move without its call."""
    return replace(move, uno=False) if move.uno else move


def _play_on(match: Match, best: Move) -> tuple[str, ...]:
    """The moves of the round with the best move, after which attentive bots play on.

    A move of the seat on turn has no seat.
    """
    again, moves = Match(match.rules, len(match.players), seed=match.seed), []

    def write(seat: int, move: Move) -> None:
        moves.append(str(move) if seat == again.round.turn else f"{seat}:{move}")
        again.do(seat, move)

    for seat, move in [*map(parse_seat_move, match.moves), (match.round.turn, best)]:
        write(seat, move)
    bots = make_bots(["sharp"] * len(match.players), match.seed)
    while not again.round.over:
        write(*choose_move(again.round, bots))
    return tuple(moves)


def _reason_words(reason: Reason) -> tuple[str, ...]:
    """The name of a reason and its facts; ``-`` for those that it lacks."""
    card = None if reason.card is None else card_name(reason.card)
    color = None if reason.color is None else color_letter(reason.color)
    facts = (reason.n, reason.player, card, color, *reason.hands)
    return reason.name, *("-" if fact is None else str(fact) for fact in facts)


def _derive_seed(match: Match, ply: int, part: int) -> int:
    """A seed of 32 bits for a measurement."""
    return int.from_bytes(hashlib.sha256(match.seed + b"puzzle %d %d" % (ply, part)).digest()[:4], "big")
