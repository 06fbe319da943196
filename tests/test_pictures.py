"""Pictures for notebooks: SVG of rounds, views, matches, records, reports and arena results."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from lastcard import Cards, Match, Round, play, report, run_arena
from lastcard.game.card_pictures import BACK, read_pictures
from lastcard.game.cards import CARD_NAMES


def uses(picture: str) -> list[str]:
    """The ids of the shown cards, in order, of a well-formed picture."""
    root = ElementTree.fromstring(picture)
    assert root.tag.endswith("svg")
    ids = re.findall(r'<g id="([^"]+)"', picture)
    shown = re.findall(r'<use href="#([^"]+)"', picture)
    assert set(ids) == set(shown)
    return shown


def test_every_card_has_a_picture() -> None:
    assert {*CARD_NAMES.values(), BACK} <= set(read_pictures())
    for picture in read_pictures().values():
        ElementTree.fromstring(f"<svg>{picture}</svg>")


def test_a_round_shows_all_hands_and_a_view_only_its_own() -> None:
    for rules in ("classic", "all-wild", "wild-jackpot"):
        round_ = Round.deal(rules, 3, seed=4)
        assert len(uses(round_._repr_svg_())) == 1 + sum(round_.counts)
        back = uses(round_.view(None)._repr_svg_())[-1]
        own, spectator = (uses(round_.view(seat)._repr_svg_()) for seat in (1, None))
        assert own.count(back) == round_.counts[0] + round_.counts[2]
        assert spectator.count(back) == sum(round_.counts)
        assert (
            own[1 + round_.counts[0] : 1 + round_.counts[0] + round_.counts[1]]
            == [shown for shown in own if shown != back][1:]
        )


def test_equal_ids_are_equal_cards_in_all_pictures() -> None:
    """A notebook shows many pictures in one document."""
    found: dict[str, str] = {}
    for rules in ("classic", "all-wild"):
        picture = Round.deal(rules, 5, seed=3)._repr_svg_()
        for key, content in re.findall(r'<g id="([^"]+)" clip-path="[^"]+">(.*?</rect>|.*?rx="8"[^>]*>)', picture):
            assert found.setdefault(key, content) == content
    assert len(found) > len(Cards(CARD_NAMES)) // 3


def test_matches_records_reports_and_arenas_are_well_formed_with_any_name() -> None:
    match = play(Match("classic", ["Ann <b>&", "Bo"], seed=1), "sharp", rounds=2)
    for value in (match, match.record(), report(match, rollouts=2, threads=1)):
        root = ElementTree.fromstring(value._repr_svg_())
        assert "Ann <b>&" in "".join(root.itertext())
    text = "".join(ElementTree.fromstring(match.record()._repr_svg_()).itertext())
    assert all(str(score) in text for score in match.scores)
    arena = run_arena("classic", 2, ["sharp", "random"], 4, 1, workers=1)
    assert "sharp" in "".join(ElementTree.fromstring(arena._repr_svg_()).itertext())
