"""The line client: whole matches against bots or with several people at one keyboard."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from lastcard.bots.advice import make_hints, rank_moves
from lastcard.bots.base import Bot, find_reaction
from lastcard.errors import IllegalMove
from lastcard.game.moves import Move
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.match.view import View
from lastcard.terminal import display
from lastcard.terminal.choices import Choice, find_choices, group_moves, named_text, out_of_turn_moves
from lastcard.terminal.input_parser import ParsedInput, UnclearInput, find_seat, parse_command, parse_input
from lastcard.terminal.line_io import InputEnded, LineTerminal
from lastcard.terminal.saves import save_match
from lastcard.text.explanation import explain_ruleset
from lastcard.text.locale import Catalog
from lastcard.text.narration import Narrator

_LOG_LINES = 25


class MatchLeft(Exception):
    """Raised to save and leave the match."""


class LineClient:
    """One session of a match.

    Args:
        bots: bots by seat; None for a person.
        bot_kinds: kinds of the bots by seat, as in the record; empty for a person.
        clauses: whether rules and refusals cite the ids of their clauses.
    """

    def __init__(
        self,
        match: Match,
        bots: Sequence[Bot | None],
        bot_kinds: Sequence[str],
        texts: Catalog,
        terminal: LineTerminal,
        path: Path,
        *,
        clauses: bool = False,
    ) -> None:
        self.match = match
        self.bots = bots
        self.bot_kinds = bot_kinds
        self.texts = texts
        self.terminal = terminal
        self.path = path
        self.narrator = Narrator(match, texts, clauses=clauses)
        self.humans = tuple(seat for seat, bot in enumerate(bots) if bot is None)
        self.has_several_people = len(self.humans) > 1
        self.viewer = None if self.has_several_people else self.humans[0]
        """The seat called "you" in texts for all; None if several people play."""
        self.seat_at_screen = self.viewer
        self.unread: dict[int, list[str]] = {seat: [] for seat in self.humans}
        self.log: dict[int, list[str]] = {seat: [] for seat in self.humans}
        self._declined: tuple[tuple[int, tuple[Move, ...]], ...] = ()
        self._last_prompt: tuple[int, str, int] | None = None  # the turn that was last shown in full

    # --- match and rounds ---------------------------------------------------------------------------

    def run(self) -> bool:
        """Play until the match is over (True) or left (False); either way it is saved."""
        try:
            self._begin_match()
            while not self.match.over:
                if self.match.round.over:
                    self._between_rounds()
                self._play_round()
        except (InputEnded, MatchLeft):
            save_match(self.path, self.match, self.bot_kinds)
            self._print_how_to_resume()
            return False
        except BaseException:
            save_match(self.path, self.match, self.bot_kinds)
            self.terminal.write("", self.texts.text("play.saved", path=self.path))
            raise
        self._finish()
        return True

    def _begin_match(self) -> None:
        self.terminal.write(self.texts.text("play.commitment", commitment=self.match.commitment))
        if self.match.round.discard_count > 1 or self.match.number:
            self.terminal.write(self.texts.text("play.resumed", number=self.match.number + 1))
        else:
            self._begin_round()

    def _begin_round(self) -> None:
        dealer = self.match.dealer
        key = "play.round.you" if dealer == self.viewer else "play.round"
        line = self.texts.text(key, number=self.match.number + 1, player=self.narrator.name(dealer))
        for seat in self.humans:
            self.unread[seat], self.log[seat] = [], []
        self.terminal.write("", line)
        self._announce(self.match.round.events(), None)

    def _play_round(self) -> None:
        round_ = self.match.round
        while not round_.over:
            if self._let_bot_call() or self._offer_out_of_turn():
                continue
            seat_and_move = find_reaction(self.bots, round_)
            if seat_and_move is None:
                bot = self.bots[round_.turn]
                if bot is None:
                    save_match(self.path, self.match, self.bot_kinds)  # before every prompt: a power cut loses nothing
                    self._turn(round_.turn)
                    continue
                seat_and_move = round_.turn, bot.choose(round_.view(round_.turn))
            self._apply(*seat_and_move)
        self._round_over()

    def _round_over(self) -> None:
        if self.viewer is None:  # all read the result together
            self.terminal.write(*self.narrator.lines(self.match.round.events(), None))
        self.terminal.write("", *display.round_result_lines(self.match, self.narrator, self.viewer))
        save_match(self.path, self.match, self.bot_kinds)

    def _between_rounds(self) -> None:
        self._pause("play.next_round")
        self.match.next_round()
        self._begin_round()

    def _finish(self) -> None:
        save_match(self.path, self.match, self.bot_kinds)
        self.terminal.write("", *display.match_result_lines(self.match, self.narrator, self.viewer))
        name = shlex.quote(str(self.path))
        self.terminal.write(
            self.texts.text("play.saved", path=self.path),
            self.texts.text("play.again", command=f"lastcard replay {name}"),
            self.texts.text("play.check", command=f"lastcard replay {name} --check"),
        )

    def _print_how_to_resume(self) -> None:
        command = f"lastcard play --resume {shlex.quote(str(self.path))}"
        self.terminal.write(
            "",
            self.texts.text("play.not_over"),
            self.texts.text("play.saved", path=self.path),
            self.texts.text("play.resume", command=command),
        )

    # --- moves and events ---------------------------------------------------------------------------

    def _apply(self, seat: int, move: Move) -> None:
        self._announce(self.match.do(seat, move), seat)

    def _announce(self, events: list[Event], actor: int | None) -> None:
        """Print events for the person at the screen, and queue them for the others."""
        for seat in self.humans:
            lines = self.narrator.lines(events, seat)
            self.log[seat] += lines
            self.unread[seat] += lines
        if not self.has_several_people or (actor == self.seat_at_screen and not self.match.round.over):
            self._flush()

    def _flush(self) -> None:
        """Print the queued events of the person at the screen; at the end of a round the public ones."""
        seat = self.seat_at_screen
        if seat is None:
            return
        self.terminal.write(*self.unread[seat])
        self.unread[seat] = []

    def _hide(self) -> None:
        """With several people, clear the screen, so that nobody sees another's hand."""
        if self.has_several_people and self.seat_at_screen is not None:
            self._flush()
            self._pause("play.done_looking")
            self.terminal.clear()
            self.seat_at_screen = None

    def _show_screen_to(self, seat: int) -> None:
        """Ask for the seat's person before its hand is shown, unless they used the screen last."""
        if self.seat_at_screen == seat:
            return
        self._hide()
        self._pause("play.handover", player=self.narrator.name(seat))
        self.terminal.clear()
        self.seat_at_screen = seat
        self._last_prompt = None

    def _pause(self, key: str, **values: object) -> None:
        """Wait for Enter; quit, save, help and rules work here too."""
        while True:
            text = self.terminal.ask(self.texts.text(key, **values))
            command = parse_command(text, self.texts)
            if command in ("", "hand", "log"):
                return
            self._run_command(command, None)

    # --- a person's turn ----------------------------------------------------------------------------

    def _turn(self, seat: int) -> None:
        """Ask the person in a seat until they make a move."""
        self._show_screen_to(seat)
        round_ = self.match.round
        view = round_.view(seat)
        choices = find_choices(view, self.narrator)
        self._flush()
        prompt = (seat, view.decision, view.discard.count(view.top) + len(view.discard) + len(view.hand or ()))
        is_full = self._last_prompt != prompt and view.decision in ("play", "challenge", "stack")
        self._last_prompt = prompt
        self.terminal.write("", *display.turn_lines(view, self.narrator, is_full, several=self.has_several_people))
        self.terminal.write_numbered(map(str, choices))
        while not self._handle_input(self.terminal.ask(), seat, choices, view):
            pass

    def _handle_input(self, text: str, seat: int, choices: Sequence[Choice], view: View) -> bool:
        """Execute input; returns whether the round has changed."""
        if not text:
            self.terminal.write_numbered(map(str, choices))
            return False
        try:
            typed = parse_input(text, choices, self.match.players, self.texts)
            acting_seat = seat if typed.seat is None else self._require_own_seat(typed.seat)
            if typed.command:
                return self._run_command(typed.command, view)
            move = self._complete_move(typed, view)
        except UnclearInput as unclear:
            self.terminal.write(str(unclear))
            return False
        return move is not None and self._try_move(acting_seat, move)

    def _require_own_seat(self, seat: int) -> int:
        """Returns the seat if a person at this keyboard plays it."""
        if seat not in self.humans:
            raise UnclearInput(self.texts.text("play.not_yours", player=self.narrator.name(seat)))
        return seat

    def _try_move(self, seat: int, move: Move) -> bool:
        """Make a move, or print why it is refused; returns whether it was made."""
        try:
            self._apply(seat, move)
        except IllegalMove as error:
            self.terminal.write(self.narrator.refusal(self.match.round, seat, move, error))
            return False
        return True

    def _complete_move(self, typed: ParsedInput, view: View) -> Move | None:
        """Returns the whole move, after asking for a missing color or player; None if the person cancels."""
        move = typed.move
        if typed.choice is not None:
            moves = typed.choice.moves
            picked = moves[0] if len(moves) == 1 else self._ask_color_or_player(moves, view)
            if picked is None:
                return None
            move = picked
        assert move is not None, "a typed line is a command, a choice or a move"
        if typed.uno and move.verb == "play":
            return Move("play", move.card, move.color, move.target, uno=True)
        return move

    def _ask_color_or_player(self, moves: Sequence[Move], view: View) -> Move | None:
        """Ask for the color or the player that a card needs."""
        key = "prompt.which_color" if moves[0].color is not None else "prompt.which_player"
        named = [named_text(move, self.narrator) for move in moves]
        self.terminal.write(self.texts.text(key))
        self.terminal.write_numbered(f"{words} – {code}" for words, code in named)
        while True:
            text = self.terminal.ask()
            if not text:
                return None
            command = parse_command(text, self.texts)
            if command:
                self._run_command(command, view)
                continue
            for number, (move, (words, code)) in enumerate(zip(moves, named, strict=True), start=1):
                letter = code.rstrip("!")[-1]
                if text.casefold() in (str(number), words.casefold(), letter.casefold(), code.casefold()):
                    return move
            try:
                seat = find_seat(text, self.match.players, self.texts)
            except UnclearInput:
                self.terminal.write(self.texts.text("play.unclear", text=text))
                continue
            for move in moves:
                if move.target == seat:
                    return move
            self.terminal.write(self.texts.text("play.unclear", text=text))

    def _run_command(self, command: str, view: View | None) -> bool:
        """Execute a command, which does not change the round."""
        if command == "quit":
            raise MatchLeft
        if command == "save":
            save_match(self.path, self.match, self.bot_kinds)
            self.terminal.write(self.texts.text("play.saved", path=self.path))
        elif command == "help":
            self.terminal.write(*display.help_lines(self.texts, several=self.has_several_people))
        elif command == "rules":
            rules = explain_ruleset(self.match.rules, self.texts.language, clauses=self.narrator.clauses)
            self.terminal.write(rules.rstrip())
        elif view is not None and command == "hint":
            self.terminal.write(*self._hint(view))
        elif view is not None and command == "hand":
            self.terminal.write(*display.turn_lines(view, self.narrator, True, several=self.has_several_people))
            self.terminal.write_numbered(map(str, find_choices(view, self.narrator)))
        elif command == "log" and view is not None and view.seat is not None:
            self.terminal.write(*(self.log[view.seat][-_LOG_LINES:] or [self.texts.text("play.nothing_yet")]))
        return False

    def _hint(self, view: View) -> list[str]:
        """Returns the best moves if only bots play against the person on turn."""
        if self.has_several_people or view.turn != view.seat:
            return [self.texts.text("play.hint.refused")]
        return display.hint_lines(make_hints(view, rank_moves(view), self.narrator), self.texts)

    # --- moves out of turn --------------------------------------------------------------------------

    def _let_bot_call(self) -> bool:
        """Let a bot that owes a call make it, unless it forgets; returns whether one did."""
        round_ = self.match.round
        for seat in sorted(round_.exposed):
            bot = self.bots[seat]
            move = None if bot is None else bot.react(round_.view(seat))
            if move is not None and move.verb == "uno":
                self._apply(seat, move)
                return True
        return False

    def _offer_out_of_turn(self) -> bool:
        """Let people call, catch or jump in before a bot moves; returns whether one did."""
        round_ = self.match.round
        if len(self.humans) == len(self.bots):
            return False  # no bots play, so the prompts of the people suffice
        views = {seat: round_.view(seat) for seat in self.humans}
        offers = tuple((seat, out_of_turn_moves(view)) for seat, view in views.items())
        offers = tuple((seat, moves) for seat, moves in offers if moves and self._is_urgent(moves))
        offered = (*offers, (len(round_.discard), ()))
        if not offers or offered == self._declined:
            return False
        self._hide()
        seat, moves = offers[0]
        view = views[seat]
        self.terminal.write("", *display.out_of_turn_lines(view, self.narrator, self.humans))
        choices: list[Choice] = []
        if not self.has_several_people:
            choices = group_moves(moves, view, self.narrator)
            self.terminal.write_numbered(map(str, choices))
        else:
            # Only calls and catches are shown: a jump-in would disclose a hand.
            lines = [f"{self.narrator.name(who)}: {move}" for who, some in offers for move in some]
            self.terminal.write(*(line for line in lines if "catch" in line or "uno" in line))
        while True:
            text = self.terminal.ask(self.texts.text("play.moment.enter"))
            if not text:
                self._declined = offered
                return False
            if self._handle_input(text, seat, choices, view):
                return True

    def _is_urgent(self, moves: Sequence[Move]) -> bool:
        """Whether an offer is urgent: a bot is on turn, or one could catch this person first."""
        on_turn = self.match.round.turn
        return self.bots[on_turn] is not None or any(move.verb == "uno" for move in moves)
