"""Messages about refused commands, in the person's language."""

from __future__ import annotations

from collections.abc import Mapping

from lastcard.errors import IllegalMove, LastcardError, NotationError, RulesError, UsageError
from lastcard.game.options import OPTIONS
from lastcard.game.rulesets import GAMES, PRESETS
from lastcard.match.match import Match
from lastcard.server.wire.protocol import Refused
from lastcard.session.table_state import CommandError
from lastcard.text.locale import DECIMAL_COMMA, Catalog, catalog
from lastcard.text.narration import Narrator
from lastcard.text.wording import (
    describe_error_position,
    describe_rule_card_error,
    option_line,
    option_text,
    typed_values,
)


def refuse_command(command: str | None, error: CommandError, language: str, match: Match | None = None) -> Refused:
    """Return the answer, with the command's id, to a refused command; a reason of the rules needs the match."""
    texts, code = catalog(language), error.code
    if error.late_ms is not None:
        text = refusal_text(texts, code, error.values | {"seconds": _seconds(error.late_ms, language)})
    elif isinstance(error.__cause__, IllegalMove):
        assert match is not None
        narrator = Narrator(match, texts)
        text = narrator.refusal(match.round, error.values["seat"], error.values["move"], error.__cause__)
    else:
        text = refusal_text(texts, "called-in-time" if code == "called-first" else code, error.values)
    return Refused(command, code, error.clause, text, error.late_ms)


def refusal_text(texts: Catalog, code: str, values: Mapping[str, object]) -> str:
    """Return the text ``web.refused.<code>`` of a code; a ``reason`` that is an error becomes text too."""
    reason = values.get("reason")
    if code == "bad-card" and isinstance(reason, NotationError):
        values = {**values, "reason": describe_rule_card_error(texts, reason)}
    elif isinstance(reason, LastcardError):
        values = {**values, "reason": error_text(texts, reason)}
    return texts.text(f"web.refused.{code}", **values)


def error_text(texts: Catalog, error: LastcardError) -> str:
    """Return the text of an error: by its unreadable word or its options, else in its own words."""
    if isinstance(error, NotationError):
        return describe_error_position(texts, error)
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
    if option is not None:
        choices = ", ".join(typed_values(texts, OPTIONS[option], OPTIONS[option].choices))
        return texts.text("web.refused.bad-value", option=option_text(texts, option), word=word, choices=choices)
    games, presets = ", ".join(GAMES), ", ".join(PRESETS)
    example = "classic+harsh+stacking=same"
    return texts.text("web.refused.bad-ruleset", word=word, games=games, presets=presets, example=example)


def _seconds(milliseconds: int, language: str) -> str:
    text = f"{milliseconds / 1000:.1f}" if milliseconds >= 50 else f"{milliseconds / 1000:.2f}"
    return text.replace(".", ",") if language in DECIMAL_COMMA else text
