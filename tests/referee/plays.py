"""Playing, answering, drawing, challenging, and the effects of the cards."""

from __future__ import annotations

from lastcard.game.cards import (
    REVERSE,
    SKIP,
    W_DRAW_FOUR,
    W_JACKPOT,
    W_REVERSE,
    W_SKIP,
    W_SKIP_TWO,
    W_SWAP,
    W_TARGETED,
    card_face,
)

from .acts import Act
from .legal import draws, is_number, is_wild
from .lever import Lever


def is_skip(card: int) -> bool:
    """Whether a card is a Skip of any kind but Skip Two."""
    return card == W_SKIP or (not is_wild(card) and card_face(card) == SKIP)


def is_reverse(card: int) -> bool:
    """Whether a card is a Reverse of any kind."""
    return card == W_REVERSE or (not is_wild(card) and card_face(card) == REVERSE)


class Plays(Lever):
    """What an accepted act does."""

    # --- laying a card --------------------------------------------------------------------------

    def play(self, seat: int, act: Act) -> None:
        """An ordinary play, a jump-in, an answer, or a card of a streak."""
        if self.decision == "streak":
            self.lay_in_streak(seat, act)
            return
        assert act.card is not None
        self.circles = self.circles + 1 if seat == self.turn and self.decision == "drawn" else 0
        self.short = self.short or self.circles == 200  # LC-8
        answering = seat == self.turn and self.decision in ("challenge", "stack")
        if not answering:
            self.total = 0  # a jump-in cancels a pending chain (LC-41)
        self.begin(seat)
        self.speak(seat, act.uno)
        before = self.color
        color = act.color if self.color_use(seat, act.card) == "must" else None
        self.lay(seat, act.card, color)
        self.drawn = None
        if not self.hands[seat]:
            self.last_card(seat, act.card, act.target, answering)
        elif draws(act.card) or answering:
            self.aim_draw(seat, act.card, answering, before)
        else:
            self.effect(seat, act.card, act.target)

    def last_card(self, seat: int, card: int, target: int | None, answering: bool) -> None:
        """The hand is empty (CO-40 to CO-43, AW-41 to AW-45, LC-26, LC-42, LC-45)."""
        options, winner = self.options, seat
        if card == W_SWAP and options.forced_swap_last_card == "swap_wins_other":
            assert target is not None
            self.swap_hands(seat, target)
            winner = target
        elif card == W_TARGETED:
            if options.last_card_draw_counts and options.last_card_targeted_draw == "counts":  # LC-35
                assert target is not None
                self.must_draw(target, 2, last_card=True)
        elif options.seven_zero and options.seven_zero_last == "effect" and is_number(card, 7):
            assert target is not None
            self.swap_hands(seat, target)
            winner = target
        elif options.seven_zero and options.seven_zero_last == "effect" and is_number(card, 0):
            self.pass_hands()
            winner = self.step(seat)
        elif draws(card) or answering:
            if is_reverse(card):
                self.direction = -self.direction
            if options.last_card_draw_counts:
                self.must_draw(self.step(seat), self.total + draws(card), last_card=True)
        elif self.is_jackpot(card) and options.wj_last_jackpot == "pull":
            self.start_agenda(seat, seat, [("pull", seat)])
            return
        self.win(winner)

    def is_jackpot(self, card: int) -> bool:
        """Whether a card pulls the lever."""
        return card_face(card) == card_face(W_JACKPOT)

    def effect(self, seat: int, card: int, target: int | None) -> None:
        """What a card does that is neither the last nor makes the next player draw."""
        steps = 1
        if is_reverse(card):
            self.direction = -self.direction
            steps = 2 if self.players == 2 and self.options.two_player_reverse == "skip" else 1
        elif is_skip(card):
            steps = 2
        elif card == W_SKIP_TWO:
            steps = 2 if self.players == 2 and self.options.two_player_skip_two == "same_player" else 3
        elif card == W_TARGETED and target is not None:
            self.must_draw(target, 2)
        elif target is not None and (card == W_SWAP or is_number(card, 7)):
            self.swap_hands(seat, target)
        elif self.options.seven_zero and is_number(card, 0):
            self.pass_hands()
        elif self.is_jackpot(card):
            self.start_agenda(seat, seat, [("pull", seat)])
            return
        self.move_on(self.step(seat, steps), seat)

    def aim_draw(self, seat: int, card: int, answering: bool, before: int) -> None:
        """A draw card, or an answer to one: the next player draws, or may do something about it."""
        if answering and is_reverse(card):
            self.direction = -self.direction  # LC-45
        self.total += draws(card)
        if draws(card):
            self.last_draw = card
        challengeable = card == W_DRAW_FOUR and not self.all_wild and self.options.wd4_mode == "challenge"
        if challengeable and not answering:
            self.suspect, self.suspect_color = seat, before
            self.suspect_guilty = self.holds(seat, before)
            self.move_on(self.step(seat), seat, "challenge")
        elif answering or self.options.stacking != "off" or (self.options.deflect and card != W_DRAW_FOUR):
            self.move_on(self.step(seat), seat, "stack")
        else:
            self.must_draw(self.step(seat), self.total)
            self.total = 0
            self.move_on(self.step(seat, 2), seat)

    # --- facing a draw --------------------------------------------------------------------------

    def accept(self, seat: int) -> None:
        """The whole pending draw, and the turn is lost (CL-33, 6.1)."""
        self.must_draw(seat, self.total)
        self.total = 0
        self.move_on(self.step(seat), None)

    def challenge(self, challenger: int) -> None:
        """A Wild Draw Four is doubted (CL-34 to CL-37, LC-19 to LC-21)."""
        victim, guilty = self.turn, self.suspect_guilty
        if self.options.challenge_evidence == "hand_now":
            guilty = self.holds(self.suspect, self.suspect_color)
        if guilty:
            self.must_draw(self.suspect, self.total)
        elif challenger == victim:
            self.must_draw(victim, self.options.challenge_fail_draw)
        else:
            self.must_draw(victim, self.total)
            self.must_draw(challenger, 2)
        self.total = 0
        if guilty and self.options.challenge_win_turn == "challenger_plays":
            self.wait(victim, "play")
        else:
            self.move_on(self.step(victim), None)

    # --- drawing one ----------------------------------------------------------------------------

    def voluntary_draw(self, seat: int) -> None:
        """Draw, and play what was drawn or not; or pass where nothing can be drawn (CO-3, CO-34, LC-2, LC-43)."""
        self.begin(seat)
        if not self.can_draw():
            self.passes += 1
            self.circles = 0
            if self.passes >= self.players:
                self.end_dead()
            else:
                self.move_on(self.step(seat), seat)
            return
        playable = False
        while not playable and (card := self.draw_one(seat)) is not None:
            self.decision, self.drawn = "drawn", card
            playable = bool(self.plays(seat, card))
            if self.options.draw_mode != "until_playable":
                break
        if playable and self.options.draw_then_play != "never":
            self.wait(seat, "drawn")
        else:
            self.circles = 0
            self.move_on(self.step(seat), seat)
