"""Match: rounds, dealer rotation, scores and the winner."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lastcard.errors import NotationError, UsageError
from lastcard.game.moves import Move, parse_move, parse_seat_move, seat_move_text
from lastcard.game.numbers import is_integer, is_seat, require_int
from lastcard.game.position import Position
from lastcard.game.rulecards import RULE_CARD_COUNT, RuleCard
from lastcard.game.rulesets import MAX_PLAYERS, Ruleset, as_ruleset
from lastcard.game.seeds import Seed, commitment, parse_seed
from lastcard.match.events import Event
from lastcard.match.record import Record, RoundRecord, check_name
from lastcard.match.round import LAST_ROUND, Round
from lastcard.match.setup import check_players, check_position, check_rule_card_types, default_rule_cards, rules_state
from lastcard.match.view import seat_or_none, seats_of
from lastcard.rules import exports, opening, scoring

_MAX_POINTS: Final = 10**12
"""Upper limit of points; the kernel's integers hold a million times that."""


def score_round(
    rules: Ruleset, scores: Sequence[int], winner: int | None, held: Sequence[int], void: bool = False
) -> tuple[int, ...]:
    """Returns the match scores after a round (AW-51, CL-51, CL-52, WJ-61, LC-46).

    Args:
        scores: scores before the round, by seat.
        winner: winner of the round; None if it was void.
        held: points left in each hand.
        void: whether the round is void, so that no seat scores (CO-35).

    Raises:
        UsageError: for invalid numbers.
    """
    added, left = _points_array(scores, len(scores)), _points_array(held, len(scores))
    exports.score_round(_ended_states(rules, len(scores), None if void else winner), 0, left, added)
    return tuple(added.tolist())


def team_of(rules: Ruleset, seat: int) -> tuple[int, ...]:
    """Returns the seats that win and score together with a seat: in team play partners sit opposite each other (6.8).

    Raises:
        UsageError: if there is no such seat.
    """
    seat = require_int("a seat", seat, 0, MAX_PLAYERS - 1)
    return (seat % 2, seat % 2 + 2) if rules.options.team_play else (seat,)


def match_result(rules: Ruleset, scores: Sequence[int], winner: int | None) -> tuple[int, ...] | None:
    """Returns the winners of the match, or None while it continues (AW-50, CO-46, CL-52, CL-53).

    Args:
        scores: scores after the round, by seat.
        winner: winner of the last round; None if it was void.

    Raises:
        UsageError: for invalid numbers.
    """
    none_left = np.zeros(len(scores), np.int64)
    won = exports.score_round(
        _ended_states(rules, len(scores), winner), 0, none_left, _points_array(scores, len(scores))
    )
    return tuple(sorted(seats_of(won))) or None


def next_dealer(
    rules: Ruleset, dealer: int, players: int, winner: int | None, held: Sequence[int], void: bool = False
) -> int | None:
    """Returns the next round's dealer (CO-44, LC-14), None if players draw for it; a UsageError for invalid numbers."""
    states = _ended_states(rules, players, None if void else winner)
    states[0]["dealer"] = require_int("the dealer", dealer, 0, players - 1)
    return seat_or_none(exports.find_dealer(states, 0, _points_array(held, players)))


def _points_array(points: Sequence[int], players: int) -> NDArray[np.int64]:
    """Returns the points of every player as an array for the kernel."""
    if len(points) != players or not all(is_integer(each) and abs(each) <= _MAX_POINTS for each in points):
        raise UsageError(f"points are a whole number for each of {players} players, not {points!r}")
    return np.array(points, np.int64)


def _ended_states(rules: Ruleset, players: int, winner: int | None) -> Any:
    """Returns a state with a finished round, sufficient for scores and dealers."""
    check_players(rules, players)
    states = rules_state(rules, players)
    states[0]["winner"] = -1 if winner is None else require_int("the winner", winner, 0, players - 1)
    return states


def draw_for_dealer(rules: Ruleset, players: int, seed: bytes, number: int) -> int:
    """Returns a random dealer of a round: the highest number, in All Wild any seat (AW-4, CL-3, CL-4, WJ-6, LC-13).

    Raises:
        UsageError: for invalid numbers.
    """
    check_players(rules, players)
    number = require_int("the number of a round", number, 0, LAST_ROUND)
    states = rules_state(rules, players, seed)
    exports.apply_number_distribution(states, 0, np.zeros(opening.NUMBER_SCRATCH_WORDS, np.int64))
    return int(exports.draw_dealer(states, 0, number, np.zeros(scoring.DEALER_SCRATCH_WORDS, np.int64)))


def _player_names(rules: Ruleset, players: int | Sequence[str]) -> tuple[str, ...]:
    """Returns the names of players by seat; given only a number of players, numbered names."""
    if isinstance(players, str) or not isinstance(players, Iterable):
        count: Any = players
        check_players(rules, count)  # first: a wrong number may be so large that its names fill the memory
        return tuple(f"Player {i + 1}" for i in range(count))
    names = tuple(players)
    check_players(rules, len(names))
    for seat, name in enumerate(names):
        try:
            check_name(name)  # otherwise a record of the match could not be read again
        except NotationError as error:
            raise UsageError(f"seat {seat}: {error}") from None
    return names


class Match:
    """Rounds until a player has won; seed and moves determine a match completely.

    >>> match = Match("classic+stacking=same", ["Ann", "Bo", "Cy"], seed="porch")
    >>> match.do(match.round.turn, "draw")[0].count
    1

    Args:
        players: number of players, or their names by seat.
        seed: any argument of ``seeds.parse_seed``; None for a fresh one.
        host: seat of the host, for ``first_dealer = host``.
        rule_cards: written rule cards (LC-50), for ``wj_rules = written``.
        position: position of a prepared round, instead of a random deal. The match is that round, and has no record,
            because it was not shuffled.

    Raises:
        RulesError, UsageError: for invalid rules or players.
    """

    def __init__(
        self,
        rules: Ruleset | str,
        players: int | Sequence[str] = 2,
        *,
        seed: Seed = None,
        host: int = 0,
        rule_cards: Sequence[RuleCard] | None = None,
        position: Position | None = None,
    ) -> None:
        self.rules = as_ruleset(rules)
        self.players: tuple[str, ...] = _player_names(self.rules, players)
        if not is_seat(host, len(self.players)):
            raise UsageError(f"the host is one of the seats 0 to {len(self.players) - 1}, not {host!r}")
        self.seed = parse_seed(seed)
        self.host = int(host)
        if rule_cards is not None:
            check_rule_card_types(rule_cards)
        uses_written_cards = self.rules.options.wj_rules == "written" and rule_cards
        if rule_cards and not uses_written_cards:
            raise UsageError(f"{self.rules} does not use written rule cards; wj_rules=written does")
        if rule_cards and len(rule_cards) > RULE_CARD_COUNT:
            raise UsageError(f"there are {RULE_CARD_COUNT} rule cards to write, not {len(rule_cards)} (WJ-4)")
        self.rule_cards = tuple(rule_cards) if rule_cards else default_rule_cards(self.rules)
        self.has_written_rule_cards = bool(uses_written_cards)
        if position is not None:
            check_position(position)
            if position.rules != self.rules or len(position.hands) != len(self.players):
                raise UsageError("a prepared round has other rules or another number of players than its match")
        self.position = position
        self.number = 0
        self.scores: tuple[int, ...] = (0,) * len(self.players)
        self.winners: tuple[int, ...] | None = None
        self.dealer = self._first_dealer()
        self._scored = False
        self._finished: list[RoundRecord] = []
        self._moves: list[str] = []
        self.round = self._deal()
        if position is not None:
            self.rule_cards = self.round.rule_cards

    def _repr_svg_(self) -> str:
        scored = zip(self.players, self.scores, strict=True)
        return self.round.draw([f"{score} · {name}" for name, score in scored])

    def __repr__(self) -> str:
        players = ", ".join(f"{name} {score}" for name, score in zip(self.players, self.scores, strict=True))
        won = "" if self.winners is None else ", won by " + " and ".join(self.players[seat] for seat in self.winners)
        return f"<Match of {self.rules_name}, {players}{won}; round {self.number + 1}: {self.round.public_state()}>"

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed, to be shown before the match."""
        return commitment(self.seed)

    @cached_property
    def rules_name(self) -> str:
        """Name of the ruleset, cached because finding the shortest name is slow."""
        return str(self.rules)

    @property
    def over(self) -> bool:
        """Whether the match has been won."""
        return self.winners is not None

    @property
    def moves(self) -> tuple[str, ...]:
        """Moves of the current round as text, such as ``0:R5!``, without those taken back."""
        return tuple(self._moves)

    def _first_dealer(self) -> int:
        if self.position is not None:
            return self.position.dealer
        choice = self.rules.options.first_dealer
        if choice in ("seat_0", "host"):
            return self.host if choice == "host" else 0
        return draw_for_dealer(self.rules, len(self.players), self.seed, 0)

    def _deal(self) -> Round:
        if self.position is not None:
            return Round.from_position(self.position, seed=self.seed)
        return Round.deal(
            self.rules,
            len(self.players),
            seed=self.seed,
            dealer=self.dealer,
            number=self.number,
            rule_cards=self.rule_cards,
        )

    def do(self, seat: int, move: Move | str) -> list[Event]:
        """Make a move in the current round; when the round ends, the scores are counted.

        Args:
            move: a Move or its notation, such as ``R5!`` or ``catch>2``.

        Returns:
            The events, in order; use ``Event.seen_by`` before you show them to others.

        Raises:
            IllegalMove: with a stable code, the clause and the reason in words; nothing is changed (CO-5).
            NotationError: for text that is no move.
            UsageError: for a seat that is no number.
        """
        parsed = move if isinstance(move, Move) else parse_move(move)
        events = self.round.do(seat, parsed)
        self._moves.append(sys.intern(seat_move_text(int(seat), parsed)))  # few different texts in all matches
        if self.round.over:
            self._score_round()
        return events

    def _score_round(self) -> None:
        """Add the points of a finished round to the scores, once."""
        if self._scored:
            return
        self._scored = True
        round_ = self.round
        self.scores = score_round(self.rules, self.scores, round_.winner, round_.held, round_.void)
        if self.position is None:
            self.winners = match_result(self.rules, self.scores, round_.winner)
        else:
            self.winners = () if round_.winner is None else team_of(self.rules, round_.winner)

    def can_take_back(self, seat: int) -> bool:
        """Whether a seat has a move in this round that can be taken back; raises a UsageError for no seat."""
        if not is_seat(seat, len(self.players)):
            raise UsageError(f"there is no seat {seat!r}; seats are 0 to {len(self.players) - 1}")
        return not self.round.over and any(parse_seat_move(text)[0] == seat for text in self._moves)

    def take_back(self, seat: int) -> None:
        """Take back the last move of a seat in the current round, and all moves after it.

        Raises:
            UsageError: if there is no such move, the round is over, or there is no such seat.
        """
        if not self.can_take_back(seat):
            raise UsageError("there is nothing to take back")
        last = max(i for i, text in enumerate(self._moves) if parse_seat_move(text)[0] == seat)
        remaining = self._moves[:last]
        self._moves = []
        self.round = self._deal()
        for text in remaining:
            self.do(*parse_seat_move(text))

    def next_round(self) -> Round:
        """Deal the next round; raises a UsageError during a round or after the end of the match."""
        if not self.round.over:
            raise UsageError("the round is still being played")
        self._score_round()
        if self.over:
            raise UsageError("the match is over")
        round_, players = self.round, len(self.players)
        dealer = next_dealer(self.rules, self.dealer, players, round_.winner, round_.held, round_.void)
        self.dealer = draw_for_dealer(self.rules, players, self.seed, self.number + 1) if dealer is None else dealer
        self.number += 1
        self._finished.append(self._round_record())
        self._moves = []
        self._scored = False
        self.round = self._deal()
        return self.round

    def _round_record(self) -> RoundRecord:
        round_, moves = self.round, tuple(self._moves)
        if not round_.over:
            return RoundRecord(dealer=round_.dealer, moves=moves)
        return RoundRecord(
            dealer=round_.dealer,
            moves=moves,
            winner=round_.winner,
            void=round_.void,
            held=round_.held,
            scores=self.scores,
        )

    def record(self) -> Record:
        """Returns the match so far with its seed, which must be secret until the match is over (``Record.public``).

        Raises:
            UsageError: for a prepared round, which no seed reproduces.
        """
        if self.position is not None:
            raise UsageError("a prepared round has no record: it was not shuffled")
        return Record(
            rules=self.rules,
            players=self.players,
            commitment=self.commitment,
            host=self.host,
            seed=self.seed,
            rule_cards=self.rule_cards if self.has_written_rule_cards else None,
            rounds=(*self._finished, self._round_record()),
            winners=self.winners,
        )
