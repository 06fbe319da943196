"""Rounds and matches between bots, one decision at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from lastcard.bots.base import Bot, choose_move
from lastcard.bots.external import ExternalBot
from lastcard.bots.own_bots import BotSource, list_sources, name_source, submit_move
from lastcard.bots.registry import fill_seats, make_bot
from lastcard.formats.values import event_values
from lastcard.game.moves import Move
from lastcard.game.numbers import require_int
from lastcard.game.seeds import Seed, parse_seed
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.match.round import Round

Game = TypeVar("Game", Match, Round)
OnMove = Callable[[int, Move, list[Event]], object]
"""Callback for a seat, its move, and the events."""


def play(
    game: Game,
    bots: BotSource | Sequence[BotSource],
    *,
    rounds: int | None = None,
    seed: Seed = 0,
    on_move: OnMove = lambda seat, move, events: None,
) -> Game:
    """Let bots play a match or a round to its end, and return it.

    Bots are asked for moves out of turn (calls, catches, jump-ins) whenever the rules allow one.

    >>> from lastcard import Match, play
    >>> play(Match("all-wild", 3, seed="porch"), ["sharp", "random"]).winners
    (0,)

    Args:
        game: a match or round, which is changed.
        bots: bots by name, such as ``expert`` or ``sharp:style=hoarder``, your own classes, functions that make a bot,
            or bots (objects); repeated in order until every seat has one. One bot may stand for all.
        rounds: at most this number of rounds of a match; None for all.
        seed: seed of the bots' random choices, for ``seeds.parse_seed``; the same seed gives the same moves.
        on_move: callback for a seat, its move, and the events. Use ``Event.seen_by`` before you show them to others.

    Raises:
        UsageError: for unknown bots, or too many of them.
        IllegalMove, NotationError: if a bot chooses a move that is not legal, or none; names the bot and its seat.
    """
    most = None if rounds is None else require_int("the number of rounds", rounds, 1)
    players = len(game.players) if isinstance(game, Match) else game.players
    sources = fill_seats(list_sources(bots), players)
    secret = parse_seed(seed)
    made = [make_bot(source, secret, seat) for seat, source in enumerate(sources)]
    if isinstance(game, Round):
        play_round(game, made, list(map(name_source, sources)), on_move=on_move)
        return game
    while True:
        play_round(game.round, made, game.players, do=game.do, on_move=on_move)
        if game.over or game.number + 1 == most:
            return game
        game.next_round()


def play_round(
    round_: Round,
    bots: Sequence[Bot],
    names: Sequence[str] = (),
    *,
    do: Callable[[int, Move], list[Event]] | None = None,
    on_move: OnMove = lambda seat, move, events: None,
    max_plies: int | None = None,
) -> int:
    """Let bots play a round to its end, and send its events to external bots; returns the number of moves.

    Args:
        names: names of all bots by seat, for external bots.
        do: makes a move; by default ``Round.do``.
        on_move: callback for a seat, its move, and the events.
        max_plies: maximum number of moves, after which the round is left as it is; None for no limit.

    Raises:
        IllegalMove, NotationError: as for ``play``.
    """
    do = round_.do if do is None else do
    programs = ProgramNotices(round_, bots, names)
    events, plies = round_.events(), 0
    while True:
        programs.send(events)
        if round_.over or plies == max_plies:
            break
        seat, move = choose_move(round_, bots)
        events = submit_move(do, round_.legal, bots[seat], seat, move)
        plies += 1
        on_move(seat, move, events)
    programs.end()
    return plies


class ProgramNotices:
    """What the external bots among the bots of a round are sent besides questions: its start, events and end.

    Args:
        names: names of all bots by seat.
    """

    def __init__(self, round_: Round, bots: Sequence[Bot | None], names: Sequence[str]) -> None:
        self._round = round_
        self._programs = [(seat, bot) for seat, bot in enumerate(bots) if isinstance(bot, ExternalBot)]
        for seat, program in self._programs:
            program.start_round(round_.number, names, round_.view(seat))

    def send(self, events: Sequence[Event]) -> None:
        """Send events, to each program as its seat has seen them."""
        for seat, program in self._programs:
            program.send_events(event_values(event.seen_by(seat), self._round.rule_cards) for event in events)

    def end(self) -> None:
        """Announce that the round is over or was given up."""
        for seat, program in self._programs:
            program.end_round(self._round.view(seat))
