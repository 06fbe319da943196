"""UNO: duties, calls, windows and catches (CO-10 to CO-21), and how a turn begins and passes on."""

from __future__ import annotations

from .acts import Illegal
from .table import CALL_PHASES, Table


class Calls(Table):
    """Everything about calling UNO."""

    @property
    def exposed(self) -> set[int]:
        """The seats that can be caught at this moment (LC-4)."""
        return set(self.windows) if self.decision in CALL_PHASES else set()

    # --- turns ----------------------------------------------------------------------------------

    def begin(self, seat: int) -> None:
        """A seat begins a turn: windows close (CO-15, CO-16, LC-16)."""
        if self.options.uno_window == "until_own_next_turn":
            self.windows.discard(seat)
        else:
            self.windows.clear()

    def wait(self, seat: int, decision: str) -> None:
        """The table now waits for a seat; where an action is resolved, duties are judged (CO-10)."""
        self.turn = seat
        self.decision = decision
        if decision in CALL_PHASES:
            self.judge()

    def move_on(self, seat: int, actor: int | None, decision: str = "play") -> None:
        """The turn passes on to a seat; ``actor`` is the seat that had the turn, if one had (CO-7)."""
        self.drawn = None
        if self.options.uno_early_call != "any_time":
            self.early.clear()  # LC-5
        elif actor is not None:
            self.early.discard(actor)  # LC-17
        self.wait(seat, decision)

    def judge(self) -> None:
        """Who has just come to one card owes a call, unless he spoke with the play (CO-10, LC-5)."""
        for seat in self.touched:
            if len(self.hands[seat]) != 1:
                continue
            if seat in self.spoken or self.options.uno_window == "automatic_call":
                self.called.add(seat)
            elif self.options.uno_window != "no_penalty":
                self.windows.add(seat)
        self.touched.clear()
        self.spoken.clear()

    def speak(self, seat: int, aloud: bool) -> None:
        """An own play takes up an earlier call, or carries one with it (CO-11 b, CO-12)."""
        if aloud or seat in self.early:
            self.spoken.add(seat)
        self.early.discard(seat)

    # --- calls ----------------------------------------------------------------------------------

    def call_kind(self, seat: int) -> str:
        """What a call would be now: ``one`` card held, ``early`` on two, or ``false`` (CO-11, CO-13)."""
        cards, how = len(self.hands[seat]), self.options.uno_early_call
        if cards == 1:
            return "one"
        if cards == 2 and how == "any_time":
            return "early"
        own_turn = seat == self.turn and self.decision in ("play", "drawn", "stack")
        if cards == 2 and how == "own_turn_two_cards" and own_turn:
            return "early"
        return "false"

    def check_uno(self, seat: int) -> None:
        """Refuse a call that may not even be made at a price."""
        if self.decision not in CALL_PHASES:
            raise Illegal("LC-4", "no calls while this is being resolved")
        if self.call_kind(seat) == "false" and self.options.false_uno_penalty == "none":
            raise Illegal("CO-13", "no call is due")

    def uno(self, seat: int) -> None:
        """Make a call."""
        kind = self.call_kind(seat)
        if kind == "one":
            self.windows.discard(seat)
            self.called.add(seat)
        elif kind == "early":
            self.early.add(seat)
        else:
            self.must_draw(seat, 2)  # LC-18

    def check_catch(self, seat: int, target: int) -> None:
        """Refuse a catch that may not even be made at a price."""
        if self.decision not in CALL_PHASES:
            raise Illegal("LC-4", "no catches while this is being resolved")
        if target == seat or not 0 <= target < self.players:
            raise Illegal("CO-14", "only another seat can be caught")
        if target not in self.windows and self.options.false_catch_penalty == "none":
            raise Illegal("CO-20", "there is no open window")

    def catch(self, seat: int, target: int) -> None:
        """Catch a seat, or pay for the mistake."""
        if target in self.windows:
            self.windows.discard(target)
            self.must_draw(target, self.options.uno_penalty)  # CO-17
        else:
            self.must_draw(seat, 2)  # LC-18
