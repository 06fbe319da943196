"""What the rules allow: every act is checked here before anything changes."""

from __future__ import annotations

from lastcard.game.cards import (
    COLORS,
    DRAW_TWO,
    JACKPOT,
    REVERSE,
    SKIP,
    W_DRAW_FOUR,
    W_DRAW_TWO,
    W_JACKPOT,
    W_SWAP,
    W_TARGETED,
    WILD,
    W,
    card_color,
    card_face,
)

from .acts import Act, Illegal
from .calls import Calls


def is_wild(card: int) -> bool:
    """Whether a card has no color of its own."""
    return card_color(card) == WILD


def draws(card: int) -> int:
    """How many cards a Draw Two or Draw Four makes the next player draw; 0 for any other card."""
    if card == W_DRAW_FOUR:
        return 4
    return 2 if card == W_DRAW_TWO or (not is_wild(card) and card_face(card) == DRAW_TWO) else 0


def is_number(card: int, number: int) -> bool:
    """Whether a card is this number in some color."""
    return not is_wild(card) and card_face(card) == number


class Legal(Calls):
    """The check of an act, and the list of acts that pass it."""

    # --- single questions -----------------------------------------------------------------------

    def matches(self, card: int) -> bool:
        """Whether a card goes on the top card (CL-15 to CL-17, WJ-20 to WJ-22, AW-8)."""
        if is_wild(card) or card_color(card) == self.color:
            return True
        if not is_wild(self.top) and card_face(card) == card_face(self.top):
            return True
        on_wild_jackpot = card_face(card) == JACKPOT and self.top == W_JACKPOT
        return on_wild_jackpot and self.options.wj_jackpot_on_wild == "symbol_match"

    def holds(self, seat: int, color: int) -> bool:
        """Whether a seat holds a card of a color (CL-30)."""
        return any(card_color(card) == color for card in self.hands[seat])

    def may_be_last(self, card: int) -> bool:
        """Whether a card may be the last one laid (CO-41, LC-15, AW-45)."""
        if card == W_SWAP and self.options.forced_swap_last_card == "not_playable_last":
            return False
        rule = self.options.finish_restriction
        if rule == "no_wild":
            return not is_wild(card)
        if rule == "no_action":
            return card == W if self.all_wild else not is_wild(card) and card_face(card) <= 9
        return True

    def answers(self, card: int) -> bool:
        """Whether a card answers the pending draw (6.1, 6.7, LC-40, LC-45)."""
        amount, last, stacking = draws(card), draws(self.last_draw), self.options.stacking
        if stacking != "off" and amount and (amount == last or (amount > last and stacking != "same")):
            return True
        if not self.options.deflect or last != 2 or is_wild(self.top) or is_wild(card):
            return False
        if card_face(self.top) == DRAW_TWO:
            return card_face(card) in (SKIP, REVERSE) and card_color(card) == card_color(self.top)
        return card_face(self.top) == SKIP and card_face(card) == SKIP

    def color_use(self, seat: int, card: int) -> str:
        """Whether a play ``must`` name a color, names it for nothing (``idle``), or may not (``no``)."""
        if not is_wild(card):
            return "no"
        if self.all_wild:
            return "idle"
        goes_on = card == W_JACKPOT and self.options.wj_last_jackpot == "pull" and self.decision != "streak"
        return "must" if len(self.hands[seat]) > 1 or goes_on else "idle"  # CO-43, LC-6

    def target_use(self, seat: int, card: int) -> str:
        """Whether a play ``must`` name a seat, names it for nothing (``idle``), or may not (``no``)."""
        last, options = len(self.hands[seat]) == 1, self.options
        if card == W_TARGETED:
            waived = options.last_card_targeted_draw == "ignored" or not options.last_card_draw_counts  # LC-35
            return "idle" if last and waived else "must"
        if card == W_SWAP:
            return "idle" if last and options.forced_swap_last_card == "player_wins" else "must"
        if options.seven_zero and is_number(card, 7) and self.decision != "streak":
            return "idle" if last and options.seven_zero_last == "wins" else "must"
        return "no"

    # --- plays ----------------------------------------------------------------------------------

    def check_play(self, seat: int, act: Act) -> None:
        """Refuse a play that is not allowed."""
        card = act.card
        if card is None or card not in self.hands[seat]:
            raise Illegal("CO-3", "the card is not in the hand")
        self.check_moment(seat, card)
        if len(self.hands[seat]) == 1 and not self.may_be_last(card):
            raise Illegal("LC-15", "this card may not be the last")
        color_use, target_use = self.color_use(seat, card), self.target_use(seat, card)
        if (color_use == "no" and act.color is not None) or (color_use == "must" and act.color is None):
            raise Illegal("CL-22", "a color is named with wilds, and only with them")
        if (target_use == "no" and act.target is not None) or (target_use == "must" and act.target is None):
            raise Illegal("AW-23", "a seat is named with a card that aims at one, and only then")
        if target_use == "must":
            self.check_target(seat, card, act.target)

    def check_target(self, seat: int, card: int, target: int | None) -> None:
        """Refuse a seat that a card may not aim at."""
        if target not in self.others(seat):
            raise Illegal("AW-23", "the target must be another seat")
        spared = card == W_SWAP and self.options.forced_swap_target == "not_player_with_one_card"
        if spared and len(self.hands[target]) == 1:
            raise Illegal("LC-34", "a player on one card cannot be named")

    def check_moment(self, seat: int, card: int) -> None:
        """Refuse a card that cannot be laid at this moment."""
        if self.decision in ("play", "stack") and seat != self.turn:
            self.check_jump_in(card)
        elif seat != self.turn:
            raise Illegal("LC-1", "another seat is on turn")
        elif self.decision in ("play", "drawn", "streak"):
            self.check_match(seat, card)
        elif self.decision not in ("challenge", "stack"):
            raise Illegal("CO-6", "something else has to be decided first")
        elif not self.answers(card):
            raise Illegal("LC-40", "this card is no answer")

    def check_match(self, seat: int, card: int) -> None:
        """Refuse a card that does not go on the top card, or is not the one drawn."""
        if self.decision == "drawn" and card != self.drawn:
            raise Illegal("CL-20", "only the drawn card may be played")
        if self.all_wild:
            return
        if not self.matches(card):
            raise Illegal("CL-15", "the card does not match")
        honest = self.decision == "streak" or self.options.wd4_mode == "strict"
        if card == W_DRAW_FOUR and honest and self.holds(seat, self.color):
            raise Illegal("CL-30", "the color in force is in the hand")

    def check_jump_in(self, card: int) -> None:
        """Refuse a card laid out of turn that is no jump-in (6.2, LC-41)."""
        if not self.options.jump_in:
            raise Illegal("LC-1", "another seat is on turn")
        if card != self.top or (is_wild(card) and not self.all_wild):
            raise Illegal("LC-41", "only a card identical to the top card jumps in")
        if self.decision == "stack" and not draws(self.top):
            raise Illegal("LC-41", "the top card is no draw card")

    def plays(self, seat: int, card: int) -> list[Act]:
        """The plays of one card that are allowed now, in the form the list of legal moves shows."""
        colors: tuple[int | None, ...] = COLORS if self.color_use(seat, card) == "must" else (None,)
        aims = self.target_use(seat, card) == "must"
        targets: list[int | None] = [*self.others(seat)] if aims else [None]
        acts = [Act("play", card, color, target) for color in colors for target in targets]
        return [act for act in acts if self.allows(seat, act)]

    def has_playable(self, seat: int) -> bool:
        """Whether a seat on turn holds a card that counts as playable (CL-15, 6.5)."""
        return any(self.counts_as_playable(seat, card) for card in set(self.hands[seat]))

    def counts_as_playable(self, seat: int, card: int) -> bool:
        """Whether a card can be played and is not a mere bluff."""
        if card == W_DRAW_FOUR and not self.all_wild and self.options.wd4_mode != "free":
            return not self.holds(seat, self.color) and bool(self.plays(seat, card))
        return bool(self.plays(seat, card))

    # --- everything else ------------------------------------------------------------------------

    def check_draw(self, seat: int) -> None:
        """Refuse a voluntary draw that is not allowed."""
        if self.decision != "play":
            raise Illegal("CO-6", "there is nothing to draw for now")
        if not self.has_playable(seat):
            return
        if not self.can_draw():
            raise Illegal("CO-34", "nothing can be drawn, a card must be played")
        if self.options.force_play == "always" or self.options.voluntary_draw == "only_if_no_playable":
            raise Illegal("LC-44", "a playable card is held")

    def check_pass(self, seat: int) -> None:
        """Refuse to keep a drawn card that must be played."""
        if self.decision != "drawn" or self.drawn is None:
            raise Illegal("CO-4", "there is no pass without drawing")
        forced = self.options.draw_then_play == "must_play_drawn" or self.options.force_play != "off"
        if forced and self.counts_as_playable(seat, self.drawn):
            raise Illegal("LC-44", "the drawn card must be played")

    def check_challenge(self, seat: int) -> None:
        """Refuse a challenge of nothing, of oneself, or by somebody who may not."""
        if self.decision != "challenge":
            raise Illegal("CL-32", "there is nothing to challenge")
        if seat == self.suspect or (seat != self.turn and self.options.challenge_by == "victim_only"):
            raise Illegal("LC-19", "this seat may not challenge")

    def throwable(self, seat: int, card: int) -> bool:
        """Whether a card may be thrown off now (WJ-40e, WJ-41, LC-15)."""
        if is_wild(card) or card_color(card) in self.thrown or card not in self.hands[seat]:
            return False
        return len(self.hands[seat]) > 1 or self.may_be_last(card)

    def check(self, seat: int, act: Act) -> None:
        """Refuse an act that the rules do not allow.

        Raises:
            Illegal: with the clause.
        """
        if self.decision == "over" or not 0 <= seat < self.players:
            raise Illegal("CO-40", "the round is over, or there is no such seat")
        if act.verb == "uno":
            self.check_uno(seat)
        elif act.verb == "catch":
            self.check_catch(seat, -1 if act.target is None else act.target)
        elif act.verb == "play":
            self.check_play(seat, act)
        elif act.verb == "challenge":
            self.check_challenge(seat)
        elif seat != self.turn:
            raise Illegal("LC-1", "another seat is on turn")
        elif act.verb == "draw":
            self.check_draw(seat)
        elif act.verb == "pass":
            self.check_pass(seat)
        elif not self.fits_decision(seat, act):
            raise Illegal("CO-6", "this is not what has to be decided")

    def fits_decision(self, seat: int, act: Act) -> bool:
        """Whether an act of the seat on turn answers the pending decision."""
        verb, decision = act.verb, self.decision
        if verb == "accept":
            return decision in ("challenge", "stack")
        if verb in ("choose", "take"):
            return decision == verb and act.target in self.candidates
        if verb == "throw":
            return decision == "throw" and act.card is not None and self.throwable(seat, act.card)
        if verb == "bury":
            return decision == "bury" and act.card in self.hands[seat]
        return decision == {"stop": "throw", "done": "perform"}.get(verb, verb)  # pull, color

    def allows(self, seat: int, act: Act) -> bool:
        """Whether an act passes the check."""
        try:
            self.check(seat, act)
        except Illegal:
            return False
        return True

    def legal(self, seat: int, false_calls: bool = True) -> set[str]:
        """All acts of a seat in canonical notation, without the ``!`` forms.

        Args:
            seat: whose acts.
            false_calls: with the calls and catches that only cost their maker cards (LC-18).
        """
        verbs = ("uno", "challenge", "draw", "pass", "accept", "pull", "stop", "done")
        hand, seats = sorted(set(self.hands[seat])), range(self.players)
        acts = [Act(verb) for verb in verbs]
        acts += [Act("color", color=color) for color in COLORS]
        acts += [Act(verb, target=s) for verb in ("catch", "choose", "take") for s in seats]
        acts += [Act(verb, card) for verb in ("throw", "bury") for card in hand]
        found = [act for act in acts if self.allows(seat, act)]
        found += [act for card in hand for act in self.plays(seat, card)]
        if not false_calls:
            found = [act for act in found if not self.is_false(seat, act)]
        return {str(act) for act in found}

    def is_false(self, seat: int, act: Act) -> bool:
        """Whether an act is a call or a catch without cause."""
        if act.verb == "uno":
            return self.call_kind(seat) == "false"
        return act.verb == "catch" and act.target not in self.windows
