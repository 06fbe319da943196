"""Setup of a session: people, bots, written rule cards, and a new or resumed match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastcard.bots.base import CASUAL, Bot
from lastcard.bots.registry import DEFAULT_BOT, LEVELS, make_bot
from lastcard.errors import NotationError, UsageError
from lastcard.game.rulecards import BUILT_IN, RuleCard, cards_per_player, parse_rule_card
from lastcard.game.rulesets import MAX_PLAYERS, ruleset
from lastcard.game.seeds import parse_seed
from lastcard.match.match import Match
from lastcard.terminal import display
from lastcard.terminal.input_parser import parse_command
from lastcard.terminal.line_client import LineClient
from lastcard.terminal.line_io import InputEnded, LineTerminal
from lastcard.terminal.saves import check_save_path, is_same_path, load_match, lock_match, new_path, save_match
from lastcard.text.locale import Catalog, catalog
from lastcard.text.wording import describe_rule_card, describe_rule_card_error, rule_card_help

BOT_NAMES: Final = ("Ada", "Bela", "Cleo", "Dora", "Emil", "Fritz", "Greta", "Hugo", "Iris", "Jonas", "Kira")
_DEFAULT_PLAYERS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSetup:
    """Options of a session."""

    rules: str | None = None
    """Name of the ruleset; None for classic."""
    players: int | None = None
    """Number of players, bots included; None for the number of names, or four."""
    bots: tuple[str, ...] = ()
    """Names of kinds or levels, repeated until every free seat has one."""
    language: str = "en"
    seed: str | None = None
    """Seed of all chance; None for a fresh one."""
    hot_seat: bool = False
    """Whether several people share the keyboard."""
    names: tuple[str, ...] = ()
    """Names of the people, in seat order."""
    resume: Path | None = None
    save: Path | None = None
    """Path of the saved match; None for ``resume``, or a new file in the data folder."""
    overwrite: bool = False
    clauses: bool = False
    """Whether rules and refusals cite the ids of their clauses."""


_NEW_MATCH_FIELDS: Final = ("rules", "players", "names", "bots", "seed", "hot_seat")
"""Options that cannot change during a match."""
_DEFAULTS: Final = MatchSetup()


def play_match(setup: MatchSetup, terminal: LineTerminal) -> None:
    """Play a match until it is finished or left; raises a LastcardError for invalid options."""
    if setup.resume is not None:
        _resume_match(setup, setup.resume, terminal)
    else:
        _start_match(setup, terminal)


def _resume_match(setup: MatchSetup, resume: Path, terminal: LineTerminal) -> None:
    texts = catalog(setup.language)
    _check_resume_options(setup)
    _, kinds = load_match(resume)
    path = setup.save or resume
    check_save_path(path, overwrite=setup.overwrite or is_same_path(path, resume))
    if "" not in kinds:
        raise UsageError(f"{resume}: only bots would play at this table; lastcard simulate does that")
    with lock_match(path):
        match, kinds = load_match(resume)  # again, because another terminal may have played until now
        terminal.write(*display.opening_lines(match.rules, match.players, kinds, texts))
        if not is_same_path(path, resume):
            save_match(path, match, kinds)
        _run_client(setup, match, kinds, path, terminal)


def _start_match(setup: MatchSetup, terminal: LineTerminal) -> None:
    texts = catalog(setup.language)
    rules = ruleset(setup.rules or "classic")
    names, kinds = assign_seats(setup, texts)
    path = setup.save or new_path(rules.game)
    # Everything is checked before people write rule cards.
    match = Match(rules, names, seed=parse_seed(setup.seed))
    check_save_path(path, overwrite=setup.overwrite)
    with lock_match(path):
        terminal.write(*display.opening_lines(rules, names, kinds, texts))
        if rules.options.wj_rules == "written":
            try:
                cards = ask_rule_cards(names, kinds, texts, terminal)
            except InputEnded:
                return
            match = Match(rules, names, seed=match.seed, rule_cards=cards or None)
        _run_client(setup, match, kinds, path, terminal)


def _run_client(setup: MatchSetup, match: Match, kinds: Sequence[str], path: Path, terminal: LineTerminal) -> None:
    bots = [_make_seat_bot(kind, match.seed, seat) for seat, kind in enumerate(kinds)]
    LineClient(match, bots, kinds, catalog(setup.language), terminal, path, clauses=setup.clauses).run()


def _check_resume_options(setup: MatchSetup) -> None:
    """Refuse options of new matches for a resumed match, where they would have no effect."""
    chosen = [name for name in _NEW_MATCH_FIELDS if getattr(setup, name) != getattr(_DEFAULTS, name)]
    if chosen:
        flags = ", ".join("--" + name.replace("_", "-") for name in chosen)
        raise UsageError(f"{setup.resume} goes on with the rules and players it has: leave out {flags}")


def _make_seat_bot(kind: str, seed: bytes, seat: int) -> Bot | None:
    """Returns the bot of a seat; a level has its own behavior, other bots behave like people."""
    if not kind:
        return None
    return make_bot(kind, seed, seat, None if kind.partition(":")[0] in LEVELS else CASUAL)


def assign_seats(setup: MatchSetup, texts: Catalog) -> tuple[list[str], list[str]]:
    """Returns names and kinds of bots by seat, an empty kind for a person; a UsageError if the numbers do not fit."""
    wanted = len(setup.names) or (1 if not setup.hot_seat else 0)
    if setup.players is not None:
        players = setup.players
    elif setup.hot_seat or len(setup.names) > 1:
        players = max(2, wanted + len(setup.bots))
    else:
        players = 1 + len(setup.bots) if setup.bots else _DEFAULT_PLAYERS
    if not 2 <= players <= MAX_PLAYERS:
        raise UsageError(f"a table has 2 to {MAX_PLAYERS} players, not {players} (CO-47)")
    if wanted > 1 and not setup.hot_seat:
        raise UsageError("several names need --hot-seat: people share the keyboard")
    people = wanted or max(1, players - len(setup.bots))
    _check_seat_count(people, len(setup.bots), players)
    names = list(setup.names) or [texts.text("play.player", number=i + 1) for i in range(people)]
    if len({name.casefold() for name in names}) < len(names) or not all(name.strip() for name in names):
        raise UsageError(f"the names must differ and not be empty: {', '.join(names)}")
    free = [name for name in BOT_NAMES if name.casefold() not in {n.casefold() for n in names}]
    kinds = [""] * people
    for i in range(players - people):
        kinds.append(setup.bots[i % len(setup.bots)] if setup.bots else DEFAULT_BOT)
        names.append(free[i])
    for kind in kinds:
        if kind:
            make_bot(kind, bytes(32), 0)  # refuses an unknown name
    return names, kinds


def _check_seat_count(people: int, bots: int, players: int) -> None:
    """Refuse more people and bots than there are seats: a UsageError with the number of seats that they need."""
    needed = people + bots
    if needed > players:
        who = f"{people} {'person' if people == 1 else 'people'} and {bots} {'bot' if bots == 1 else 'bots'}"
        right = f"--players {needed} does" if needed <= MAX_PLAYERS else f"a table has {MAX_PLAYERS} at most"
        raise UsageError(f"{who} need {needed} seats, not {players}; {right}")


def ask_rule_cards(
    names: Sequence[str], kinds: Sequence[str], texts: Catalog, terminal: LineTerminal
) -> list[RuleCard]:
    """Let every person write rule cards; bots take built-in ones that no person has written (WJ-4, LC-50).

    Raises:
        InputEnded: if the input ends, or a person quits.
    """
    each = cards_per_player(len(names))
    cards: list[RuleCard] = []
    if each and "" in kinds:
        terminal.write(rule_card_help(texts))
    for name, kind in zip(names, kinds, strict=True):
        if kind or not each:
            continue
        terminal.write("", texts.text("prompt.write", player=name, n=each))
        for number in range(1, each + 1):
            cards.append(_ask_rule_card(texts.text("prompt.write.card", number=number, count=each), texts, terminal))
        terminal.clear()
    added = [card for card in BUILT_IN.values() if card not in cards][: each * sum(map(bool, kinds))]
    if added:
        words = " · ".join(describe_rule_card(card.text, texts.language) for card in added)
        terminal.write(texts.text("play.bots_add", cards=words))
    return cards + added


def _ask_rule_card(question: str, texts: Catalog, terminal: LineTerminal) -> RuleCard:
    """Ask for one card, shown in its canonical form and accepted with Enter."""
    card: RuleCard | None = None
    while True:
        text = terminal.ask(question)
        if not text and card is not None:
            return card
        if parse_command(text, texts) == "quit":
            raise InputEnded
        try:
            card = parse_rule_card(text)
        except NotationError as error:
            terminal.write(texts.text("prompt.write.wrong", reason=describe_rule_card_error(texts, error)))
            continue
        question = texts.text("prompt.write.reads", text=describe_rule_card(card.text, texts.language))
