"""Match records: TOML files that people can read and programs can replay exactly.

``docs/record-format.md`` specifies the format. This module reads and writes it, and rejects changed files;
``lastcard.formats.replay`` replays a record and proves that it is true.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from lastcard.errors import NotationError, RecordError, RecordFormatError
from lastcard.game.cards import card_name, parse_card
from lastcard.game.moves import parse_seat_move, seat_move_text
from lastcard.game.position import KEYS as POSITION_KEYS
from lastcard.game.position import UNKNOWN_CARD, Position, parse_position, position_table
from lastcard.game.rulecards import RuleCard, parse_rule_card
from lastcard.game.rulesets import MAX_PLAYERS, MIN_PLAYERS, Ruleset, ruleset, stored_name, stored_ruleset
from lastcard.game.seeds import NUMBER_BYTES, Shuffle, commitment, mix_seed
from lastcard.game.toml import (
    Fields,
    describe_type,
    expect_bool,
    expect_number,
    expect_numbers,
    expect_text,
    faults_text,
    parse_toml,
    toml_lines,
    toml_rows,
)
from lastcard.match.score_table import draw_scores
from lastcard.match.view import View

FORMAT: Final = 1
"""Format version that this module writes, and the newest that it reads."""
CHECK_DIGITS: Final = 16

HEAD_KEYS: Final = (
    "format", "rules", "players", "host", "commitment", "seed", "promise", "numbers", "secret", "rule_cards", "check"
)  # fmt: skip
RESULT_KEYS: Final = ("winners", "check")
BLOCKS: Final = ("round", "result", "view")
_HEX_DIGITS: Final = "0123456789abcdef"
ROUND_KEYS: Final = ("number", "dealer", "moves", "winner", "void", "held", "scores", "check")
_VIEW_KEYS: Final = ("seat", "decision", "top", *(key for key in POSITION_KEYS if key not in ("rules", "options")))

Extra = Mapping[str, Any]
"""Keys that start with ``_``, which are preserved and not interpreted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRecord:
    """One round of a record."""

    dealer: int
    moves: tuple[str, ...] = ()
    """Moves in order, as canonical text with seats: ``"0:R5"``."""
    winner: int | None = None
    """Seat of the winner; None for a void or unfinished round."""
    void: bool = False
    held: tuple[int, ...] | None = None
    """Points left in each hand at its end; None for an unfinished round."""
    scores: tuple[int, ...] | None = None
    """Match scores after it; None for an unfinished round."""
    extra: Extra = field(default_factory=dict, hash=False)

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.void or self.winner is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """The view of one seat, in the record of an unfinished match."""

    seat: int | None
    """Seat of the viewer; None for a spectator."""
    decision: str
    position: Position
    """Position; cards that the seat may not know are ``UNKNOWN_CARD``."""
    top: int | None = None
    """Card to be matched, if it is not on the discard pile (LC-10, ``keep_none``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A match from its seed to its last move. ``str()`` is the text of its file.

    >>> play(Match("all-wild", ["Ann", "Bo"], seed=1), "sharp").record()
    <Record of all-wild: Ann, Bo; rounds: 1; won by Ann>
    """

    rules: Ruleset
    players: tuple[str, ...]
    """Names of the players, seat 0 first."""
    commitment: str
    """SHA-256 of the seed in hex, shown before the first card is dealt."""
    host: int = 0
    seed: bytes | None = None
    """32 bytes from which all chance is derived; None for an unfinished match."""
    shuffle: Shuffle | None = None
    """Sources of the seed, if the match was played on a server."""
    rule_cards: tuple[RuleCard, ...] | None = None
    """Rule cards that the players wrote; None if there are none or the match is unfinished."""
    rounds: tuple[RoundRecord, ...] = ()
    """Only the last may be unfinished."""
    winners: tuple[int, ...] | None = None
    """Seats of the winners; None for an unfinished match."""
    view: SeatView | None = None
    """One seat's, if the seed is left out."""
    extra: Extra = field(default_factory=dict, hash=False)
    result_extra: Extra = field(default_factory=dict, hash=False)
    """Those of ``[result]``."""

    def _repr_svg_(self) -> str:
        return draw_scores(self.players, [(played.winner, played.scores) for played in self.rounds])

    def __repr__(self) -> str:
        won = "" if self.winners is None else "; won by " + " and ".join(self.players[seat] for seat in self.winners)
        return f"<Record of {self.rules}: {', '.join(self.players)}; rounds: {len(self.rounds)}{won}>"

    def __str__(self) -> str:
        return self.text()

    def public(self, view: View | None = None) -> Record:
        """Returns the record that may be shown during the match: without seed, secret and written rule cards.

        The cards of a ``view``, that of the reader, are part of it.
        """
        shuffle = None if self.shuffle is None else replace(self.shuffle, secret=None)
        shown = None if view is None else _seat_view(view)
        return replace(self, seed=None, shuffle=shuffle, rule_cards=None, view=shown)

    def text(self) -> str:
        """Returns the record as TOML."""
        checks = self.checks()
        head = _head_table(self)
        if self.seed is not None:
            head["seed"] = self.seed.hex()
        if self.shuffle is not None and self.shuffle.secret is not None:
            head["secret"] = self.shuffle.secret.hex()
        blocks = [toml_lines(head | {"check": checks[0], **self.extra})]
        blocks += [_round_text(number, played, checks[number]) for number, played in enumerate(self.rounds, start=1)]
        if self.winners is not None:
            result = {"winners": list(self.winners), "check": checks[-1], **self.result_extra}
            blocks.append("[result]\n" + toml_lines(result))
        if self.view is not None:
            blocks.append(_view_text(self.view))
        return "\n".join(blocks)

    def checks(self) -> list[str]:
        """Returns the checksums of the head, of every round, and of any result; each covers all before it."""
        blocks = [_head_table(self)]
        blocks += [_round_table(number, played) for number, played in enumerate(self.rounds, start=1)]
        blocks += [{"winners": list(self.winners)}] if self.winners is not None else []
        checks = [""]
        for block in blocks:
            lines = toml_lines(dict(sorted(block.items())))
            checks.append(hashlib.sha256(f"{checks[-1]}\n{lines}".encode()).hexdigest()[:CHECK_DIGITS])
        return checks[1:]

    def check_seed(self) -> None:
        """Check that the seed, if present, matches its commitment and shuffle; a RecordError names the wrong key."""
        if self.seed is None:
            return
        if commitment(self.seed) != self.commitment:
            raise RecordError("head: the commitment does not match the seed")
        shuffle = self.shuffle
        if shuffle is None:
            return
        if shuffle.secret is None:
            raise RecordError("head: secret: left out, though the seed is there")
        if commitment(shuffle.secret) != shuffle.promise:
            raise RecordError("head: the promise does not match the secret")
        if mix_seed(shuffle.secret, shuffle.numbers) != self.seed:
            raise RecordError("head: the secret and the numbers do not give the seed")

    @classmethod
    def parse(cls, text: str, unchecked: bool = False) -> Record:
        """Returns the record of a TOML text (``text()``); ``verify_record`` checks the legality of its moves.

        Args:
            unchecked: whether to accept a record with wrong checksums, which ``verify_record`` may still prove.

        Raises:
            RecordFormatError: if it is no record, or has a newer format.
            RecordError: if it is damaged, or was changed after it was written; names the place.
        """
        if not isinstance(text, str):
            raise RecordFormatError(
                f"a record is read from its text, not from {describe_type(text)}; read_record reads a file"
            )
        try:
            document = parse_toml(text)
        except NotationError as error:
            raise RecordFormatError(f"the record is not TOML: {error}") from None
        version = document.get("format")
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            without = "; what has none is no match record" if version is None else ""
            raise RecordFormatError(f"head: format: expected the version of the format, a whole number from 1{without}")
        if version > FORMAT:
            raise RecordFormatError(
                f"head: format: {version} is newer than this lastcard reads; it reads up to {FORMAT}"
            )
        record, checks = _read_document(document)
        if not unchecked:
            _verify_checks(record, checks)
        return record


def _seat_view(view: View) -> SeatView:
    """Returns the part of a view that a record contains."""
    hands: list[Sequence[int]] = list(view.hands or ((UNKNOWN_CARD,) * count for count in view.counts))
    if view.hand is not None and view.seat is not None:
        hands[view.seat] = view.hand
    position = Position(
        rules=ruleset(view.rules),
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        discard=tuple(view.discard),
        draw=(UNKNOWN_CARD,) * view.draw_count,
        color=view.color,
        turn=view.turn,
        direction=view.direction,
        dealer=view.dealer,
        called=tuple(sorted(seat for seat in view.called if len(hands[seat]) == 1)),
        scores=(0,) * view.players,
    )
    covered = view.discard and view.discard[-1] == view.top
    return SeatView(seat=view.seat, decision=view.decision, position=position, top=None if covered else view.top)


# --- writing ------------------------------------------------------------------------------------


def _head_table(record: Record) -> dict[str, Any]:
    """Returns the head without seed and secret, which commitment and promise represent."""
    table: dict[str, Any] = {
        "format": FORMAT,
        "rules": stored_name(record.rules),
        "players": list(record.players),
        "host": record.host,
        "commitment": record.commitment,
    }
    if record.shuffle is not None:
        table |= {"promise": record.shuffle.promise, "numbers": list(record.shuffle.numbers)}
    if record.rule_cards is not None:
        table["rule_cards"] = [card.text for card in record.rule_cards]
    return table


def _round_table(number: int, played: RoundRecord) -> dict[str, Any]:
    """Returns the keys and values of a round, in order."""
    table: dict[str, Any] = {"number": number, "dealer": played.dealer, "moves": list(played.moves)}
    if played.winner is not None:
        table["winner"] = played.winner
    if played.void:
        table["void"] = True
    for key, points in (("held", played.held), ("scores", played.scores)):
        if points is not None:
            table[key] = list(points)
    return table


def _round_text(number: int, played: RoundRecord, check: str) -> str:
    """Returns the TOML block of a round, with its moves in rows."""
    lines = [
        f"moves = {toml_rows(value)}\n" if key == "moves" else toml_lines({key: value})
        for key, value in _round_table(number, played).items()
    ]
    return "[[round]]\n" + "".join(lines) + toml_lines({"check": check, **played.extra})


def _view_text(view: SeatView) -> str:
    """Returns the TOML block of a view."""
    top = None if view.top is None else card_name(view.top)
    table = {"seat": view.seat, "decision": view.decision, "top": top, **position_table(view.position)}
    return "[view]\n" + toml_lines({k: v for k, v in table.items() if k in _VIEW_KEYS and v is not None})


# --- reading ------------------------------------------------------------------------------------


def _read_document(document: Mapping[str, Any]) -> tuple[Record, list[str]]:
    """Returns the record of a document, and the checksums in it."""
    head = Fields({k: v for k, v in document.items() if k not in BLOCKS}, HEAD_KEYS, "head: ", allow_private=True)
    rules = head.read("rules", lambda value: stored_ruleset(expect_text(value)), None, required=True)
    players = head.read_each("players", check_name, required=True)
    count = None if "players" in head.unreadable else len(players)
    if count is not None and not MIN_PLAYERS <= count <= MAX_PLAYERS:
        head.fault("players", f"{count} players; a table has {MIN_PLAYERS} to {MAX_PLAYERS} (CO-47)")
        count = None
    seat = _seat_reader(count)
    host = head.read("host", seat, 0)
    committed = head.read("commitment", _read_digest, "", required=True)
    seed = head.read("seed", lambda value: bytes.fromhex(_read_digest(value)), None)
    shuffle = _read_shuffle(head, count)
    cards = (
        head.read_each("rule_cards", lambda value: parse_rule_card(expect_text(value)))
        if "rule_cards" in head
        else None
    )
    checks = [head.read("check", expect_text, "", required=True)]
    faults = head.faults
    rounds, found = _read_rounds(document.get("round", []), count, faults)
    checks += found
    result = Fields(_block_of(document, "result"), RESULT_KEYS, "result: ", allow_private=True)
    winners = tuple(sorted(result.read_each("winners", seat, required=True))) if "result" in document else None
    if winners is not None:
        checks.append(result.read("check", expect_text, "", required=True))
        if not rounds or not rounds[-1].over:
            result.fault("winners", "a match cannot be over before its last round is")
        faults += result.faults
    view = _read_view(_block_of(document, "view"), rules, faults) if "view" in document and rules else None
    if faults or rules is None:
        raise RecordError(faults_text(faults))
    record = Record(
        rules=rules,
        players=players,
        host=host,
        commitment=committed,
        seed=seed,
        shuffle=shuffle,
        rule_cards=cards,
        rounds=tuple(rounds),
        winners=winners,
        view=view,
        extra=head.extra,
        result_extra=result.extra,
    )
    return record, checks


def _read_shuffle(head: Fields, players: int | None) -> Shuffle | None:
    """Returns the sources of the seed; None if the record has none. For ``players`` see ``_seat_reader``."""
    if not any(key in head for key in ("promise", "numbers", "secret")):
        return None
    promise = head.read("promise", _read_digest, "", required=True)
    numbers = head.read_each("numbers", _read_shuffle_number, required=True)
    if players not in (None, len(numbers)) and "numbers" not in head.unreadable:
        head.fault("numbers", f"expected {players} numbers, one for each player, not {len(numbers)}")
    return Shuffle(promise, numbers, head.read("secret", lambda value: bytes.fromhex(_read_digest(value)), None))


def _read_rounds(tables: object, players: int | None, faults: list[str]) -> tuple[list[RoundRecord], list[str]]:
    """Returns the rounds of a document and their checksums; appends errors to ``faults``."""
    if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
        raise RecordError("round: expected an array of [[round]]")
    rounds: list[RoundRecord] = []
    checks: list[str] = []
    for number, table in enumerate(tables, start=1):
        fields = Fields(table, ROUND_KEYS, f"round {number}: ", allow_private=True)
        rounds.append(_read_round(fields, number, players, last=number == len(tables)))
        checks.append(fields.read("check", expect_text, "", required=True))
        faults += fields.faults
    return rounds, checks


def _block_of(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    block = document.get(name, {})
    if not isinstance(block, Mapping):
        raise RecordError(f"{name}: expected a table, [{name}]")
    return block


def check_name(value: object) -> str:
    """Returns the name of a player in a record; raises a NotationError if it is no valid name."""
    name = expect_text(value)
    if not name.strip() or any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in name):
        raise NotationError(f"{name!r} is not a name; a name is one line of text")
    return name


def _read_digest(value: object) -> str:
    text = expect_text(value).strip().lower()
    if len(text) != 64 or not set(text) <= set(_HEX_DIGITS):
        raise NotationError(f"{expect_text(value)!r} is not 64 hex digits")
    return text


def _read_shuffle_number(value: object) -> str:
    """Returns a player's number for the shuffle in its exact spelling, on which the seed depends."""
    text = expect_text(value)
    if text and (len(text) != 2 * NUMBER_BYTES or not set(text) <= set(_HEX_DIGITS)):
        raise NotationError(f"{text!r} is neither empty nor {2 * NUMBER_BYTES} hex digits")
    return text


def _verify_checks(record: Record, found: Sequence[str]) -> None:
    """Reject a record whose checksums or seed do not match its content."""
    record.check_seed()
    places = ["head", *(f"round {number}" for number in range(1, len(record.rounds) + 1)), "result"]
    for place, right, check in zip(places, record.checks(), found, strict=False):
        if check != right:
            raise RecordError(
                f"{place}: the check does not match: something in this part was changed after it was written"
            )


def _seat_reader(players: int | None) -> Callable[[object], int]:
    """Returns a reader of seats for a number of players; None accepts any seat."""

    def read(value: object) -> int:
        seat = expect_number(value)
        if players is not None and not 0 <= seat < players:
            raise NotationError(f"there is no seat {seat}; the seats are 0 to {players - 1}")
        return seat

    return read


def _read_round(fields: Fields, number: int, players: int | None, last: bool) -> RoundRecord:
    """Returns the round of a block; errors are collected in ``fields``."""
    seat = _seat_reader(players)
    if fields.read("number", expect_number, 0, required=True) != number and "number" not in fields.unreadable:
        fields.fault("number", f"rounds are numbered in order; expected {number}")

    def read_move(value: object) -> str:
        actor, move = parse_seat_move(expect_text(value))
        return seat_move_text(seat(actor), move)

    def read_points(value: object) -> tuple[int, ...]:
        found = expect_numbers(value)
        if players not in (None, len(found)):
            raise NotationError(f"expected {players} numbers, one for each player, not {len(found)}")
        return found

    played = RoundRecord(
        dealer=fields.read("dealer", seat, 0, required=True),
        moves=fields.read_each("moves", read_move, required=True),
        winner=fields.read("winner", seat, None),
        void=fields.read("void", expect_bool, False),
        held=fields.read("held", read_points, None),
        scores=fields.read("scores", read_points, None),
        extra=fields.extra,
    )
    if played.void and played.winner is not None:
        fields.fault("void", "a void round has no winner")
    if not played.over and (not last or "held" in fields or "scores" in fields):
        fields.fault("winner", "missing; only the last round may be going on, and then it has no held and scores")
    return played


def _read_view(table: Mapping[str, Any], rules: Ruleset, faults: list[str]) -> SeatView | None:
    """Returns the view of a block; appends errors to ``faults``."""
    fields = Fields(table, _VIEW_KEYS, "view: ")
    decision = fields.read("decision", expect_text, "", required=True)
    position = {key: value for key, value in table.items() if key in POSITION_KEYS}
    try:
        shown = parse_position(position | {"rules": str(rules)}, is_view=True)
    except NotationError as error:
        faults += [*fields.faults, f"view: {error}"]
        return None
    seat = fields.read("seat", _seat_reader(len(shown.hands)), None)
    top = fields.read("top", lambda value: parse_card(expect_text(value)), None)
    faults += fields.faults
    return SeatView(seat=seat, decision=decision, position=shown, top=top)
