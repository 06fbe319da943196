"""Rule cards: round trips, and errors with their place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.errors import NotationError
from lastcard.game.rulecards import BUILT_IN, GRAMMAR, MAX_DARE_CHARS, WHO, Effect, RuleCard, parse_rule_card

NUMBERED = {"draw": 10, "draw_until": 10, "discard": 10, "discard_until": 10, "give": 10, "take": 10, "everyone": 4}
NAMING = ("give", "take", "swap")


@st.composite
def effects(draw: st.DrawFn) -> Effect:
    verb = draw(st.sampled_from(tuple(GRAMMAR)))
    n = draw(st.integers(1, NUMBERED[verb])) if verb in NUMBERED else 0
    return Effect(verb, n, draw(st.sampled_from(WHO)) if verb in NAMING else "")


DARES = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=MAX_DARE_CHARS).filter(
    lambda text: text == text.strip()
)
CARDS = st.one_of(
    st.builds(RuleCard, effects=st.lists(effects(), min_size=1, max_size=3).map(tuple)),
    st.builds(RuleCard, dare=DARES),
)


@given(CARDS)
def test_a_card_is_read_back_from_its_text(card: RuleCard) -> None:
    assert parse_rule_card(card.text) == card
    assert str(parse_rule_card(card.text)) == card.text


@given(CARDS.filter(lambda card: card.dare is None))
def test_case_blanks_and_full_stops_do_not_matter(card: RuleCard) -> None:
    messy = "  " + card.text.upper().replace("; ", " .;\t").replace(" ", "  ") + ". "
    assert parse_rule_card(messy) == card


@given(st.text(max_size=200))
def test_any_text_is_a_card_or_a_notation_error(text: str) -> None:
    try:
        card = parse_rule_card(text)
    except NotationError as refused:
        column = refused.column or 0
    else:
        column = 0
        assert parse_rule_card(card.text) == card
    assert 0 <= column <= len(text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Draw 2. Reverse.", "draw 2; reverse"),
        ("everyone draw 4", "everyone draws 4"),
        ("take 02 MOST", "take 2 most"),
        ("DARE :  Sing a Song ", "dare: Sing a Song"),
        ("dare: draw 2; skip.", "dare: draw 2; skip."),
        (" r5 ", "take 2 most"),
        ("streak;;wilds;", "streak; wilds"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert parse_rule_card(text).text == canonical


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", None, "empty"),
        (" ; . ", None, "empty"),
        ("jump", 0, "expected draw N"),
        ("draw", 4, "from 1 to 10"),
        ("draw two", 5, "from 1 to 10"),
        ("draw 0", 5, "from 1 to 10"),
        ("draw 11", 5, "from 1 to 10"),
        ("draw ٣", 5, "from 1 to 10"),
        ("draw until 12", 11, "from 1 to 10"),
        ("everyone draws 5", 15, "from 1 to 4"),
        ("everyone sings", 9, "expected draws"),
        ("skip; take 2", 12, "expected left"),
        ("swap me", 5, "expected left"),
        ("skip left", 5, "end of the effect"),
        ("draw_until 3", 0, "expected draw N"),
        ("skip;skip;skip;skip", 15, "at most 3"),
        ("dare:", 5, "needs a text"),
        ("dare: a\nb", 7, "U+000A"),
        ("dare: a\u202eb", 7, "U+202E"),
        ("dare: a\u2067b", 7, "U+2067"),
        ("dare: a\ud800", 7, "U+D800"),
        ("dare: " + "x" * 121, 126, "at most 120"),
        ("R9", 0, "expected draw N"),
    ],
)
def test_errors_name_the_place(text: str, column: int | None, said: str) -> None:
    with pytest.raises(NotationError, match=said.replace("+", r"\+")) as caught:
        parse_rule_card(text)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("verb", "n", "who"),
    [("jump", 1, ""), ("draw", 0, ""), ("skip", 1, ""), ("swap", 0, ""), ("draw", 1, "left"), ("give", 1, "me")],
)
def test_no_impossible_effect_can_be_made(verb: str, n: int, who: str) -> None:
    with pytest.raises(NotationError):
        Effect(verb, n, who)


def test_no_impossible_card_can_be_made() -> None:
    skip = Effect("skip")
    wrong: tuple[dict[str, Any], ...] = (
        {},
        {"effects": (skip,) * 4},
        {"effects": (skip,), "dare": "x"},
        {"dare": ""},
        {"dare": " x"},
    )
    for made in wrong:
        with pytest.raises(NotationError):
            RuleCard(**made)


def test_a_dare_may_contain_emoji() -> None:
    assert parse_rule_card("dare: 👩‍🚀").dare == "👩‍🚀"


def test_the_built_in_cards() -> None:
    assert list(BUILT_IN) == [f"R{n}" for n in range(1, 9)]
    assert [BUILT_IN[f"R{n}"].text for n in range(1, 6)] == [
        "discard until 2",
        "streak",
        "draw until 7",
        "wilds",
        "take 2 most",
    ]
    for name, card in BUILT_IN.items():
        assert parse_rule_card(name.lower()) is card
        assert parse_rule_card(card.text) == card
    assert all(BUILT_IN[name].dare for name in ("R6", "R7", "R8"))
