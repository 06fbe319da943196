"""Tables side by side in compiled code: what every door for learners stands on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Final, NoReturn

import numpy as np

from lastcard.ai.actor import ROOM, Rater
from lastcard.bots import learned
from lastcard.envs.abreast import Crew, Step
from lastcard.envs.compiled import vector as kernel
from lastcard.envs.compiled.episodes import POINTS, RANK, WIN
from lastcard.envs.features import Features, check_array, features
from lastcard.errors import UsageError, suggest
from lastcard.game.cards import CARD_SLOTS
from lastcard.game.numbers import as_int
from lastcard.game.options import with_options
from lastcard.game.rulesets import SECRET_NUMBERS, Ruleset, as_ruleset, known_deck
from lastcard.game.seeds import SEED_BYTES, Seed, parse_seed
from lastcard.kernel.arrays import copy, pack, unpack, zeros
from lastcard.kernel.jit import Bound, bind, form, speed_up
from lastcard.match.setup import build_deck, check_players, default_rule_cards, pack_deck, pack_rules
from lastcard.match.view import Face, read_face
from lastcard.rules import chance
from lastcard.rules.layout import DICE, MAX_ACTIONS, NOTHING
from lastcard.rules.table import TABLE, new_tables

REWARDS: Final = {"win": WIN, "points": POINTS, "rank": RANK}
EPISODES: Final = ("round", "match")
CALLS: Final = ("automatic", "decisions")
_MANY: Final = 64
"""Tables from which on it is supposed that they are stepped for long, and that native code pays."""
BOTS: Final = {
    None: kernel.ASKED,
    "random": kernel.BY_CHANCE,
    "heuristic": kernel.BY_THUMB,
    "sharp": kernel.BY_THUMB,
    "trained": kernel.LEARNED,
}
"""Who may play a seat in compiled code; None: it is asked."""
DTYPES: Final = {"uint8": np.uint8, "float32": np.float32}
LONGEST: Final = 5000
"""Acts after which an episode is cut off, where nothing else is said."""
MOST_ACTS: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played, and for what.

    Args:
        rules: a ruleset or its name.
        players: 2 to 10.
        reward: ``win``: 1 shared by who wins and -1 by who does not; ``points``: as scored, a tally as a loss (AW-51,
            CL-51, CL-52, WJ-61); ``rank``: from 1 for the first to -1 for the last.
        episode: ``round``, or ``match``: rounds until the winning score.
        calls: ``automatic``: the table calls UNO for everybody; ``decisions``: calls and catches are acts.
        longest: acts after which an episode is cut off.

    Raises:
        RulesError, UsageError: for what does not exist; says what does.
    """

    rules: Ruleset | str = "classic"
    players: int = 2
    reward: str = "win"
    episode: str = "round"
    calls: str = "automatic"
    longest: int = LONGEST

    def __post_init__(self) -> None:
        rules = as_ruleset(self.rules)
        players = as_int("the number of players", self.players)
        check_players(rules, players)
        for name, choices in (("reward", tuple(REWARDS)), ("episode", EPISODES), ("calls", CALLS)):
            value = getattr(self, name)
            if value not in choices:
                raise UsageError(f"{name} is one of {', '.join(choices)}, not {value!r}")
        longest = as_int("longest", self.longest, 1, MOST_ACTS)
        if self.calls == "automatic":
            penalties = {"false_uno_penalty": "none", "false_catch_penalty": "none"}
            rules = Ruleset(rules.game, with_options(rules.options, uno_window="automatic_call", **penalties))
        for name, made in (("rules", rules), ("players", players), ("longest", longest)):
            object.__setattr__(self, name, made)

    @classmethod
    def of(cls, rules: Ruleset | str, players: int, named: Mapping[str, Any], others: Sequence[str]) -> Terms:
        """Terms of which all but the first two are given by name.

        Args:
            rules, players: the first two.
            named: the others.
            others: what else could have been named where these were.

        Raises:
            UsageError: for a name that none has; says which there are.
        """
        names = [field.name for field in fields(cls)]
        for name in named:
            if name not in names:
                right = [*names, *others]
                raise UsageError(f"there is no setting {name!r}; there are {', '.join(right)}{suggest(name, right)}")
        return cls(rules, players, **named)

    @property
    def ruleset(self) -> Ruleset:
        """The rules in force."""
        assert isinstance(self.rules, Ruleset)
        return self.rules

    @property
    def features(self) -> Features:
        """How a row is laid out, and which acts there are."""
        return features(self.ruleset, self.players)


class Tables:
    """``count`` tables that are played together. Nothing but ``step`` and ``begin`` changes them.

    Args:
        terms: what is played.
        count: how many tables.
        seats: by seat a compiled bot (``random``, ``sharp``, ``trained``), or None where it is asked; empty: all are
            asked.
        at_once: whether an episode that ended is followed by the next in the same step, or by the next step.
        dtype: of rows: ``uint8`` or ``float32``.
        seed: of all chance.
        threads: how many step them, each a part, in native code; they change nothing but the time.

    Raises:
        UsageError: for what makes no sense, and for several threads where there is no native code.
    """

    def __init__(
        self,
        terms: Terms,
        count: int,
        *,
        seats: Sequence[str | None] = (),
        at_once: bool = True,
        dtype: str = "float32",
        seed: Seed = None,
        threads: int = 1,
    ) -> None:
        count = as_int("the number of tables", count, 1)
        threads = as_int("the number of threads", threads, 1)
        if dtype not in DTYPES:
            raise UsageError(f"dtype is one of {', '.join(DTYPES)}, not {dtype!r}")
        _check_room(terms, count, DTYPES[dtype], at_once)
        self.terms, self.count = terms, count
        self.features = layout = terms.features
        self.actions = layout.actions
        players, places, acts = terms.players, layout.places, len(layout.actions)
        self._tables: Any = new_tables(count)
        self._desks: Any = zeros(count, kernel.DESK)
        self._rooms: Any = zeros(1, kernel.ROOM)
        self._known: Any = zeros((count, players, players, places), np.uint8)
        self._laid: Any = zeros((count, places), np.uint8)
        self._weights: Any = learned.thumb_weights(str(terms.ruleset), players)
        self._seats = fill_seats(seats, players)
        self._rater = _rater(terms.ruleset, "trained" in self._seats)
        self._out: Any = zeros(MAX_ACTIONS, np.int64)
        self._dice: Any = zeros(DICE, np.int64)
        self._sampled: Any = zeros(count, np.int64)
        self._chosen: Any = zeros(count, np.int64)
        wide = dtype != "uint8"
        self._bytes = self._new_rows(count, np.uint8)
        """Rows as they are written; those that are shown where nobody wants them wider."""
        self._seen = self._new_rows(1, np.uint8)[0]
        """Room for a row: see ``look``."""
        self.rows: Any = self._new_rows(count, np.float32) if wide else self._bytes
        """(count, size): what the seat that is asked may know."""
        self.masks: Any = zeros((count, acts), np.uint8)
        """uint8 (count, acts): 1 for every legal act."""
        self.rewards: Any = zeros((count, players), np.float32)
        """float32 (count, players): what the last step gave each seat."""
        self.ended: Any = zeros(count, np.uint8)
        """uint8 (count,): 1 where the last step ended an episode."""
        self.cut: Any = zeros(count, np.uint8)
        """uint8 (count,): 1 where the last step cut one off."""
        self.last_rows: Any = copy(self.rows) if at_once else self.rows[:0]
        """Rows of episodes that ended, where the next began at once; of a seat that is asked, whoever ended them."""
        none, none_wide = self._bytes[:0], self._new_rows(0, np.float32)
        self.parts = (
            kernel.Batch(self._tables, self._desks, self._known, self._laid),
            kernel.Common(
                self._rooms, self.actions.actions, layout.kinds, self.actions.ids, layout.options, self._weights,
                self._rater, self._out,
            ),
            kernel.Shown(
                self._bytes, self.rows if wide else none_wide, self.masks, self.rewards, self.ended, self.cut,
                none if wide else self.last_rows, self.last_rows if wide else none_wide,
            ),
        )  # fmt: skip
        """What compiled code gets."""
        if count >= _MANY or threads > 1:
            speed_up()
        self._threads = threads
        self._crew = Crew(*self.parts, threads) if threads > 1 else None
        self._fill_room()
        self._rule_cards = default_rule_cards(terms.ruleset)
        self._pack_rules()
        self.seed(seed)

    def __reduce__(self) -> Any:
        # A copy is made and then written over: compiled code knows the arrays made here, and what is shared stays so.
        parts = {name: pack(getattr(self, name)) for name in _PARTS}
        settings = {
            "seats": self._seats,
            "at_once": self.last_rows.size > 0,
            "dtype": self.rows.dtype.name,
            "threads": self._threads,
        }
        return _restore, (self.terms, self.count, settings, parts)

    def _new_rows(self, count: int, kind: Any) -> Any:
        """So many rows of one type, with the options in them."""
        rows = zeros((count, self.features.size), kind)
        rows[:, self.features.changing :] = self.features.options
        return rows

    def _fill_room(self) -> None:
        room, terms = self._rooms[0], self.terms
        room["players"], room["changing"], room["wait"] = terms.players, self.features.changing, self.actions.wait
        room["counted"] = len(self.features.cards)
        room["longest"], room["reward"] = terms.longest, REWARDS[terms.reward]
        room["match"] = terms.episode == "match"
        room["winning_score"] = terms.ruleset.options.winning_score
        room["by"][: terms.players] = [BOTS[bot] for bot in self._seats]

    def _pack_rules(self) -> None:
        """Write rules and deck into every table: once for all, for that takes as long as hundreds of acts."""
        rules, nothing = self.terms.ruleset, bytes(SEED_BYTES)
        pack_rules(self._tables[0], rules, self.terms.players, nothing, self._rule_cards)
        pack_deck(self._tables[0], build_deck(rules, nothing))
        records = self._tables.view(np.ndarray).view(np.uint8).reshape(self.count, -1)
        records[1:] = records[0]

    def seed(self, seed: Seed, chosen: Any = None) -> None:
        """Give every table chance of its own, from one seed; the next ``begin`` deals by it.

        Args:
            seed: of all chance.
            chosen: int64 numbers of the tables that get it; None for all, and for ``sample``.
        """
        root = parse_seed(seed)
        if chosen is None:
            self._dice[:] = _dice(root)
        for i in range(self.count) if chosen is None else chosen.tolist():
            key = hashlib.sha256(root + i.to_bytes(8, "little")).digest()
            self.deal_by(i, key, 0)
            self._desks[i]["dice"] = _dice(key)

    def deal_by(self, i: int, key: bytes, dealer: int) -> None:
        """Let the next ``begin`` of a table deal what a match with this seed and this first dealer deals."""
        i, dealer = self._find_table(i), self._find_seat(dealer)
        table, desk, rules = self._tables[i], self._desks[i], self.terms.ruleset
        table["key"] = chance.seed_words(key)
        if rules.options.wj_number_distribution == SECRET_NUMBERS:
            pack_deck(table, build_deck(rules, key))
        desk["number"], desk["first"] = 0, dealer

    def begin(self, chosen: Any = None) -> None:
        """Begin the episodes of some tables (int64 numbers), or of all."""
        which = slice(None) if chosen is None else chosen
        self._desks["over"][which] = 1  # so that the next step begins it anew
        self._chosen[:] = NOTHING
        self._chosen[which] = 0
        self._step.call(True)

    def step(self, chosen: Any, partly: bool = False) -> None:
        """Do one act at every table; where an episode is over, whatever is asked, the next one begins.

        Args:
            chosen: int64 (count,): the numbers of legal acts.
            partly: whether -1 leaves a table, and what the last step said of it, as it is.

        Raises:
            UsageError: for an illegal act or an array of another shape or type; nothing was done then.
        """
        check_array("actions", chosen, _INTEGERS, (self.count,))
        self._chosen[:] = chosen
        wrong = self._step.call(partly)
        if wrong >= 0:
            self.refuse(wrong, int(chosen[wrong]))

    # Calls are bound to their tuples: to find out the types of those takes longer than a step at one table.

    @cached_property
    def _step(self) -> Step:
        """Does the acts in ``_chosen``; see ``kernel.step``."""
        return self._bind(self._chosen)

    @cached_property
    def _look(self) -> Bound:
        """Writes a row for a table and a seat; see ``kernel.look``."""
        return bind(kernel.look, self.parts[:2], (0, 0, self._seen))

    def bind(self, chosen: Any, partly: bool = False) -> Step:
        """``step`` made ready for one array that is written over, where every microsecond counts.

        Returns:
            Its ``call`` does the step and gives -1, or the first table whose act is illegal: see ``refuse``.
        """
        check_array("actions", chosen, _INTEGERS, (self.count,))
        return self._bind(chosen, partly)

    def _bind(self, chosen: Any, *partly: bool) -> Step:
        """A step of all tables; without ``partly`` its ``call`` takes it."""
        if self._crew is not None:
            return self._crew.bind(chosen, *partly)
        return bind(kernel.step, (*self.parts, chosen, *partly), () if partly else (False,))

    def check(self, chosen: Any, partly: bool = False) -> None:
        """Raise what ``step`` would raise; change nothing."""
        check_array("actions", chosen, _INTEGERS, (self.count,))
        wrong = kernel.find_illegal(self._desks, self.masks, chosen, partly)
        if wrong >= 0:
            self.refuse(wrong, int(chosen[wrong]))

    def refuse(self, i: int, number: int) -> NoReturn:
        """Raise what is wrong with an act, and what would be right."""
        if not self.masks[i].any():
            raise UsageError(f"nobody is asked at table {i}; begin() deals")
        names = self.actions.names
        legal = ", ".join(f"{k} ({names[k]})" for k in np.flatnonzero(self.masks[i]))
        what = f"{number} ({names[number]})" if 0 <= number < len(names) else str(number)
        raise UsageError(f"act {what} is not legal for seat {self._desks[i]['seat']} at table {i}; it may do {legal}")

    def sample(self) -> Any:
        """A legal act for every table, each as likely: int64 (count,), the same array every time."""
        kernel.pick(self._desks, self._dice, self._sampled)
        return self._sampled

    def deal_of(self, i: int) -> tuple[int, int, bytes]:
        """How the round at a table was dealt: its number, its dealer and the 32 bytes of chance it came from."""
        table = self._tables[self._find_table(i)]
        return int(table["number"]), int(table["dealer"]), table["key"].astype("<u4").tobytes()

    def state(self, i: int) -> Any:
        """The round state at a table, with everything that is hidden; it must not be changed."""
        return self._tables[self._find_table(i)]

    def snapshot(self) -> tuple[Any, ...]:
        """Copies of everything that a step changes but the dice, for ``restore``."""
        return tuple(getattr(self, name).copy() for name in _CHANGING)

    def restore(self, snapshot: Sequence[Any]) -> None:
        """Go back to a snapshot of these tables."""
        for name, saved in zip(_CHANGING, snapshot, strict=True):
            getattr(self, name)[:] = saved

    def look(self, i: int, seat: int, row: Any) -> None:
        """Write what any seat may know of a table, whoever is asked, into a copy of a row of ``rows``.

        Raises:
            UsageError: for a table or a seat that there is none of.
        """
        self._look.call(self._find_table(i), self._find_seat(seat), self._seen)
        row[...] = self._seen

    def hands(self, i: int) -> Any:
        """int8 (players, kinds): all hands of a table as counts. The truth: show others ``rows``."""
        return self._tables["counts"][self._find_table(i), : self.terms.players].take(self.features.cards, axis=1)

    def face(self, i: int) -> Face:
        """What lies open at a table."""
        i = self._find_table(i)
        return read_face(self._tables[i : i + 1], self.terms.players, self._rule_cards)

    def _find_table(self, i: int) -> int:
        """The number of a table, refused where there is no such table."""
        return as_int("a table", i, 0, self.count - 1)

    def _find_seat(self, seat: int) -> int:
        """The number of a seat, refused where there is no such seat."""
        return as_int("a seat", seat, 0, self.terms.players - 1)

    @property
    def seats(self) -> Any:
        """int64 (count,): who is to act at every table."""
        return self._desks["seat"]

    @property
    def over(self) -> Any:
        """int64 (count,): 1 where the episode is over."""
        return self._desks["over"]

    @property
    def reacting(self) -> Any:
        """int64 (count,): 1 where a seat is asked out of turn."""
        return self._desks["reacts"]

    @property
    def scores(self) -> Any:
        """int64 (count, players): points of the episode so far."""
        return self._desks["scores"][:, : self.terms.players]


_PARTS: Final = (
    "_tables", "_desks", "_rooms", "_known", "_laid", "_dice", "rows", "masks", "rewards", "ended", "cut", "last_rows"
)  # fmt: skip
"""The arrays that a step may change, and what all tables have in common."""
_CHANGING: Final = tuple(name for name in _PARTS if name not in ("_rooms", "_dice", "last_rows"))
"""The arrays of a snapshot."""


def _restore(terms: Terms, count: int, settings: dict[str, Any], parts: dict[str, bytes]) -> Tables:
    """Tables as they were when they were copied or pickled."""
    tables = Tables(terms, count, **settings, seed=0)
    for name, part in parts.items():
        array = getattr(tables, name)
        array[...] = unpack(array.dtype, part).reshape(array.shape)
    return tables


def _rater(rules: Ruleset, plays: bool) -> Rater:
    """The learned player of a game and room for it; empty arrays where it does not play."""
    if not plays:
        return Rater(*(zeros(0, kind) for kind in (np.float32, np.int64, np.float32, np.float64)))
    deck = copy(np.bincount(known_deck(rules), minlength=CARD_SLOTS))
    return Rater(learned.policy(str(rules)), deck, zeros(ROOM, np.float32), zeros(MAX_ACTIONS, np.float64))


def _dice(key: bytes) -> Any:
    """Chance for what is no part of the rules."""
    return np.frombuffer(hashlib.sha256(b"dice" + key).digest()[: 4 * DICE], "<u4")


def _check_room(terms: Terms, count: int, dtype: Any, at_once: bool) -> None:
    """Refuse tables that do not fit: to find out by making them would leave no memory for anything else."""
    players, places, layout = terms.players, terms.features.places, terms.features
    wide = np.dtype(dtype).itemsize
    row = layout.size * ((1 if wide == 1 else 1 + wide) + (wide if at_once else 0))
    each = TABLE.itemsize + kernel.DESK.itemsize + (players * players + 1) * places + row
    each += len(layout.actions) + 4 * players + 2 * np.dtype(np.int64).itemsize + 2  # masks, rewards, acts, flags
    room = form().room
    if count * each > room:
        fit = int(room // each)
        raise UsageError(f"{count:,} tables of {terms.ruleset} for {players} do not fit into memory; {fit:,} do")


_INTEGERS: Final = (np.dtype(np.int64),)


def fill_seats(seats: Sequence[str | None], players: int) -> tuple[str | None, ...]:
    """Who plays each seat.

    Raises:
        UsageError: for too many or too few seats, an unknown bot, or nobody to be asked.
    """
    if isinstance(seats, str) or not isinstance(seats, Sequence):
        raise UsageError(f"seats are given one by one, as in (None, 'sharp'), not as {seats!r}")
    chosen = tuple(seats) or (None,) * players
    if len(chosen) != players:
        raise UsageError(f"seats are given for all {players} players or none, not for {len(chosen)}")
    for bot in chosen:
        if not isinstance(bot, str | None) or bot not in BOTS:
            names = ", ".join(repr(name) for name in BOTS)
            raise UsageError(f"a seat is played by one of {names} in compiled code, not by {bot!r}")
    if None not in chosen:
        raise UsageError("at least one seat must be None: that of whoever is asked")
    return chosen
