"""The lever of Wild Jackpot, rule cards, and opening cards that ask something.

What is still to be done stands on an agenda of steps, worked off in order until a step has to ask
somebody; the answer puts its consequences in front of the rest.
"""

from __future__ import annotations

from lastcard.game.cards import DRAW_TWO, JACKPOT, REVERSE, SKIP, W_DRAW_FOUR, W_JACKPOT, W, card_color, card_face

from .acts import Act
from .legal import Legal
from .table import AgendaStep


class Lever(Legal):
    """Everything that stands on the agenda."""

    def start_agenda(self, puller: int, origin: int, steps: list[AgendaStep]) -> None:
        """Begin with a lever, a rule card or an opening card."""
        self.puller, self.origin = puller, origin
        self.extra_pulls = 0
        self.color_stays = self.top == W_JACKPOT and self.options.wj_discard_colour == "named_colour_stays"
        self.marked.clear()
        self.agenda = steps
        self.run()

    def first(self, *steps: AgendaStep) -> None:
        """Put steps in front of the agenda."""
        self.agenda[:0] = steps

    def run(self) -> None:
        """Work off the agenda until something has to be asked, or the turn goes on, or the round is over."""
        asked = False
        while not asked and self.decision != "over":
            if not self.agenda:
                asked = self.agenda_done()
                continue
            kind, *rest = self.agenda.pop(0)
            asked = getattr(self, f"step_{kind}")(*rest)

    def ask(self, seat: int, decision: str) -> bool:
        """Wait for an answer."""
        self.wait(seat, decision)
        return True

    def agenda_done(self) -> bool:
        """All is resolved: pull again, or win, or pass the turn on (WJ-25, WJ-43, LC-26, LC-27, LC-56)."""
        if not self.hands[self.puller]:
            self.win(self.puller)
            return True
        if self.extra_pulls:
            self.extra_pulls -= 1
            return self.ask(self.puller, "pull")
        seat = self.step(self.origin)
        while seat in self.marked:
            seat = self.step(seat)
        self.marked.clear()
        self.move_on(seat, self.puller)
        return True

    # --- who is struck --------------------------------------------------------------------------

    def next_to_strike(self) -> int:
        """Whom a card thrown off strikes (WJ-43, LC-28)."""
        near = self.step(self.origin)
        if self.options.wj_discard_multi == "successive_players":
            for count in range(1, self.players):
                if self.step(self.origin, count) not in self.marked:
                    return self.step(self.origin, count)
        return near

    def turn_around(self) -> None:
        """A Reverse thrown off or a rule card ``reverse``: with two players it may mark the other one."""
        self.direction = -self.direction
        if self.players == 2 and self.options.two_player_reverse == "skip":
            self.marked.add(self.step(self.origin))

    # --- asking steps and their answers ---------------------------------------------------------

    def step_color(self, seat: int) -> bool:
        """Somebody names the color."""
        return self.ask(seat, "color")

    def step_pull(self, seat: int) -> bool:
        """Somebody pulls the lever."""
        return self.ask(seat, "pull")

    def step_choose(self, seat: int) -> bool:
        """Somebody names the player who gets a rule card, himself included (WJ-8, WJ-40a)."""
        self.candidates = list(range(self.players))
        self.follow = ("performer",)
        return self.ask(seat, "choose")

    def step_throw(self, seat: int) -> bool:
        """The puller may throw off a card, where he still can."""
        return any(self.throwable(seat, card) for card in self.hands[seat]) and self.ask(seat, "throw")

    def name_color(self, color: int) -> None:
        """The answer to ``color``."""
        self.color = color
        self.run()

    def name_seat(self, target: int) -> None:
        """The answer to ``choose`` and ``take``."""
        self.first((*self.follow, target))
        self.run()

    def pull(self, seat: int) -> None:
        """The lever falls (WJ-40)."""
        outcome = self.chance.lever()
        if outcome == "choose":
            self.first(("choose", seat))
        elif outcome == "right":
            self.first(("performer", (seat - 1) % self.players))
        elif outcome == "left":
            self.first(("performer", (seat + 1) % self.players))
        elif outcome == "all":
            self.first(*(("performer", self.step(seat, count)) for count in range(self.players)))
        elif outcome == "discard":
            self.thrown.clear()
            self.first(("throw", seat))
        elif outcome == "draw4":
            self.must_draw(seat, 4)
        else:
            raise ValueError(f"the lever has no outcome {outcome!r}")
        self.run()

    def throw(self, seat: int, card: int) -> None:
        """A card is thrown off and strikes at once (WJ-40e to WJ-45)."""
        color, face = self.color, card_face(card)
        self.lay(seat, card, None)
        self.thrown.add(card_color(card))
        if self.color_stays:
            self.color = color
        if not self.hands[seat]:
            if face == DRAW_TWO and self.options.last_card_draw_counts:
                self.must_draw(self.next_to_strike(), 2, last_card=True)
            self.win(seat)
            return
        if face in (DRAW_TWO, SKIP):
            struck = self.next_to_strike()
            self.marked.add(struck)
            self.must_draw(struck, 2 if face == DRAW_TWO else 0)
        elif face == REVERSE:
            self.turn_around()
        elif face == JACKPOT and self.options.wj_discard_jackpot == "pull":
            self.extra_pulls += 1
        self.first(("throw", seat))
        self.run()

    # --- rule cards -----------------------------------------------------------------------------

    def step_performer(self, seat: int) -> bool:
        """A seat gets a rule card (WJ-46, LC-55) and performs it."""
        if not self.dispenser:
            if not self.used:
                return False
            self.dispenser = list(self.chance.rule_stack(self.used, self.stackings))
            self.stackings += 1
            self.used = []
        index = self.dispenser.pop(0)
        self.used.append(index)
        program = self.rule_cards[index].strip()
        if program.lower().startswith("dare:"):
            return self.ask(seat, "perform")
        self.first(*(("effect", seat, effect.strip()) for effect in program.split(";")))
        return False

    def step_effect(self, seat: int, text: str) -> bool:
        """One effect of a rule card (LC-51, LC-52, LC-53)."""
        words = text.lower().split()
        number = next((int(word) for word in words if word.isdigit()), 0)
        held = len(self.hands[seat])
        until = "until" in words
        if words[0] in ("give", "take", "swap"):
            return self.pick_other(seat, words[0], number, words[-1])
        self.first(("judge_effect", seat))
        if words[0] == "draw":
            self.must_draw(seat, number - held if until else number)
        elif words[0] == "discard":
            self.first(("bury", seat, held - number if until else number))
        elif words[0] == "everyone":
            for count in range(self.players):
                self.must_draw(self.step(seat, count), number)
        elif words[0] == "streak":
            self.first(("streak", seat))
        elif words[0] == "wilds":
            self.lay_wilds(seat)
        elif words[0] == "skip":
            self.marked.add(self.step(self.origin))
        elif words[0] == "reverse":
            self.turn_around()
        else:
            raise ValueError(f"no rule card has the effect {text!r}")
        return False

    def step_judge_effect(self, seat: int, other: int | None = None) -> bool:
        """After an effect: who holds nothing has won, the performer first (LC-54)."""
        if not self.hands[seat]:
            self.win(seat)
        elif other is not None and not self.hands[other]:
            self.win(other)
        return False

    def pick_other(self, seat: int, verb: str, number: int, who: str) -> bool:
        """Find the other player of a give, take or swap; ask where several are possible."""
        others = self.others(seat)
        sizes = [len(self.hands[s]) for s in others]
        if who == "left":
            found = [(seat + 1) % self.players]
        elif who == "right":
            found = [(seat - 1) % self.players]
        elif who == "most":
            found = [s for s in others if len(self.hands[s]) == max(sizes)]
        elif who == "fewest":
            found = [s for s in others if len(self.hands[s]) == min(sizes)]
        else:
            found = others
        self.follow = ("exchange", verb, number, seat)
        self.candidates = found
        if len(found) == 1:
            self.first((*self.follow, found[0]))
            return False
        return self.ask(seat, "take" if verb == "take" and who in ("most", "fewest") else "choose")

    def step_exchange(self, verb: str, number: int, seat: int, other: int) -> bool:
        """Cards are given, taken or swapped."""
        if verb == "give":
            self.move_blind(seat, other, number)
        elif verb == "take":
            self.move_blind(other, seat, number)
        else:
            self.swap_hands(seat, other)
        self.first(("judge_effect", seat, other))
        return False

    def step_bury(self, seat: int, count: int) -> bool:
        """``count`` more cards are buried; one possible answer asks nothing (LC-52)."""
        hand = self.hands[seat]
        if count <= 0 or not hand:
            return False
        self.first(("bury", seat, count - 1))
        if len(set(hand)) == 1:
            self.bury(seat, hand[0])
            return False
        return self.ask(seat, "bury")

    def step_streak(self, seat: int) -> bool:
        """The performer goes on while he holds a card that may be laid (R2)."""
        self.wait(seat, "streak")
        return any(self.plays(seat, card) for card in set(self.hands[seat]))

    def lay_in_streak(self, seat: int, act: Act) -> None:
        """One card of a streak: no effect."""
        assert act.card is not None
        self.speak(seat, act.uno)
        self.lay(seat, act.card, act.color if len(self.hands[seat]) > 1 else None)
        self.first(("streak", seat))
        self.run()

    def lay_wilds(self, seat: int) -> None:
        """All wilds go on the pile; the last card stays if it may not be last (R4, LC-15)."""
        hand = self.hands[seat]
        wilds = [card for kind in (W, W_DRAW_FOUR, W_JACKPOT) for card in hand if card == kind]
        if len(wilds) == len(hand) and wilds and not self.may_be_last(wilds[-1]):
            wilds.pop()
        if wilds:
            self.speak(seat, False)
        for card in wilds:
            self.lay(seat, card, None)
        if wilds and hand:
            self.first(("color", seat))
