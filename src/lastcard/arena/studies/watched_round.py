"""A round of sharp bots that is watched move by move: who waits, who leads, and who forgets to call."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np

from lastcard.ai import rollout
from lastcard.arena.compiled_rounds import point_shares
from lastcard.bots.weights import heuristic_weights
from lastcard.game import action_codes
from lastcard.game.cards import CARD_SLOTS
from lastcard.game.rulesets import Ruleset
from lastcard.match.round import Round
from lastcard.rules import event_codes, exports, phases, refusal_reasons
from lastcard.rules.layout import MAX_SEATS
from lastcard.rules.round_state import WORD_INDEX, state_words

_MAX_PLIES: Final = 3000
"""Number of moves after which a round is given up."""
_PHASE, _TURN, _HELD = (WORD_INDEX[name] for name in ("phase", "turn", "held"))
_EARLY_CALLS: Final = 10
"""How many times as often a hasty player calls with two cards."""
_COMEBACK_CARDS: Final = 5
"""How many cards more than the leader a player once had who wins by a comeback."""


@dataclass(slots=True)
class WatchedRound:
    """What happened in a round."""

    winner: int = -1
    """Places to the left of the dealer; -1 for none."""
    plies: int = 0
    drawn: int = 0
    """Number of cards drawn by all."""
    points: int = 0
    """Score of the winner."""
    waits: int = 0
    """Number of waits between two turns of a player."""
    waited: int = 0
    """Number of moves of others in all waits."""
    longest_wait: int = 0
    overtakings: int = 0
    """How often another player took the lead (the fewest cards), while somebody had half of the first hand or fewer."""
    is_comeback: bool = False
    """Whether the winner once had five cards more than the leader."""
    is_one_sided: bool = False
    """Whether nobody but the winner ever led alone."""


class Watcher:
    """Plays rounds of a ruleset between sharp bots.

    Args:
        forgotten: percentage of UNO calls that are forgotten.
        noticed: percentage of moves in which a player notices the forgotten call of another.
        hasty: percentage of moves before which a player calls, and of those before which one catches, whatever the
            hands are; with two cards a player calls ten times as often.
    """

    def __init__(self, rules: Ruleset, players: int, forgotten: int = 0, noticed: int = 0, hasty: int = 0) -> None:
        self._rules, self._players = rules, players
        self._forgotten, self._noticed, self._hasty = forgotten / 100, noticed / 100, hasty / 100
        self._weights = heuristic_weights(str(rules), players)
        self._out = exports.SCRATCH.actions
        self._jumps = rules.options.jump_in

    def watch(self, seed: bytes, number: int) -> WatchedRound:
        """Play a round of a seed; the same round gives the same result."""
        players = self._players
        round_ = Round.deal(self._rules, players, seed=seed, dealer=number % players, number=number)
        states = round_.states(record_events=True)
        words, dice = state_words(states), Random(seed + number.to_bytes(8, "big"))
        seen, lead = WatchedRound(drawn=_count_draws(states)), _Lead(self._rules.options.hand_size // 2)
        last_turn, previous, forgetful = [-1] * players, -1, 0
        while words[_PHASE] != phases.OVER and seen.plies < _MAX_PLIES:
            if self._forgotten or self._hasty:
                forgetful = self._resolve_calls(states, forgetful, dice, seen)
            if self._hasty:
                self._call_hastily(states, words, dice, seen)
            seat = words[_TURN]
            if seat != previous and last_turn[seat] >= 0:
                wait = seen.plies - last_turn[seat] - 1
                seen.waits, seen.waited = seen.waits + 1, seen.waited + wait
                seen.longest_wait = max(seen.longest_wait, wait)
            last_turn[seat], previous = seen.plies, seat
            if not self._jumps or not self._jump_in(states, words):
                rollout.play_plies(states, 0, 1, self._weights, self._out)
            seen.plies += 1
            seen.drawn += _count_draws(states)
            lead.follow(words[_HELD : _HELD + players].tolist())
        return self._finish(seen, lead, states, number)

    def _finish(self, seen: WatchedRound, lead: _Lead, states: Any, number: int) -> WatchedRound:
        """Complete what was seen after the last move."""
        winner, players = int(states["winner"][0]), self._players
        seen.overtakings = lead.changes
        if winner >= 0:
            points = np.zeros(MAX_SEATS, np.int64)
            exports.count_points(states, 0, points)
            seen.winner = (winner - number) % players
            seen.points = int(points[:players] @ point_shares(self._rules, players)[winner].sum(axis=1))
            seen.is_comeback = lead.behind.get(winner, 0) >= _COMEBACK_CARDS
            seen.is_one_sided = lead.leaders <= {winner}
        return seen

    def _resolve_calls(self, states: Any, forgetful: int, dice: Random, seen: WatchedRound) -> int:
        """Let each seat that owes a call make it, or forget it and perhaps be caught; returns the seats that forgot."""
        exposed = int(states["exposed"][0])
        forgetful &= exposed
        for seat in range(self._players):
            if not exposed >> seat & 1:
                continue
            if not forgetful >> seat & 1 and dice.random() >= self._forgotten:
                exports.apply_action(states, 0, seat, action_codes.UNO | action_codes.NO_ARG_BITS)
                continue
            forgetful |= 1 << seat
            for other in range(self._players):
                if other != seat and dice.random() < self._noticed:
                    exports.apply_action(states, 0, other, action_codes.CATCH | seat << action_codes.ARG_SHIFT)
                    seen.drawn += _count_draws(states)
                    break
        return forgetful

    def _call_hastily(self, states: Any, words: memoryview, dice: Random, seen: WatchedRound) -> None:
        """Let players call, and catch the next seat, without need; the rules may refuse it."""
        for seat in range(self._players):
            eager = _EARLY_CALLS if words[_HELD + seat] == 2 else 1
            target = (seat + 1) % self._players
            for chance, action in (
                (self._hasty * eager, action_codes.UNO | action_codes.NO_ARG_BITS),
                (self._hasty, action_codes.CATCH | target << action_codes.ARG_SHIFT),
            ):
                if dice.random() < chance and exports.apply_action(states, 0, seat, action) == refusal_reasons.OK:
                    seen.drawn += _count_draws(states)

    def _jump_in(self, states: Any, words: memoryview) -> bool:
        """Let the first other seat that can jump in do so; returns whether one did."""
        turn = words[_TURN]
        for step in range(1, self._players):
            seat = (turn + step) % self._players
            for action in self._out[: exports.list_actions(states, 0, seat, self._out)].tolist():
                if action & 0xFF < CARD_SLOTS:
                    exports.apply_action(states, 0, seat, action)
                    return True
        return False


def _count_draws(states: Any) -> int:
    """The cards drawn in the last move, or with the deal."""
    log = states["event_log"][0, : states["event_log_n"][0]]
    return int(np.count_nonzero(log & 0xFF == event_codes.DREW))


class _Lead:
    """Who has the fewest cards, while somebody has few; the same count as that of ``ai/rounds.watch_rounds``."""

    def __init__(self, few: int) -> None:
        self._few, self._leader = few, -1
        self.changes = 0
        self.leaders: set[int] = set()
        self.behind: dict[int, int] = {}
        """By seat, the most cards that it ever had more than the leader."""

    def follow(self, held: list[int]) -> None:
        """Note the hand sizes after a move."""
        fewest = min(held)
        if fewest > self._few:
            return
        for seat, cards in enumerate(held):
            self.behind[seat] = max(self.behind.get(seat, 0), cards - fewest)
        if held.count(fewest) == 1:
            leader = held.index(fewest)
            self.changes += self._leader not in (-1, leader)
            self._leader = leader
            self.leaders.add(leader)
