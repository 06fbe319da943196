"""Bots at a table: what they will do next, and when, as slowly as people."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from lastcard.bots.base import Bot
from lastcard.bots.registry import level_of, make_bot
from lastcard.bots.regulars import Regular, regular
from lastcard.game.actions import Move
from lastcard.game.cards import is_wild
from lastcard.match.round import Round
from lastcard.server.game.clock import TurnClock
from lastcard.server.game.thinking import PLAIN, Thought, Thoughts, searches
from lastcard.server.game.uno_race import UnoRace
from lastcard.server.guard import metrics

THINK: Final = (0.9, 1.9)
QUESTION: Final = 0.5
"""Seconds more for anything but a play: a challenge, a color, a lever."""
NEARLY_OUT: Final = 2
CALL: Final = (0.6, 1.4)
CATCH: Final = (0.6, 1.5)
"""After the grace: no bot snipes."""
JUMP: Final = (0.6, 1.4)
READ: Final = 0.6
"""Seconds more in a lesson, where there are words to read."""
PAUSE: Final = 0.7
"""Between whatever happens and a bot's play."""
_LOG: Final = structlog.get_logger()

Script = Callable[[int, Round], Move | None]


@dataclass(frozen=True, slots=True)
class BotPlan:
    """What a bot is going to do.

    Args:
        when: in table time.
        seat: which bot.
        move: a reaction; None where it will choose when the time comes.
        ply: the move in the log it comes after; a later table has another plan.
        level: of the bot, with its style (``name_bot``).
        thought: what a bot that searches will choose.
    """

    when: float
    seat: int
    move: Move | None
    ply: int
    level: str
    thought: Thought | None = None

    @property
    def is_late(self) -> bool:
        """Whether the time has come before the thought."""
        return self.thought is not None and not self.thought.done()


class TableBots:
    """All bots of a match.

    Args:
        seed: of the match.
        names: who sits where.
        changed: called when a plan made before may not be the next one any more.
        script: in a lesson, what the bot in a seat does next, as far as it is laid down; nobody acts out of turn.
    """

    def __init__(
        self, seed: bytes, names: Sequence[str], changed: Callable[[], None], script: Script | None = None
    ) -> None:
        self._seed = seed
        self._script = script
        self._regulars: tuple[Regular, ...] = tuple(map(regular, names))
        self._bots: dict[tuple[int, str], Bot] = {}
        self._haste = hashlib.sha256(b"haste" + seed).digest()
        self.thoughts = Thoughts(seed, changed)

    def bot(self, seat: int, level: str) -> Bot:
        """The bot of a level in a seat."""
        key = seat, level
        if key not in self._bots:
            self._bots[key] = make_bot(level, self._seed, seat)
        return self._bots[key]

    def plan(
        self, table: Round, ply: int, levels: Mapping[int, str], race: UnoRace, clock: TurnClock, now: float
    ) -> BotPlan | None:
        """What some bot does next unless something else happens first.

        Args:
            table: the round as it stands.
            ply: how many moves there were.
            levels: of the bots that play now, by seat, each with its style (``name_bot``).
            race: who can be caught since when.
            clock: when the seat on turn began to think.
            now: table time.
        """
        if not levels or table.over:
            return None
        plans = [] if self._script else self._reactions(table, ply, levels, race, clock)
        if table.turn in levels:
            level = levels[table.turn]
            thought = self.thoughts.choice(table, ply, table.turn, level) if searches(level) else None
            thinks = self._thinking(table, ply, level) + (READ if self._script else 0)
            when = max(clock.since + thinks * clock.pace.bots, now + PAUSE)
            if race.since:  # its play closes the window (CO-15): calls and catches come first
                when = max(when, max(race.since.values()) + race.grace + PAUSE)
            own = next((plan for plan in plans if plan.seat == table.turn), None)
            if own is not None and own.move is not None and own.move.verb == "catch":
                when = max(when, own.when + PAUSE)
            plans.append(BotPlan(when, table.turn, None, ply, level, thought))
        return min(plans, key=lambda plan: plan.when, default=None)

    def move(self, plan: BotPlan, table: Round) -> Move:
        """The move of a plan whose time has come."""
        move, level = plan.move, plan.level
        if self._script is not None:
            move = self._script(plan.seat, table)
        if plan.is_late:
            metrics.LATE.inc()
            _LOG.warning("bot too slow", bot=level)
            level = PLAIN
        elif move is None and plan.thought is not None:  # a script goes before what a bot thinks
            move = plan.thought.result()
        return move or self.bot(plan.seat, level).choose(table.view(plan.seat))

    def _reactions(
        self, table: Round, ply: int, levels: Mapping[int, str], race: UnoRace, clock: TurnClock
    ) -> list[BotPlan]:
        """What bots do out of turn: calls, catches, jump-ins."""
        if not race.since and not table.rules.options.jump_in:
            return []
        plans = []
        for seat, level in levels.items():
            if searches(level):
                move = self.thoughts.reaction(table, ply, seat, level)
            else:
                move = self.bot(seat, level).react(table.view(seat))
            if move is not None:
                plans.append(BotPlan(self._reaction_time(seat, ply, move, level, race, clock), seat, move, ply, level))
        return plans

    def _reaction_time(self, seat: int, ply: int, move: Move, level: str, race: UnoRace, clock: TurnClock) -> float:
        pace = self._tempo(seat, level)
        if move.verb == "uno":
            return race.since.get(seat, clock.since) + pace * self._draw(CALL, ply, seat)
        if move.verb == "catch" and move.target is not None:
            return (
                race.since.get(move.target, clock.since)
                + race.grace
                + max(CATCH[0], pace * self._draw(CATCH, ply, seat))
            )
        return clock.since + pace * self._draw(JUMP, ply, seat)

    def _tempo(self, seat: int, level: str) -> float:
        return level_of(level).manners.pace * self._regulars[seat].tempo

    def _draw(self, bounds: tuple[float, float], ply: int, seat: int) -> float:
        """A number between bounds, the same whenever it is asked for. It is not drawn one after the other: how many
        other bots want something, which their cards decide, would show in all later ones.
        """
        digest = hashlib.sha256(self._haste + f"{ply} {seat} {bounds}".encode()).digest()
        share = int.from_bytes(digest[:6], "big") / (1 << 48)
        return bounds[0] + share * (bounds[1] - bounds[0])

    def _thinking(self, table: Round, ply: int, level: str) -> float:
        """Seconds the one on turn needs. Only from what lies open, and not from its own hand: neither what it holds
        nor how much it may do shows in how long it takes.
        """
        seat, face = table.turn, table.face()
        who = self._regulars[seat]
        seconds = self._draw(THINK, ply, seat)
        if face.decision != "play":
            seconds += QUESTION
        if is_wild(face.top):
            seconds += who.wilds
        if any(count <= NEARLY_OUT for other, count in enumerate(face.counts) if other != seat):
            seconds += who.danger
        return self._tempo(seat, level) * seconds
