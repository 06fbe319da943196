"""Same seed and same moves, same match, forever: whole matches fixed in tests/golden."""

from __future__ import annotations

import tomllib
from collections import Counter
from typing import Any

import pytest

from lastcard.game.cards import parse_card, parse_cards
from lastcard.game.rulesets import GAMES, ruleset, stored_name
from lastcard.game.seeds import parse_seed
from support.golden_matches import GOLDEN, MATCHES, new_match, play_round
from tools.differential.pair import dealt_order


def golden(name: str) -> dict[str, Any]:
    """The file of a match; long texts on one line again."""
    table = tomllib.loads((GOLDEN / f"{name}.toml").read_text(encoding="utf-8"))
    for played in table["round"]:
        for key in ("moves", "chance"):
            played[key] = " ".join(played[key].split())
    return table


@pytest.mark.parametrize("name", MATCHES)
def test_match_is_the_same_forever(name: str) -> None:
    """Every round of the match: the deal, all outcomes of chance, the cards left, the scores."""
    match, table = new_match(name), golden(name)
    assert stored_name(match.rules) == table["rules"] and len(match.players) == table["players"]
    for number, wanted in enumerate(table["round"]):
        if number:
            match.next_round()
        played = play_round(match, wanted["moves"].split(", "))
        for key, value in wanted.items():
            assert played[key] == value, f"round {number}, {key}"
    assert match.over


@pytest.mark.parametrize("name", MATCHES)
def test_deals_follow_from_the_seed(name: str) -> None:
    """The cards dealt are those that plain Python draws from the seed, without compiled code."""
    table = golden(name)
    rules, players, secret = ruleset(table["rules"]), table["players"], parse_seed(name)
    for number, played in enumerate(table["round"]):
        order = dealt_order(rules, players, secret, number)
        size = players * rules.options.hand_size
        if rules.game == "all-wild" or played["first"] not in ("G+2", "R+2", "B+2", "Y+2"):
            seats = [(played["dealer"] + 1 + i) % players for i in range(players)]
            for i, seat in enumerate(seats):
                assert sorted(order[i:size:players]) == sorted(parse_cards(played["dealt"][seat]))
        assert order[size] == parse_card(played["first"])


def test_golden_matches_are_whole() -> None:
    """Each game has matches of several rounds, and together they have every kind of chance."""
    assert {ruleset(rules).game for rules, _, _ in MATCHES.values()} == set(GAMES)
    assert {path.stem for path in GOLDEN.glob("*.toml")} == set(MATCHES)
    words: Counter[str] = Counter()
    for name in MATCHES:
        rounds = golden(name)["round"]
        assert len(rounds) > 1
        for played in rounds:
            words.update(played["chance"].replace(",", "").split())
            words.update(move.partition(":")[2].split(">")[0] for move in played["moves"].split(", "))
    assert all(
        words[word] for word in ("shuffled", "rule", "discard", "draw4", "choose", "all", "left", "right", "catch")
    )
    assert all(words[word] for word in ("challenge", "accept", "draw", "pass"))
