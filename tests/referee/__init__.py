"""A slow, plain reading of ``docs/rules.md``: the oracle of the differential tests.

Written from the clauses alone; it shares nothing with the compiled kernel but the cards and the options.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from lastcard.game.cards import DRAW_TWO, JACKPOT, REVERSE, SKIP, W_DRAW_FOUR, W_JACKPOT, W, card_face
from lastcard.game.options import RuleOptions

from .acts import Act, Illegal, read_act
from .plays import Plays
from .table import BUILTIN, CALL_PHASES, Chance, RuleProgram

__all__ = ["BUILTIN", "CALL_PHASES", "Act", "Chance", "Illegal", "Referee", "RuleProgram", "read_act"]


class Referee(Plays):
    """One round, judged act by act; see ``Table`` for what can be read off it."""

    @classmethod
    def deal(
        cls,
        game: str,
        options: RuleOptions,
        players: int,
        dealer: int,
        deck_order: Iterable[int],
        rule_cards: Sequence[RuleProgram] | None,
        dispenser: Iterable[int],
        chance: Chance,
    ) -> Self:
        """Deal a round and carry out what its first card asks for.

        Args:
            game: ``all-wild``, ``classic`` or ``wild-jackpot``.
            options: the rule options.
            players: seats.
            dealer: the seat that deals.
            deck_order: the shuffled deck, next card first.
            rule_cards: the rule cards there are; None for the built-in eight.
            dispenser: indices into them, next first.
            chance: the source of all further chance.
        """
        pile = list(deck_order)
        hands: list[list[int]] = [[] for _ in range(players)]
        for number in range(players * options.hand_size):
            hands[(dealer + 1 + number) % players].append(pile.pop(0))
        first = pile.pop(0)
        while cls._goes_back(game, options, first) and any(not cls._goes_back(game, options, c) for c in pile):
            pile.append(first)
            first = pile.pop(chance.redraw(pile))
        left = (dealer + 1) % players
        table = cls(
            game,
            options,
            hands,
            [first],
            pile,
            turn=left,
            dealer=dealer,
            rule_cards=rule_cards,
            dispenser=dispenser,
            chance=chance,
        )
        table._open(first)
        table._settle()
        return table

    @staticmethod
    def _goes_back(game: str, options: RuleOptions, card: int) -> bool:
        """Whether a first card is returned and another turned over (AW-6, CL-10, CL-11, LC-22)."""
        if game == "all-wild":
            return options.first_card_action == "redraw_until_wild" and card != W
        if card == W_DRAW_FOUR and options.first_card_wd4 == "return_and_redraw":
            return True
        return card in (W, W_DRAW_FOUR) and options.first_card_wild == "redraw"

    def _open(self, card: int) -> None:
        """The effect of the first card (AW-6, AW-7, CL-6 to CL-12, WJ-8, WJ-9)."""
        left, face = self.step(self.dealer), card_face(card)
        if self.all_wild:
            return
        if card in (W, W_DRAW_FOUR):
            self.start_agenda(left, self.dealer, [("color", left)])
        elif face == JACKPOT:
            lever = self.options.wj_first_jackpot == "lever"
            asks = [("color", left)] if card == W_JACKPOT else []
            self.start_agenda(left, self.dealer, [*asks, ("pull" if lever else "choose", left)])
        elif face == SKIP:
            self.turn = self.step(left)
        elif face == DRAW_TWO:
            self.must_draw(left, 2)
            self.turn = self.step(left)
        elif face == REVERSE:
            self.direction = -1
            right_first = self.options.first_card_reverse == "player_right_of_dealer_first"
            self.turn = self.step(self.dealer) if right_first else self.dealer

    def do(self, seat: int, move: str) -> None:
        """Take one act of a seat.

        Args:
            seat: who acts.
            move: the act in notation, without ``SEAT:``.

        Raises:
            Illegal: where the rules do not allow it; nothing has changed then.
        """
        act = read_act(move)
        self.check(seat, act)
        self._carry_out(seat, act)
        self._settle()

    def _carry_out(self, seat: int, act: Act) -> None:
        if act.verb == "play":
            self.play(seat, act)
        elif act.verb == "draw":
            self.voluntary_draw(seat)
        elif act.verb == "pass":
            self.circles = 0
            self.move_on(self.step(seat), seat)
        elif act.verb in ("uno", "challenge", "accept", "pull"):
            getattr(self, act.verb)(seat)
        elif act.verb in ("stop", "done"):
            self.run()
        elif act.verb == "catch" and act.target is not None:
            self.catch(seat, act.target)
        elif act.verb == "color" and act.color is not None:
            self.name_color(act.color)
        elif act.verb in ("choose", "take") and act.target is not None:
            self.name_seat(act.target)
        elif act.verb == "throw" and act.card is not None:
            self.throw(seat, act.card)
        elif act.verb == "bury" and act.card is not None:
            self.bury(seat, act.card)
            self.run()

    def _settle(self) -> None:
        """The act is finished: a draw that fell short may end the round now (LC-11)."""
        if self.short and self.decision != "over":
            self.end_dead()
