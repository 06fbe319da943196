"""What a person is told whose command was not carried out, in the person's own language."""

from __future__ import annotations

from collections.abc import Mapping

from lastcard import errors
from lastcard.errors import LastcardError, NotationError, RulesError, UsageError
from lastcard.game.actions import Move
from lastcard.game.options import OPTIONS
from lastcard.game.rulesets import GAMES, PRESETS
from lastcard.match.match import Match
from lastcard.server.game.uno_race import ClosedWindow
from lastcard.server.seats.document import Denied
from lastcard.server.wire.protocol import Refused
from lastcard.text.locale import DECIMAL_COMMA, Catalog, catalog
from lastcard.text.narrate import Narrator
from lastcard.text.wording import card_mistake, misplaced, option_line, option_text, typed_values


def denied(command: str | None, error: Denied, language: str) -> Refused:
    """The table does not do that."""
    return Refused(command, error.code, None, refused_text(catalog(language), error.code, error.values))


def refused_text(texts: Catalog, code: str, values: Mapping[str, object]) -> str:
    """The words for a code.

    Args:
        texts: the catalog of the language.
        code: the words are the text ``web.refused.<code>``.
        values: what stands in the words; a ``reason`` that is an error is put in words too.
    """
    reason = values.get("reason")
    if code == "bad-card" and isinstance(reason, NotationError):
        values = {**values, "reason": card_mistake(texts, reason)}
    elif isinstance(reason, LastcardError):
        values = {**values, "reason": error_text(texts, reason)}
    return texts.text(f"web.refused.{code}", **values)


def error_text(texts: Catalog, error: LastcardError) -> str:
    """An error by the word that cannot be read, or the options it is about; where there is none, in its own words."""
    if isinstance(error, NotationError):
        return misplaced(texts, error)
    if isinstance(error, RulesError) and error.word is not None:
        return _word_text(texts, error.word, error.option)
    pairs = error.pairs if isinstance(error, RulesError | UsageError) else ()
    if not pairs:
        return str(error)
    game = error.game if isinstance(error, RulesError) else None
    lines = " ".join(option_line(texts, name, value, game) for name, value in pairs)
    if game is not None:
        return texts.text("web.refused.not-in-game", game=texts.text(f"game.{game}"), option=lines)
    return lines


def _word_text(texts: Catalog, word: str, option: str | None) -> str:
    """What a ruleset is made of, or what an option can be, where a word of it is neither."""
    if option is not None:
        choices = ", ".join(typed_values(texts, OPTIONS[option], OPTIONS[option].choices))
        return texts.text("web.refused.bad-value", option=option_text(texts, option), word=word, choices=choices)
    games, presets = ", ".join(GAMES), ", ".join(PRESETS)
    example = "classic+harsh+stacking=same"
    return texts.text("web.refused.bad-ruleset", word=word, games=games, presets=presets, example=example)


def against_rules(command: str, match: Match, seat: int, move: Move, error: errors.Refused, language: str) -> Refused:
    """The rules do not allow that."""
    narrator = Narrator(match, catalog(language))
    text = narrator.refusal(match.round, seat, move, error)
    return Refused(command, error.code, error.clause, text)


def too_late(command: str, match: Match, target: int, closed: ClosedWindow, now: float, language: str) -> Refused:
    """A call or a catch of somebody's one card, after that window closed (CO-15).

    Args:
        command: the id of the press.
        match: as it stands.
        target: whose window it was.
        closed: when, and how.
        now: table time.
        language: to speak.
    """
    late = max(1, round(1000 * (now - closed.at)))
    code = "called-first" if closed.called else "late"
    text = catalog(language).text(f"web.refused.{code}", name=match.players[target], seconds=_seconds(late, language))
    return Refused(command, code, "CO-15", text, late)


def called_in_time(command: str, match: Match, target: int, language: str) -> Refused:
    """A catch that was held, because the call came within the grace."""
    text = catalog(language).text("web.refused.called-in-time", name=match.players[target])
    return Refused(command, "called-first", "CO-15", text)


def _seconds(milliseconds: int, language: str) -> str:
    text = f"{milliseconds / 1000:.1f}" if milliseconds >= 50 else f"{milliseconds / 1000:.2f}"
    return text.replace(".", ",") if language in DECIMAL_COMMA else text
