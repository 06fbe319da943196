"""What a person is told whose command was not carried out, in the person's own language."""

from __future__ import annotations

from collections.abc import Mapping

from lastcard import errors
from lastcard.actions import Move
from lastcard.errors import LastcardError, RulesError, UsageError
from lastcard.locale import Catalog, catalog
from lastcard.match import Match
from lastcard.narrate import Narrator
from lastcard.refused import refusal_line
from lastcard.server.document import Denied
from lastcard.server.protocol import Refused
from lastcard.server.race import Closed
from lastcard.wording import option_line

_DECIMAL_COMMA = ("fr", "pt", "pl")


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
    if isinstance(reason, LastcardError):
        values = {**values, "reason": error_text(texts, reason)}
    return texts.text(f"web.refused.{code}", **values)


def error_text(texts: Catalog, error: LastcardError) -> str:
    """An error by the options it is about; where it is about none, in its own words."""
    pairs = error.pairs if isinstance(error, RulesError | UsageError) else ()
    if not pairs:
        return str(error)
    lines = " ".join(option_line(texts, name, value) for name, value in pairs)
    if isinstance(error, RulesError) and error.game is not None:
        return texts.text("web.refused.not-in-game", game=texts.text(f"game.{error.game}"), option=lines)
    return lines


def against_rules(command: str, match: Match, seat: int, move: Move, error: errors.Refused, language: str) -> Refused:
    """The rules do not allow that."""
    narrator = Narrator(match, catalog(language))
    text = refusal_line(narrator, match.round, seat, move, error)
    return Refused(command, error.code, error.clause, text)


def too_late(command: str, match: Match, target: int, closed: Closed, now: float, language: str) -> Refused:
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
    return text.replace(".", ",") if language in _DECIMAL_COMMA else text
