"""Setting up a sitting: who plays, which bots, the written rule cards, a new match or one taken up again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lastcard.bots.base import CASUAL, Bot
from lastcard.bots.registry import DEFAULT_BOT, LEVELS, make_bot
from lastcard.errors import NotationError, UsageError
from lastcard.game.rulecards import BUILT_IN, RuleCard, cards_each, parse_rule_card
from lastcard.game.rulesets import MAX_PLAYERS, ruleset
from lastcard.game.seeds import parse_seed
from lastcard.match.match import Match
from lastcard.terminal import show
from lastcard.terminal.line import LineGame
from lastcard.terminal.saves import claimed, is_same, load, new_path, prepare, save
from lastcard.terminal.talk import Gone, Talk
from lastcard.terminal.typed import read_command
from lastcard.text.locale import Catalog, catalog
from lastcard.text.wording import card_mistake, describe_rule, how_to_write

BOT_NAMES: Final = ("Ada", "Bela", "Cleo", "Dora", "Emil", "Fritz", "Greta", "Hugo", "Iris", "Jonas", "Kira")
_DEFAULT_PLAYERS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """Who sits down to what.

    Args:
        rules: a ruleset by name; None for classic.
        players: how many, bots included; None for as many as are named, or four.
        bots: kinds or levels by name, repeated until every free seat has one.
        language: of all text.
        seed: of all chance; None for a fresh one.
        hot_seat: whether several people share the keyboard.
        names: of the people, in seat order.
        resume: the file of a match to go on with.
        save: where the match is kept; None for ``resume``, or a new file in the data folder.
        overwrite: whether ``save`` may replace a file that is there already.
        clauses: whether rules and refusals cite the ids of their clauses.
    """

    rules: str | None = None
    players: int | None = None
    bots: tuple[str, ...] = ()
    language: str = "en"
    seed: str | None = None
    hot_seat: bool = False
    names: tuple[str, ...] = ()
    resume: Path | None = None
    save: Path | None = None
    overwrite: bool = False
    clauses: bool = False


_OF_A_MATCH: Final = ("rules", "players", "names", "bots", "seed", "hot_seat")
"""What is chosen once for all of a match."""
_NOTHING_CHOSEN: Final = Sitting()


def play(sitting: Sitting, talk: Talk) -> None:
    """Play a match until it is finished or left.

    Raises:
        LastcardError: for what makes no sense.
    """
    if sitting.resume is not None:
        _play_on(sitting, sitting.resume, talk)
    else:
        _play_anew(sitting, talk)


def _play_on(sitting: Sitting, resume: Path, talk: Talk) -> None:
    """Go on with a match that was left."""
    texts = catalog(sitting.language)
    _refuse_choices(sitting)
    _, kinds = load(resume)
    path = sitting.save or resume
    prepare(path, overwrite=sitting.overwrite or is_same(path, resume))
    if "" not in kinds:
        raise UsageError(f"{resume}: only bots would play at this table; lastcard simulate does that")
    with claimed(path):
        match, kinds = load(resume)  # once more, for another terminal may have played on until now
        talk.say(*show.opening(match.rules, match.players, kinds, texts))
        if not is_same(path, resume):
            save(path, match, kinds)
        _play(sitting, match, kinds, path, talk)


def _play_anew(sitting: Sitting, talk: Talk) -> None:
    """Begin a match."""
    texts = catalog(sitting.language)
    rules = ruleset(sitting.rules or "classic")
    names, kinds = seats(sitting, texts)
    path = sitting.save or new_path(rules.game)
    # Everything is checked before anybody writes rule cards.
    match = Match(rules, names, seed=parse_seed(sitting.seed))
    prepare(path, overwrite=sitting.overwrite)
    with claimed(path):
        talk.say(*show.opening(rules, names, kinds, texts))
        if rules.options.wj_rules == "written":
            try:
                cards = write_cards(names, kinds, texts, talk)
            except Gone:
                return
            match = Match(rules, names, seed=match.seed, rule_cards=cards or None)
        _play(sitting, match, kinds, path, talk)


def _play(sitting: Sitting, match: Match, kinds: Sequence[str], path: Path, talk: Talk) -> None:
    bots = [_seat_bot(kind, match.seed, seat) for seat, kind in enumerate(kinds)]
    LineGame(match, bots, kinds, catalog(sitting.language), talk, path, clauses=sitting.clauses).run()


def _refuse_choices(sitting: Sitting) -> None:
    """Refuse what is chosen for a new match where one is gone on with: it would be passed over."""
    chosen = [name for name in _OF_A_MATCH if getattr(sitting, name) != getattr(_NOTHING_CHOSEN, name)]
    if chosen:
        flags = ", ".join("--" + name.replace("_", "-") for name in chosen)
        raise UsageError(f"{sitting.resume} goes on with the rules and players it has: leave out {flags}")


def _seat_bot(kind: str, seed: bytes, seat: int) -> Bot | None:
    """The bot of a seat; a level has manners of its own, and other bots behave like people."""
    if not kind:
        return None
    return make_bot(kind, seed, seat, None if kind.partition(":")[0] in LEVELS else CASUAL)


def seats(sitting: Sitting, texts: Catalog) -> tuple[list[str], list[str]]:
    """The names and the kinds of bots by seat; an empty kind is a person.

    Raises:
        UsageError: where the numbers do not fit together.
    """
    wanted = len(sitting.names) or (1 if not sitting.hot_seat else 0)
    if sitting.players is not None:
        players = sitting.players
    elif sitting.hot_seat or len(sitting.names) > 1:
        players = max(2, wanted + len(sitting.bots))
    else:
        players = 1 + len(sitting.bots) if sitting.bots else _DEFAULT_PLAYERS
    if not 2 <= players <= MAX_PLAYERS:
        raise UsageError(f"a table has 2 to {MAX_PLAYERS} players, not {players} (CO-47)")
    if wanted > 1 and not sitting.hot_seat:
        raise UsageError("several names need --hot-seat: people share the keyboard")
    people = wanted or max(1, players - len(sitting.bots))
    _check_room(people, len(sitting.bots), players)
    names = list(sitting.names) or [texts.text("play.player", number=i + 1) for i in range(people)]
    if len({name.casefold() for name in names}) < len(names) or not all(name.strip() for name in names):
        raise UsageError(f"the names must differ and not be empty: {', '.join(names)}")
    free = [name for name in BOT_NAMES if name.casefold() not in {n.casefold() for n in names}]
    kinds = [""] * people
    for i in range(players - people):
        kinds.append(sitting.bots[i % len(sitting.bots)] if sitting.bots else DEFAULT_BOT)
        names.append(free[i])
    for kind in kinds:
        if kind:
            make_bot(kind, bytes(32), 0)  # refuses an unknown name
    return names, kinds


def _check_room(people: int, bots: int, players: int) -> None:
    """Refuse more people and bots than there are seats.

    Raises:
        UsageError: says how many seats they need.
    """
    needed = people + bots
    if needed > players:
        who = f"{people} {'person' if people == 1 else 'people'} and {bots} {'bot' if bots == 1 else 'bots'}"
        right = f"--players {needed} does" if needed <= MAX_PLAYERS else f"a table has {MAX_PLAYERS} at most"
        raise UsageError(f"{who} need {needed} seats, not {players}; {right}")


def write_cards(names: Sequence[str], kinds: Sequence[str], texts: Catalog, talk: Talk) -> list[RuleCard]:
    """Let every person write rule cards; bots take built-in ones nobody has written (WJ-4, LC-50).

    Raises:
        Gone: where the input ends, or somebody quits.
    """
    each = cards_each(len(names))
    cards: list[RuleCard] = []
    if each and "" in kinds:
        talk.say(how_to_write(texts))
    for name, kind in zip(names, kinds, strict=True):
        if kind or not each:
            continue
        talk.say("", texts.text("prompt.write", player=name, n=each))
        for number in range(1, each + 1):
            cards.append(_write_card(texts.text("prompt.write.card", number=number, count=each), texts, talk))
        talk.clear()
    added = [card for card in BUILT_IN.values() if card not in cards][: each * sum(map(bool, kinds))]
    if added:
        words = " · ".join(describe_rule(card.text, texts.language) for card in added)
        talk.say(texts.text("play.bots_add", cards=words))
    return cards + added


def _write_card(question: str, texts: Catalog, talk: Talk) -> RuleCard:
    """One card, shown as it will be read and kept with Enter."""
    card: RuleCard | None = None
    while True:
        text = talk.ask(question)
        if not text and card is not None:
            return card
        if read_command(text, texts) == "quit":
            raise Gone
        try:
            card = parse_rule_card(text)
        except NotationError as error:
            talk.say(texts.text("prompt.write.wrong", reason=card_mistake(texts, error)))
            continue
        question = texts.text("prompt.write.reads", text=describe_rule(card.text, texts.language))
