"""The browser's words equal the library's: events, cards and rule cards."""

from __future__ import annotations

import msgspec
import pytest

from lastcard import Match
from lastcard.game import action_codes
from lastcard.game.cards import CARD_NAMES, COLORS, color_letter
from lastcard.game.moves import CARD_VERBS, COLOR_CARDS, SEAT_VERBS, Move
from lastcard.game.rulecards import BUILT_IN, parse_rule_card
from lastcard.match.events import Event, RoundOver
from lastcard.server.wire.messages import happenings
from lastcard.text.locale import LANGUAGES, catalog
from lastcard.text.narration import Narrator
from lastcard.text.wording import describe_rule_card
from support.event_samples import EVENT_SAMPLES
from support.modules import ModulesPage
from support.random_states import RULE_CARD_TEXTS

PLAYERS = ["Ann", "Bo", "Cy"]
GAMES = ("all-wild", "classic", "wild-jackpot")
DARES = ("dare: sing; loudly", "dare: 3 jumps until 2 laugh")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("rules", "players", "events"),
    [
        ("wild-jackpot", PLAYERS, EVENT_SAMPLES),
        ("classic+team_play", [*PLAYERS, "Di"], [*map(RoundOver, range(4)), RoundOver(None)]),
    ],
    ids=["every kind of event", "a team wins a round together"],
)
def test_events_are_narrated_alike(
    modules: ModulesPage, language: str, rules: str, players: list[str], events: list[Event]
) -> None:
    page = modules.open(language, "cards/narrate.js", "motion/lever.js")
    match = Match(rules, players, seed=1)
    narrator = Narrator(match, catalog(language))
    for viewer in (None, *range(len(players))):
        narrated = page.evaluate(
            "([events, told]) => events.map((event) => narrate(event, told))",
            [
                msgspec.to_builtins(happenings(events, match, viewer)),
                {"players": players, "rules": match.rules_name, "viewer": viewer},
            ],
        )
        assert narrated == narrator.lines(events, viewer)


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_and_rule_cards_are_named_alike(modules: ModulesPage, language: str) -> None:
    page = modules.open(language, "cards/narrate.js", "cards/cards.js", "motion/lever.js")
    texts = catalog(language)
    codes = list(CARD_NAMES.values())
    for game in GAMES:
        names = page.evaluate("([codes, game]) => codes.map((code) => cardName(code, game))", [codes, game])
        assert names == [texts.card(card, game) for card in CARD_NAMES]
        listed = page.evaluate("([codes, game]) => cardNames(codes, game)", [["R5", "W", "R5"], game])
        assert listed == texts.cards([5, 64, 5], game)
    assert page.evaluate("() => cardNames([], 'classic')") == texts.cards([], "classic")
    rules = [parse_rule_card(text).text for text in (*RULE_CARD_TEXTS, *BUILT_IN, *DARES)]
    assert page.evaluate("(rules) => rules.map(ruleWords)", rules) == [describe_rule_card(r, language) for r in rules]


def every_move() -> list[Move]:
    """Moves of every kind in docs/notation.md."""
    plays = [Move("play", card, uno=uno) for card in CARD_NAMES for uno in (False, True)]
    colored = [Move("play", card, color=color, uno=True) for card in COLOR_CARDS for color in COLORS]
    aimed = [Move("play", card, target=3) for card in CARD_NAMES if card not in COLOR_CARDS]
    others = [
        Move(
            verb,
            card=5 if verb in CARD_VERBS else None,
            color=2 if verb == "color" else None,
            target=9 if verb in SEAT_VERBS else None,
        )
        for verb in action_codes.VERBS
    ]
    return plays + colored + aimed + others


def test_moves_are_read_alike(modules: ModulesPage) -> None:
    page = modules.open("en", "cards/cards.js")
    moves = every_move()
    assert page.evaluate("(moves) => moves.map(moveParts)", [str(move) for move in moves]) == [
        {
            "verb": move.verb,
            "card": None if move.card is None else CARD_NAMES[move.card],
            "color": None if move.color is None else color_letter(move.color),
            "target": move.target,
            "call": move.uno,
        }
        for move in moves
    ]
    hand = page.evaluate("() => sortCards('Wj B2 W+4 Rs R9 Y+2 W R0 Gj'.split(' ')).join(' ')")
    assert hand == "R0 R9 Rs Y+2 Gj B2 W W+4 Wj"
