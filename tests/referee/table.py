"""The table: hands, piles, who is on turn, drawing and reshuffling, the end of a round and its points."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence
from typing import Protocol

from lastcard.game.cards import COLORS, WILD, card_color, card_points
from lastcard.game.options import RuleOptions

RuleProgram = str
"""A rule card as text (LC-51)."""

BUILTIN: tuple[RuleProgram, ...] = (
    "discard until 2",
    "streak",
    "draw until 7",
    "wilds",
    "take 2 most",
    "dare: chicken noises",
    "dare: hug",
    "dare: high five with feet",
)
"""R1-R8 (WJ-50)."""

CALL_PHASES = ("play", "drawn", "challenge", "stack")
"""LC-4: where UNO calls and catches are possible."""

AgendaStep = tuple[str | int, ...]


class Chance(Protocol):
    """All chance at the table; the referee has none of its own."""

    def reshuffle(self, cards: list[int], index: int) -> list[int]:
        """The new draw pile, next card first, from the recycled discards (oldest first)."""

    def lever(self) -> str:
        """The next outcome: choose, right, left, all, discard or draw4."""

    def rule_stack(self, cards: list[int], index: int) -> list[int]:
        """The dispenser, next first, from the used rule cards in the order used."""

    def blind(self, count: int) -> int:
        """Which of ``count`` sorted cards is taken blind."""

    def redraw(self, pile: list[int]) -> int:
        """Which card of the pile is turned over after a first card went back to its end."""


class Table:
    """The cards and the seats, and what happens to them without anybody's choice."""

    def __init__(
        self,
        game: str,
        options: RuleOptions,
        hands: Sequence[Iterable[int]],
        discard: Iterable[int],
        draw: Iterable[int],
        *,
        turn: int = 0,
        direction: int = 1,
        dealer: int | None = None,
        color: int = -1,
        called: Iterable[int] = (),
        rule_cards: Sequence[RuleProgram] | None = None,
        dispenser: Iterable[int] = (),
        chance: Chance,
    ) -> None:
        self.game = game
        self.options = options
        self.chance = chance
        self.hands = [sorted(hand) for hand in hands]
        self.players = len(self.hands)
        self.draw = list(draw)
        self.discard = list(discard)
        self.top = self.discard[-1]
        self.top_on_pile = True  # False after a reshuffle that took the top too (LC-10 keep_none)
        self.color = card_color(self.top) if card_color(self.top) in COLORS else color
        self.turn = turn
        self.direction = direction
        self.dealer = (turn - direction) % self.players if dealer is None else dealer
        self.decision = "play"
        self.winner: int | None = None
        self.void = False

        self.called = set(called)  # seats whose one-card hand has been called
        self.windows: set[int] = set()  # seats that owe a call and may be caught
        self.early: set[int] = set()  # seats that called on two cards (CO-11 a)
        self.spoken: set[int] = set()  # seats that called with a play not yet resolved (LC-5)
        self.touched: set[int] = set()  # seats whose hand changed since duties were last judged

        self.drawn: int | None = None  # the card in question while the decision is "drawn"
        self.total = 0  # cards pending while the decision is "challenge" or "stack"
        self.last_draw = 0  # the last draw card of the chain (LC-40)
        self.suspect = 0  # who laid the Wild Draw Four in question
        self.suspect_color = -1  # the color in force before it
        self.suspect_guilty = False  # judged on the hand at play

        self.rule_cards = list(BUILTIN if rule_cards is None else rule_cards)
        self.dispenser = list(dispenser)
        self.used: list[int] = []
        self.agenda: list[AgendaStep] = []  # what a lever, a rule card or an opening card still has to do
        self.puller = 0
        self.origin = 0  # the seat "next" is counted from: the puller, at the opening the dealer (LC-53, LC-56)
        self.extra_pulls = 0  # LC-27
        self.color_stays = False  # LC-29
        self.thrown: set[int] = set()  # colors thrown off with this pull
        self.marked: set[int] = set()  # WJ-43
        self.candidates: list[int] = []  # seats that may be named in "choose" and "take"
        self.follow: AgendaStep = ()  # what is done with the seat named

        self.reshuffles = 0
        self.stackings = 0
        self.passes = 0  # forced passes in succession (LC-3)
        self.circles = 0  # turns in succession on which the card just drawn was laid (LC-8)
        self.short = False  # LC-11: the round ends when this act is finished

    # --- seats ----------------------------------------------------------------------------------

    @property
    def all_wild(self) -> bool:
        """Whether this is All Wild."""
        return self.game == "all-wild"

    def step(self, seat: int, count: int = 1) -> int:
        """The seat ``count`` places on in the direction of play."""
        return (seat + count * self.direction) % self.players

    def others(self, seat: int) -> list[int]:
        """Every seat but this one."""
        return [s for s in range(self.players) if s != seat]

    # --- hands ----------------------------------------------------------------------------------

    def touch(self, seat: int) -> None:
        """Note that a hand has changed: calls and windows of the old hand are gone (CO-15, CO-19).

        An early call of the hand under ``any_time`` is used up too (LC-17); who plays has taken his up before.
        """
        self.touched.add(seat)
        self.called.discard(seat)
        self.windows.discard(seat)
        self.passes = 0
        if self.options.uno_early_call == "any_time":
            self.early.discard(seat)

    def swap_hands(self, a: int, b: int) -> None:
        """Exchange two complete hands."""
        self.hands[a], self.hands[b] = self.hands[b], self.hands[a]
        self.touch(a)
        self.touch(b)

    def pass_hands(self) -> None:
        """Everybody hands his cards to the neighbor in the direction of play (6.3)."""
        old = self.hands[:]
        for seat, hand in enumerate(old):
            self.hands[self.step(seat)] = hand
        for seat in range(self.players):
            self.touch(seat)

    def lay(self, seat: int, card: int, color: int | None) -> None:
        """A card goes from a hand onto the discard pile; wilds take the color named, if any."""
        self.hands[seat].remove(card)
        self.discard.append(card)
        self.top = card
        self.top_on_pile = True
        self.color = card_color(card)
        if self.color == WILD:
            self.color = -1 if color is None or self.all_wild else color
        self.touch(seat)

    def bury(self, seat: int, card: int) -> None:
        """A card goes directly under the top discard (R1)."""
        self.hands[seat].remove(card)
        self.discard.insert(len(self.discard) - 1 if self.top_on_pile else len(self.discard), card)
        self.touch(seat)

    def move_blind(self, giver: int, taker: int, count: int) -> None:
        """Cards change hands unseen, as many as there are (LC-52)."""
        for _ in range(count):
            hand = self.hands[giver]
            if not hand:
                return
            insort(self.hands[taker], hand.pop(self.chance.blind(len(hand))))
            self.touch(giver)
            self.touch(taker)

    # --- drawing --------------------------------------------------------------------------------

    def recyclable(self) -> list[int]:
        """The discards that a reshuffle would take, oldest first (CO-30, LC-10)."""
        if self.options.reshuffle == "keep_none" or not self.top_on_pile:
            return self.discard[:]
        return self.discard[:-1]

    def can_draw(self) -> bool:
        """Whether any card exists that could be drawn."""
        return bool(self.draw or self.recyclable())

    def recycle(self) -> None:
        """The discards become the draw pile, if there are any."""
        cards = self.recyclable()
        if not cards:
            return
        self.discard = self.discard[len(cards) :]
        self.top_on_pile = bool(self.discard)
        self.draw = list(self.chance.reshuffle(cards, self.reshuffles))
        self.reshuffles += 1

    def draw_one(self, seat: int) -> int | None:
        """One card into a hand; None where there is none."""
        if not self.draw:
            self.recycle()
        if not self.draw:
            return None
        card = self.draw.pop(0)
        if not self.draw and self.options.reshuffle == "eager":
            self.recycle()
        insort(self.hands[seat], card)
        self.touch(seat)
        return card

    def must_draw(self, seat: int, count: int, last_card: bool = False) -> None:
        """A draw that must be made: as many as exist (CO-33, LC-11)."""
        for _ in range(count):
            if self.draw_one(seat) is None:
                self.short = self.short or (self.options.short_draw == "end_round" and not last_card)
                return

    # --- the end --------------------------------------------------------------------------------

    def win(self, seat: int) -> None:
        """The round is over and somebody has won it."""
        self.winner = seat
        self.close()

    def end_dead(self) -> None:
        """The round is over because nothing is left to be done (CO-35, LC-11, LC-12)."""
        points = self.points()
        lowest = [s for s in range(self.players) if points[s] == min(points)]
        if self.options.deadlock == "lowest_hand_wins" and len(lowest) == 1:
            self.win(lowest[0])
        else:
            self.void = True
            self.close()

    def close(self) -> None:
        """Nothing can be done any more."""
        self.decision = "over"
        self.agenda.clear()
        self.windows.clear()

    def points(self) -> list[int]:
        """What every seat holds, in points."""
        return [sum(card_points(card, self.all_wild) for card in hand) for hand in self.hands]

    def round_scores(self) -> list[int]:
        """What this round adds to the score of every seat."""
        points, winner = self.points(), self.winner
        if winner is None:
            return [0] * self.players
        if self.options.scoring == "tally":
            return [0 if s == winner else p for s, p in enumerate(points)]
        if self.options.team_play:  # 6.8, LC-46: both opponents' cards, to both partners
            team = (winner, (winner + 2) % 4)
            gain = sum(p for s, p in enumerate(points) if s not in team)
            return [gain if s in team else 0 for s in range(self.players)]
        gain = sum(p for s, p in enumerate(points) if s != winner)
        return [gain if s == winner else 0 for s in range(self.players)]
