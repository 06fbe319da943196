"""Bots at a table: their next moves, at the speed of people."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from lastcard.bots.base import Bot
from lastcard.bots.personas import Persona, find_persona
from lastcard.bots.registry import level_of, make_bot
from lastcard.bots.search import SearchBot
from lastcard.game.cards import is_wild
from lastcard.game.moves import Move
from lastcard.match.round import Round
from lastcard.session.turn_clock import TurnClock
from lastcard.session.tutor import Tutor
from lastcard.session.uno_race import UnoRace

THINK_S: Final = (0.9, 1.9)
QUESTION_S: Final = 0.5
"""Extra seconds for anything but a play: a challenge, a color, a lever."""
FEW_CARDS: Final = 2
CALL_S: Final = (0.6, 1.4)
CATCH_S: Final = (0.6, 1.5)
"""Seconds after the grace, so that no bot snipes."""
JUMP_IN_S: Final = (0.6, 1.4)
READ_S: Final = 0.6
"""Extra seconds in a lesson, for reading."""
PAUSE_S: Final = 0.7
"""Seconds between an event and a bot's play."""
FALLBACK_LEVEL: Final = "sharp"
"""The level of a bot that decides if a search has failed or is late."""


class Thought(Protocol):
    """The choice of a searching bot, which may take a while."""

    def done(self) -> bool:
        """Return whether the choice is there."""

    def result(self) -> Move | None:
        """Return the move; None if the bot wants none."""


class Thinker(Protocol):
    """Thinks for searching bots, while the table goes on."""

    def choice(self, round_: Round, ply: int, seat: int, level: str) -> Thought:
        """Return the choice of the bot on turn; start the search if necessary."""

    def reaction(self, round_: Round, ply: int, seat: int, level: str) -> Move | None:
        """Return a bot's move out of turn; None if it wants none or has not finished."""

    def forget(self) -> None:
        """Drop all thoughts, because the table has moved on."""


def is_search_level(level: str) -> bool:
    """Return whether bots of a level search, which takes a while."""
    return level_of(level).bot == SearchBot.name


@dataclass(frozen=True, slots=True)
class BotPlan:
    """The next move of a bot.

    Args:
        when: table time in seconds.
        move: a reaction; None if the bot chooses when the time comes.
        ply: number of moves in the log before it; the plan is invalid at any other ply.
        level: level of the bot with its style (``name_bot``).
    """

    when: float
    seat: int
    move: Move | None
    ply: int
    level: str
    thought: Thought | None = None

    @property
    def is_late(self) -> bool:
        """Return whether the time has come before the thought is ready."""
        return self.thought is not None and not self.thought.done()


class TableBots:
    """All bots of a match; in a lesson the tutor has their moves, and they do not react out of turn."""

    def __init__(self, seed: bytes, names: Sequence[str], thinker: Thinker, tutor: Tutor | None = None) -> None:
        self._seed = seed
        self._tutor = tutor
        self._personas: tuple[Persona, ...] = tuple(map(find_persona, names))
        self._bots: dict[tuple[int, str], Bot] = {}
        self._reaction_ply = -1
        self._known_reactions: dict[tuple[int, str], Move | None] = {}
        """Reactions at that ply, because bots are asked again after every change of the table."""
        self._delay_seed = hashlib.sha256(b"haste" + seed).digest()
        self._thinker = thinker

    def bot(self, seat: int, level: str) -> Bot:
        """Return the bot of a level in a seat."""
        key = seat, level
        if key not in self._bots:
            self._bots[key] = make_bot(level, self._seed, seat)
        return self._bots[key]

    def plan(
        self, round_: Round, ply: int, levels: Mapping[int, str], race: UnoRace, clock: TurnClock, now: float
    ) -> BotPlan | None:
        """Return the next plan of any active bot, unless something else happens first."""
        if not levels or round_.over:
            return None
        plans = [] if self._tutor else self._reactions(round_, ply, levels, race, clock)
        if round_.turn in levels:
            level = levels[round_.turn]
            thought = self._thinker.choice(round_, ply, round_.turn, level) if is_search_level(level) else None
            thinks = self._thinking_time(round_, ply, level) + (READ_S if self._tutor else 0)
            when = max(clock.since + thinks * clock.pace.bots, now + PAUSE_S)
            if race.since:  # its play closes the window (CO-15): calls and catches come first
                when = max(when, max(race.since.values()) + race.grace + PAUSE_S)
            own = next((plan for plan in plans if plan.seat == round_.turn), None)
            if own is not None and own.move is not None and own.move.verb == "catch":
                when = max(when, own.when + PAUSE_S)
            plans.append(BotPlan(when, round_.turn, None, ply, level, thought))
        return min(plans, key=lambda plan: plan.when, default=None)

    def move(self, plan: BotPlan, round_: Round) -> Move:
        """Return the move of a plan whose time has come."""
        move, level = plan.move, plan.level
        if self._tutor is not None:
            move = self._tutor.bot_move(plan.seat, round_)
        if plan.is_late:
            level = FALLBACK_LEVEL
        elif move is None and plan.thought is not None:  # a script precedes a thought
            move = plan.thought.result()
        return move or self.bot(plan.seat, level).choose(round_.view(plan.seat))

    def _reactions(
        self, round_: Round, ply: int, levels: Mapping[int, str], race: UnoRace, clock: TurnClock
    ) -> list[BotPlan]:
        """Return the bots' plans out of turn: calls, catches, jump-ins."""
        if not race.since and not round_.rules.options.jump_in:
            return []
        plans = []
        for seat, level in levels.items():
            if is_search_level(level):
                move = self._thinker.reaction(round_, ply, seat, level)
            else:
                move = self._reaction(round_, ply, seat, level)
            if move is not None:
                plans.append(BotPlan(self._reaction_time(seat, ply, move, level, race, clock), seat, move, ply, level))
        return plans

    def _reaction(self, round_: Round, ply: int, seat: int, level: str) -> Move | None:
        """Return a bot's move out of turn, which depends only on its view; None if it wants none."""
        if ply != self._reaction_ply:
            self._reaction_ply = ply
            self._known_reactions.clear()
        key = seat, level
        if key not in self._known_reactions:
            self._known_reactions[key] = self.bot(seat, level).react(round_.view(seat))
        return self._known_reactions[key]

    def _reaction_time(self, seat: int, ply: int, move: Move, level: str, race: UnoRace, clock: TurnClock) -> float:
        pace = self._tempo(seat, level)
        if move.verb == "uno":
            return race.since.get(seat, clock.since) + pace * self._random_between(CALL_S, ply, seat)
        if move.verb == "catch" and move.target is not None:
            return (
                race.since.get(move.target, clock.since)
                + race.grace
                + max(CATCH_S[0], pace * self._random_between(CATCH_S, ply, seat))
            )
        return clock.since + pace * self._random_between(JUMP_IN_S, ply, seat)

    def _tempo(self, seat: int, level: str) -> float:
        return level_of(level).behavior.pace * self._personas[seat].tempo

    def _random_between(self, bounds: tuple[float, float], ply: int, seat: int) -> float:
        """Return a number between bounds, always the same for a ply and seat. A sequence of draws would reveal how
        many bots had something to do.
        """
        digest = hashlib.sha256(self._delay_seed + f"{ply} {seat} {bounds}".encode()).digest()
        share = int.from_bytes(digest[:6], "big") / (1 << 48)
        return bounds[0] + share * (bounds[1] - bounds[0])

    def _thinking_time(self, round_: Round, ply: int, level: str) -> float:
        """Return the thinking time in seconds. Only public facts count, so it reveals nothing about the hand."""
        seat, public_state = round_.turn, round_.public_state()
        persona = self._personas[seat]
        seconds = self._random_between(THINK_S, ply, seat)
        if public_state.decision != "play":
            seconds += QUESTION_S
        if is_wild(public_state.top):
            seconds += persona.wilds
        if any(count <= FEW_CARDS for other, count in enumerate(public_state.counts) if other != seat):
            seconds += persona.danger
        return self._tempo(seat, level) * seconds
