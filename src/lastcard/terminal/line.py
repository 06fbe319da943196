"""The plain line client: whole matches against bots or with several people at one keyboard."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from lastcard.bots.advice import hints, weigh
from lastcard.bots.base import Bot, reaction
from lastcard.errors import Refused
from lastcard.game.actions import Move
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.match.view import View
from lastcard.terminal import show
from lastcard.terminal.choices import Choice, extras, find_choices, group, named_words
from lastcard.terminal.saves import save
from lastcard.terminal.talk import Gone, Talk
from lastcard.terminal.typed import Typed, Unclear, find_seat, read_command, read_typed
from lastcard.text.explain import explain
from lastcard.text.locale import Catalog
from lastcard.text.narrate import Narrator

_LOG_LINES = 25


class Left(Exception):
    """The match is to be saved and left."""


class LineGame:
    """One sitting at a match.

    Args:
        match: new or taken up again.
        bots: by seat; None where a person sits.
        kinds: of the bots by seat, as the record keeps them; empty for a person.
        texts: the language.
        talk: the terminal.
        path: where the match is saved.
        clauses: whether rules and refusals cite the ids of their clauses.
    """

    def __init__(
        self,
        match: Match,
        bots: Sequence[Bot | None],
        kinds: Sequence[str],
        texts: Catalog,
        talk: Talk,
        path: Path,
        *,
        clauses: bool = False,
    ) -> None:
        self.match = match
        self.bots = bots
        self.kinds = kinds
        self.texts = texts
        self.talk = talk
        self.path = path
        self.narrator = Narrator(match, texts, clauses=clauses)
        self.humans = tuple(seat for seat, bot in enumerate(bots) if bot is None)
        self.several = len(self.humans) > 1
        self.viewer = None if self.several else self.humans[0]
        """Who is meant by "you" in what all may read; None where several people play."""
        self.holder = self.viewer
        """Who looks at the screen."""
        self.news: dict[int, list[str]] = {seat: [] for seat in self.humans}
        self.log: dict[int, list[str]] = {seat: [] for seat in self.humans}
        self._declined: tuple[tuple[int, tuple[Move, ...]], ...] = ()
        self._asked: tuple[int, str, int] | None = None  # whose turn was last shown in full

    # --- the course of a match ----------------------------------------------------------------------

    def run(self) -> bool:
        """Play until the match is over (True) or left (False); either way it is saved."""
        try:
            self._open()
            while not self.match.over:
                if self.match.round.over:
                    self._between_rounds()
                self._play_round()
        except (Gone, Left):
            save(self.path, self.match, self.kinds)
            self._farewell()
            return False
        except BaseException:
            save(self.path, self.match, self.kinds)
            self.talk.say("", self.texts.text("play.saved", path=self.path))
            raise
        self._finish()
        return True

    def _open(self) -> None:
        self.talk.say(self.texts.text("play.commitment", commitment=self.match.commitment))
        if self.match.round.discard_count > 1 or self.match.number:
            self.talk.say(self.texts.text("play.resumed", number=self.match.number + 1))
        else:
            self._begin_round()

    def _begin_round(self) -> None:
        dealer = self.match.dealer
        key = "play.round.you" if dealer == self.viewer else "play.round"
        line = self.texts.text(key, number=self.match.number + 1, player=self.narrator.name(dealer))
        for seat in self.humans:
            self.news[seat], self.log[seat] = [], []
        self.talk.say("", line)
        self._tell(self.match.round.events(), None)

    def _play_round(self) -> None:
        table = self.match.round
        while not table.over:
            if self._call() or self._moment():
                continue
            act = reaction(self.bots, table.turn, table.view) if table.disorderly else None
            if act is None:
                bot = self.bots[table.turn]
                if bot is None:
                    save(self.path, self.match, self.kinds)  # before every wait: a power cut loses nothing
                    self._turn(table.turn)
                    continue
                act = table.turn, bot.choose(table.view(table.turn))
            self._do(*act)
        self._round_over()

    def _round_over(self) -> None:
        if self.viewer is None:  # all read the end together
            self.talk.say(*self.narrator.lines(self.match.round.events(), None))
        self.talk.say("", *show.result(self.match, self.narrator, self.viewer))
        save(self.path, self.match, self.kinds)

    def _between_rounds(self) -> None:
        self._pause("play.next_round")
        self.match.next_round()
        self._begin_round()

    def _finish(self) -> None:
        save(self.path, self.match, self.kinds)
        self.talk.say("", *show.ending(self.match, self.narrator, self.viewer))
        name = shlex.quote(str(self.path))
        self.talk.say(
            self.texts.text("play.saved", path=self.path),
            self.texts.text("play.again", command=f"lastcard replay {name}"),
            self.texts.text("play.check", command=f"lastcard replay {name} --check"),
        )

    def _farewell(self) -> None:
        command = f"lastcard play --resume {shlex.quote(str(self.path))}"
        self.talk.say(
            "",
            self.texts.text("play.not_over"),
            self.texts.text("play.saved", path=self.path),
            self.texts.text("play.resume", command=command),
        )

    # --- acts and news ------------------------------------------------------------------------------

    def _do(self, seat: int, move: Move) -> None:
        self._tell(self.match.do(seat, move), seat)

    def _tell(self, events: list[Event], actor: int | None) -> None:
        """Tell every person what happened: at once to whoever looks at the screen, later to the others."""
        for seat in self.humans:
            lines = self.narrator.lines(events, seat)
            self.log[seat] += lines
            self.news[seat] += lines
        if not self.several or (actor == self.holder and not self.match.round.over):
            self._flush()

    def _flush(self) -> None:
        """Print what the person at the screen has not read yet; at the end of a round what all may know."""
        seat = self.holder
        if seat is None:
            return
        self.talk.say(*self.news[seat])
        self.news[seat] = []

    def _hide(self) -> None:
        """With several people: let nobody see the screen of another."""
        if self.several and self.holder is not None:
            self._flush()
            self._pause("play.done_looking")
            self.talk.clear()
            self.holder = None

    def _hand_over(self, seat: int) -> None:
        if self.holder == seat:
            return
        self._hide()
        self._pause("play.handover", player=self.narrator.name(seat))
        self.talk.clear()
        self.holder = seat
        self._asked = None

    def _pause(self, key: str, **values: object) -> None:
        """Wait for Enter; quit, save, help and rules work here too."""
        while True:
            text = self.talk.ask(self.texts.text(key, **values))
            command = read_command(text, self.texts)
            if command in ("", "hand", "log"):
                return
            self._command(command, None)

    # --- a person's turn ----------------------------------------------------------------------------

    def _turn(self, seat: int) -> None:
        """Ask the person in a seat what to do, until something is done."""
        self._hand_over(seat)
        table = self.match.round
        view = table.view(seat)
        choices = find_choices(view, self.narrator)
        self._flush()
        mark = (seat, view.decision, view.discard.count(view.top) + len(view.discard) + len(view.hand or ()))
        full = self._asked != mark and view.decision in ("play", "challenge", "stack")
        self._asked = mark
        self.talk.say("", *show.state(view, self.narrator, full, several=self.several))
        self.talk.list(map(str, choices))
        while not self._act(self.talk.ask(), seat, choices, view):
            pass

    def _act(self, text: str, seat: int, choices: Sequence[Choice], view: View) -> bool:
        """Do what a person typed; True where the table has changed."""
        if not text:
            self.talk.list(map(str, choices))
            return False
        try:
            typed = read_typed(text, choices, self.match.players, self.texts)
            who = seat if typed.seat is None else self._own(typed.seat)
            if typed.command:
                return self._command(typed.command, view)
            move = self._complete(typed, view)
        except Unclear as unclear:
            self.talk.say(str(unclear))
            return False
        return move is not None and self._try(who, move)

    def _own(self, seat: int) -> int:
        """The seat, where a person at this keyboard plays it."""
        if seat not in self.humans:
            raise Unclear(self.texts.text("play.not_yours", player=self.narrator.name(seat)))
        return seat

    def _try(self, seat: int, move: Move) -> bool:
        """Make a move, or say why it is refused."""
        try:
            self._do(seat, move)
        except Refused as error:
            self.talk.say(self.narrator.refusal(self.match.round, seat, move, error))
            return False
        return True

    def _complete(self, typed: Typed, view: View) -> Move | None:
        """The whole move, its color or player asked for where it is missing; None: thought better of it."""
        move = typed.move
        if typed.choice is not None:
            moves = typed.choice.moves
            picked = moves[0] if len(moves) == 1 else self._which(moves, view)
            if picked is None:
                return None
            move = picked
        assert move is not None, "a typed line is a command, a choice or a move"
        if typed.uno and move.verb == "play":
            return Move("play", move.card, move.color, move.target, uno=True)
        return move

    def _which(self, moves: Sequence[Move], view: View) -> Move | None:
        """Ask for the color or the player that a card needs."""
        key = "prompt.which_color" if moves[0].color is not None else "prompt.which_player"
        named = [named_words(move, self.narrator) for move in moves]
        self.talk.say(self.texts.text(key))
        self.talk.list(f"{words} – {code}" for words, code in named)
        while True:
            text = self.talk.ask()
            if not text:
                return None
            command = read_command(text, self.texts)
            if command:
                self._command(command, view)
                continue
            for number, (move, (words, code)) in enumerate(zip(moves, named, strict=True), start=1):
                letter = code.rstrip("!")[-1]
                if text.casefold() in (str(number), words.casefold(), letter.casefold(), code.casefold()):
                    return move
            try:
                seat = find_seat(text, self.match.players, self.texts)
            except Unclear:
                self.talk.say(self.texts.text("play.unclear", text=text))
                continue
            for move in moves:
                if move.target == seat:
                    return move
            self.talk.say(self.texts.text("play.unclear", text=text))

    def _command(self, command: str, view: View | None) -> bool:
        """Carry out a command; the table does not change."""
        if command == "quit":
            raise Left
        if command == "save":
            save(self.path, self.match, self.kinds)
            self.talk.say(self.texts.text("play.saved", path=self.path))
        elif command == "help":
            self.talk.say(*show.help_lines(self.texts, several=self.several))
        elif command == "rules":
            rules = explain(self.match.rules, self.texts.language, clauses=self.narrator.clauses)
            self.talk.say(rules.rstrip())
        elif view is not None and command == "hint":
            self.talk.say(*self._hint(view))
        elif view is not None and command == "hand":
            self.talk.say(*show.state(view, self.narrator, True, several=self.several))
            self.talk.list(map(str, find_choices(view, self.narrator)))
        elif command == "log" and view is not None and view.seat is not None:
            self.talk.say(*(self.log[view.seat][-_LOG_LINES:] or [self.texts.text("play.nothing_yet")]))
        return False

    def _hint(self, view: View) -> list[str]:
        """The best moves, where only bots play against the person on turn."""
        if self.several or view.turn != view.seat:
            return [self.texts.text("play.hint.refused")]
        return show.hint_lines(hints(view, weigh(view), self.narrator), self.texts)

    # --- a moment for people who are not on turn ----------------------------------------------------

    def _call(self) -> bool:
        """Let a bot that owes a call make it, unless it forgets. True where one did."""
        table = self.match.round
        for seat in sorted(table.exposed):
            bot = self.bots[seat]
            move = None if bot is None else bot.react(table.view(seat))
            if move is not None and move.verb == "uno":
                self._do(seat, move)
                return True
        return False

    def _moment(self) -> bool:
        """Before a bot acts: let people call, catch or jump in. True where one did."""
        table = self.match.round
        if len(self.humans) == len(self.bots):
            return False  # nobody at the table is faster than people: the prompts of their turns will do
        views = {seat: table.view(seat) for seat in self.humans}
        offers = tuple((seat, extras(view)) for seat, view in views.items())
        offers = tuple((seat, moves) for seat, moves in offers if moves and self._pressing(moves))
        mark = (*offers, (len(table.discard), ()))
        if not offers or mark == self._declined:
            return False
        self._hide()
        seat, moves = offers[0]
        view = views[seat]
        self.talk.say("", *show.moment(view, self.narrator, self.humans))
        choices: list[Choice] = []
        if not self.several:
            choices = group(moves, view, self.narrator)
            self.talk.list(map(str, choices))
        else:
            # Only calls and catches are named: a jump-in would give a hand away.
            lines = [f"{self.narrator.name(who)}: {move}" for who, some in offers for move in some]
            self.talk.say(*(line for line in lines if "catch" in line or "uno" in line))
        while True:
            text = self.talk.ask(self.texts.text("play.moment.enter"))
            if not text:
                self._declined = mark
                return False
            if self._act(text, seat, choices, view):
                return True

    def _pressing(self, moves: Sequence[Move]) -> bool:
        """Whether an offer cannot wait: a bot is on turn, or one could catch this person first."""
        on_turn = self.match.round.turn
        return self.bots[on_turn] is not None or any(move.verb == "uno" for move in moves)
