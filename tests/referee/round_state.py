"""The table: hands, piles, turns, duties to call UNO, drawing and reshuffling, the end of a round and its points."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from dataclasses import dataclass, field
from typing import Protocol

from lastcard.game.cards import COLORS, WILD, card_color, card_points
from lastcard.game.options import RuleOptions
from lastcard.game.rulesets import Ruleset

BUILTIN = (
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
    """The source of all chance; the referee has none of its own."""

    def reshuffle(self, cards: list[int], index: int) -> list[int]:
        """The new draw pile, next card first, from the recycled discards (oldest first)."""

    def lever(self) -> str:
        """The next outcome: choose, right, left, all, discard or draw4."""

    def rule_stack(self, cards: list[str], index: int) -> list[str]:
        """The dispenser, next first, from the used rule cards in the order used."""

    def blind(self, count: int) -> int:
        """The index of the card that is taken blind from ``count`` sorted cards."""

    def redraw(self, pile: list[int]) -> int:
        """The index of the card of the pile that is turned over after a first card went back to its end."""


@dataclass
class RoundState:
    """A round in play: its whole state, and changes that need no player's choice."""

    rules: Ruleset
    hands: list[list[int]]
    discard: list[int]  # oldest first
    draw: list[int]  # next first
    chance: Chance
    turn: int = 0
    direction: int = 1
    dealer: int = -1  # without one given: the seat before the one on turn
    color: int = -1  # in force; of a colored top card that card's
    decision: str = "play"
    winner: int | None = None
    void: bool = False
    top_on_pile: bool = True  # False after a reshuffle that took the top too (LC-10 keep_none)

    called: set[int] = field(default_factory=set)  # seats whose one-card hand has been called
    windows: set[int] = field(default_factory=set)  # seats that owe a call and may be caught
    caught: set[int] = field(default_factory=set)  # seats caught while their window would still be open (LC-18)
    early: set[int] = field(default_factory=set)  # seats that called on two cards (CO-11 a)
    called_with_play: set[int] = field(default_factory=set)  # seats that called with a play not yet resolved (LC-5)
    doubtful: set[int] = field(default_factory=set)  # seats whose call with a play may have been false (LC-18)
    changed_hands: set[int] = field(default_factory=set)  # seats whose hand changed since duties were last checked

    drawn_cards: dict[int, Counter[int]] = field(default_factory=dict)  # not to be played yet, by seat (CO-8, LC-9)
    drawn: int | None = None  # the card in question while the decision is "drawn"
    total: int = 0  # cards pending while the decision is "challenge" or "stack"
    last_draw: int = 0  # the last draw card of the chain (LC-40)
    challenged_seat: int = 0  # the seat that laid the challenged Wild Draw Four
    color_before: int = -1  # the current color before it
    is_bluff: bool = False  # by the hand at the play

    dispenser: list[str] = field(default_factory=list)  # rule cards as text (LC-51), next first
    used: list[str] = field(default_factory=list)  # in the order used
    agenda: list[AgendaStep] = field(default_factory=list)  # remaining steps of a lever, rule card or opening card
    puller: int = 0
    origin: int = 0  # the seat "next" is counted from: the puller, at the opening the dealer (LC-53, LC-56)
    extra_pulls: int = 0  # LC-27
    color_stays: bool = False  # LC-29
    discarded_colors: set[int] = field(default_factory=set)  # colors discarded with this pull
    skipped_seats: set[int] = field(default_factory=set)  # WJ-43
    candidates: list[int] = field(default_factory=list)  # seats that may be named in "choose" and "take"
    follow: AgendaStep = ()  # the step for the named seat

    reshuffles: int = 0
    dispenser_refills: int = 0
    passes: int = 0  # forced passes in succession (LC-3)
    stalled_turns: int = 0  # turns in succession on which the card just drawn was laid (LC-8)
    supply_exhausted: bool = False  # LC-11: the round ends after this move

    def __post_init__(self) -> None:
        self.hands = [sorted(hand) for hand in self.hands]
        self.top = self.discard[-1]
        if card_color(self.top) in COLORS:
            self.color = card_color(self.top)
        if self.dealer < 0:
            self.dealer = (self.turn - self.direction) % self.players

    # --- seats ----------------------------------------------------------------------------------

    @property
    def options(self) -> RuleOptions:
        """The options of the round."""
        return self.rules.options

    @property
    def all_wild(self) -> bool:
        """Whether this is All Wild."""
        return self.rules.game == "all-wild"

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.hands)

    def seat_after(self, seat: int, count: int = 1) -> int:
        """The seat that is ``count`` places further in the direction of play."""
        return (seat + count * self.direction) % self.players

    def after_draw(self, victim: int) -> int:
        """The seat on turn after a seat has drawn for a card (CL-23, AW-19, LC-47)."""
        return victim if self.options.draw_keeps_turn else self.seat_after(victim)

    def others(self, seat: int) -> list[int]:
        """Every seat but this one."""
        return [s for s in range(self.players) if s != seat]

    # --- hands ----------------------------------------------------------------------------------

    def record_hand_change(self, seat: int) -> None:
        """Record that a hand has changed: calls and windows of the old hand are gone (CO-15, CO-19).

        An early call of the hand under ``any_time`` is used up, too (LC-17); a seat that plays has taken up its own.
        """
        self.changed_hands.add(seat)
        self.called.discard(seat)
        self.windows.discard(seat)
        self.passes = 0
        if self.options.uno_early_call == "any_time":
            self.early.discard(seat)

    def swap_hands(self, a: int, b: int) -> None:
        """Exchange two complete hands."""
        self.hands[a], self.hands[b] = self.hands[b], self.hands[a]
        for seat in (a, b):
            self.record_hand_change(seat)
            self.drawn_cards.pop(seat, None)

    def pass_hands(self) -> None:
        """Everybody hands their cards to the neighbor in the direction of play (6.3)."""
        old = self.hands[:]
        for seat, hand in enumerate(old):
            self.hands[self.seat_after(seat)] = hand
        for seat in range(self.players):
            self.record_hand_change(seat)
        self.drawn_cards.clear()

    def remove(self, seat: int, card: int) -> None:
        """Remove a card from a hand: of equal cards one that may be played (LC-9)."""
        self.hands[seat].remove(card)
        self.record_hand_change(seat)
        if seat in self.drawn_cards:
            mine = self.drawn_cards[seat]
            mine[card] = min(mine[card], self.hands[seat].count(card))

    def must_wait(self, seat: int, card: int) -> bool:
        """Whether all cards of a kind were drawn since the seat's last turn, other than by its own draw (CO-8)."""
        return seat in self.drawn_cards and self.drawn_cards[seat][card] >= self.hands[seat].count(card)

    def lay_card(self, seat: int, card: int, color: int | None) -> None:
        """Move a card from a hand onto the discard pile; wilds take the named color, if any."""
        self.remove(seat, card)
        self.discard.append(card)
        self.top = card
        self.top_on_pile = True
        self.color = card_color(card)
        if self.color == WILD:
            self.color = -1 if color is None or self.all_wild else color

    def bury(self, seat: int, card: int) -> None:
        """Put a card directly under the top discard (R1)."""
        self.remove(seat, card)
        self.discard.insert(len(self.discard) - 1 if self.top_on_pile else len(self.discard), card)

    def move_blind(self, giver: int, taker: int, count: int) -> None:
        """Move cards between hands unseen, as many as there are (LC-52)."""
        for _ in range(count):
            hand = self.hands[giver]
            if not hand:
                return
            card = hand[self.chance.blind(len(hand))]
            self.remove(giver, card)
            insort(self.hands[taker], card)
            self.record_hand_change(taker)

    # --- drawing --------------------------------------------------------------------------------

    def recyclable(self, works: bool = False) -> list[int]:
        """The discards that a reshuffle would take, oldest first (CO-30, LC-10).

        The top card ``works`` if it makes a player draw, or may still do so.
        """
        if not self.top_on_pile or (self.options.reshuffle == "keep_none" and not works):
            return self.discard[:]
        return self.discard[:-1]

    def can_draw(self) -> bool:
        """Whether any card exists that could be drawn."""
        return bool(self.draw or self.recyclable())

    def recycle(self, works: bool) -> None:
        """Turn the discards into the draw pile, if there are any."""
        cards = self.recyclable(works)
        if not cards:
            return
        self.discard = self.discard[len(cards) :]
        self.top_on_pile = bool(self.discard)
        self.draw = list(self.chance.reshuffle(cards, self.reshuffles))
        self.reshuffles += 1

    def draw_one(self, seat: int, works: bool = False) -> int | None:
        """Draw one card into a hand; None if there is none."""
        if not self.draw:
            self.recycle(works)
        if not self.draw:
            return None
        card = self.draw.pop(0)
        if not self.draw and self.options.reshuffle == "eager":
            self.recycle(works)
        insort(self.hands[seat], card)
        self.record_hand_change(seat)
        return card

    def must_draw(self, seat: int, count: int, last_card: bool = False, penalty: bool = False) -> None:
        """Make a forced draw: as many as exist (CO-33, LC-11); the cards may not be played yet (CO-8)."""
        works = not penalty or self.decision in ("challenge", "stack")
        for _ in range(count):
            card = self.draw_one(seat, works)
            if card is None:
                self.supply_exhausted = self.supply_exhausted or (
                    self.options.short_draw == "end_round" and not last_card
                )
                return
            self.drawn_cards.setdefault(seat, Counter())[card] += 1

    # --- turns and duties ------------------------------------------------------------------------

    def begin_turn(self, seat: int) -> None:
        """Begin a seat's turn: windows close (CO-15, CO-16, LC-16)."""
        if self.options.uno_window == "until_own_next_turn":
            self.windows.discard(seat)
            self.caught.discard(seat)
        else:
            self.windows.clear()
            self.caught.clear()

    def wait_for(self, seat: int, decision: str) -> None:
        """Wait for a seat; when an action is resolved, duties are checked (CO-10)."""
        self.turn = seat
        self.decision = decision
        if decision in CALL_PHASES:
            self.judge_calls()

    def pass_turn(self, seat: int, actor: int | None, decision: str = "play") -> None:
        """Pass the turn to a seat; ``actor`` is the seat that had the turn, if one had (CO-7)."""
        self.drawn = None
        self.drawn_cards.pop(seat, None)
        if self.options.uno_early_call != "any_time":
            self.early.clear()  # LC-5
        elif actor is not None:
            self.early.discard(actor)  # LC-17
        self.wait_for(seat, decision)

    def judge_calls(self) -> None:
        """A seat that has just come to one card owes a call, unless it called with the play (CO-10, LC-5)."""
        for seat in sorted(self.doubtful):
            if len(self.hands[seat]) != 1 and self.options.false_uno_penalty != "none":
                self.must_draw(seat, 2, penalty=True)  # LC-18
        self.doubtful.clear()
        for seat in self.changed_hands:
            if len(self.hands[seat]) != 1:
                continue
            if seat in self.called_with_play or self.options.uno_window == "automatic_call":
                self.called.add(seat)
            elif self.options.uno_window != "no_penalty":
                self.windows.add(seat)
        self.changed_hands.clear()
        self.called_with_play.clear()

    def take_up_call(self, seat: int, aloud: bool) -> None:
        """Use an earlier call for an own play, or one that was made with it (CO-11 b, CO-12)."""
        if aloud or seat in self.early:
            self.called_with_play.add(seat)
        if aloud and len(self.hands[seat]) != 2:
            self.doubtful.add(seat)
        self.early.discard(seat)

    @property
    def exposed(self) -> set[int]:
        """The seats that can be caught at this moment (LC-4)."""
        return set(self.windows) if self.decision in CALL_PHASES else set()

    def call_kind(self, seat: int) -> str:
        """The kind of a call now: ``one`` card held, ``early`` on two, or ``false`` (CO-11, CO-13)."""
        cards, how = len(self.hands[seat]), self.options.uno_early_call
        if cards == 1:
            return "one"
        if cards == 2 and how == "any_time":
            return "early"
        own_turn = seat == self.turn and self.decision in ("play", "drawn", "stack")
        if cards == 2 and how == "own_turn_two_cards" and own_turn:
            return "early"
        return "false"

    # --- the end --------------------------------------------------------------------------------

    def end_if_exhausted(self) -> None:
        """End the round after a move if a draw fell short (LC-11)."""
        if self.supply_exhausted and self.decision != "over":
            self.end_deadlocked()

    def end_won(self, seat: int) -> None:
        """End the round with a winner."""
        self.winner = seat
        self.close()

    def end_deadlocked(self) -> None:
        """End the round because no move is left (CO-35, LC-11, LC-12)."""
        points = self.points()
        lowest = [s for s in range(self.players) if points[s] == min(points)]
        if self.options.deadlock == "lowest_hand_wins" and len(lowest) == 1:
            self.end_won(lowest[0])
        else:
            self.void = True
            self.close()

    def close(self) -> None:
        """Refuse all further moves."""
        self.decision = "over"
        self.agenda.clear()
        self.windows.clear()

    def points(self) -> list[int]:
        """The points of every seat's hand."""
        return [sum(card_points(card, self.all_wild) for card in hand) for hand in self.hands]

    def round_scores(self) -> list[int]:
        """The points that this round adds to the score of every seat."""
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
