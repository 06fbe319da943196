"""The list of moves explains each by the options of the table."""

from __future__ import annotations

import pytest

from lastcard.game.position import parse_position
from lastcard.match.match import Match
from lastcard.terminal.choices import find_choices
from lastcard.text.locale import LANGUAGES, catalog
from lastcard.text.narration import Narrator


def offered(rules: str, *moves: str, language: str = "en") -> dict[str, str]:
    """The list for the seat that must decide after some moves: the words of each move."""
    position = parse_position({"rules": rules, "hands": ["R+2 R1 R2", "G1 G2"], "discard": "R9", "draw": "Y1 Y2 Y3"})
    match = Match(rules, 2, position=position)
    for move in moves:
        match.do(match.round.turn, move)
    choices = find_choices(match.round.view(match.round.turn), Narrator(match, catalog(language)))
    return {choice.codes: choice.text for choice in choices}


def test_accepting_a_draw_loses_the_turn_or_does_not() -> None:
    """CL-23, and LC-47, where the turn is not lost."""
    lost, has_turn = (offered(f"classic+stacking=same{more}", "R+2")["accept"] for more in ("", "+draw_keeps_turn"))
    assert (lost, has_turn) == (
        "accept: draw 2 cards and lose the turn",
        "accept: draw 2 cards and then take your turn",
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_choice_is_worded_so_in_every_language(language: str) -> None:
    said = {
        offered(f"classic+stacking=same{more}", "R+2", language=language)["accept"] for more in ("", "+draw_keeps_turn")
    }
    assert len(said) == 2


@pytest.mark.parametrize(
    ("rules", "says"), [("classic", "pass: there is nothing to draw"), ("classic+reshuffle=keep_none", "draw a card")]
)
def test_the_last_discard_can_be_drawn_where_a_reshuffle_takes_it(rules: str, says: str) -> None:
    """CO-34 and LC-10: a seat that draws there gets the red 9."""
    position = parse_position({"rules": rules, "hands": ["G1 G2", "B1 B2"], "discard": "R9"})
    match = Match(rules, 2, position=position)
    choices = find_choices(match.round.view(0), Narrator(match, catalog("en")))
    assert [choice.text for choice in choices if choice.codes == "draw"] == [says]
    match.do(0, "draw")
    assert match.round.counts[0] == (3 if says == "draw a card" else 2)
