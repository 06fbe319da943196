"""Styles: each differs from *sharp* in the way that its name says, and none of them plays badly."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lastcard.arena.arena import run_arena
from lastcard.bots.registry import make_bot
from lastcard.bots.weights import heuristic_weights, styled_weights, styles
from lastcard.game.cards import DRAW_FOUR, SKIP, card_face, is_wild
from lastcard.game.rulesets import GAMES
from lastcard.match.round import Round

ROUNDS = 60


def observed_plays(bot: str) -> Iterator[tuple[int, int, bool]]:
    """The cards a bot lays against *sharp*, with its number of cards and whether it had attacks and other cards."""
    for number in range(ROUNDS):
        table = Round.deal("classic", 2, seed="styles", number=number)
        bots = [make_bot(name, number.to_bytes(32, "big"), seat) for seat, name in enumerate((bot, "sharp"))]
        while not table.over:
            view = table.view(table.turn)
            move = bots[table.turn].choose(view)
            if table.turn == 0 and table.decision == "play" and move.card is not None and view.hand is not None:
                kinds = {is_attack(other.card) for other in view.legal if other.card is not None}
                yield move.card, len(view.hand), len(kinds) == 2
            table.do(table.turn, move)


def is_attack(card: int) -> bool:
    return card_face(card) == DRAW_FOUR if is_wild(card) else card_face(card) >= SKIP


def aggression(bot: str) -> float:
    """The share of attacks where it had both kinds of cards."""
    taken = [is_attack(card) for card, _, chance in observed_plays(bot) if chance]
    return sum(taken) / len(taken)


def mean_hand_at_wild(bot: str) -> float:
    """The mean number of cards when it lays a wild."""
    held = [count for card, count, _ in observed_plays(bot) if is_wild(card)]
    return sum(held) / len(held)


def test_each_style_shows() -> None:
    names = ("sharp:style=cautious", "sharp", "sharp:style=aggressive")
    cautious, sharp, aggressive = (aggression(name) for name in names)
    assert cautious < sharp - 0.15 and aggressive > sharp + 0.15
    assert mean_hand_at_wild("sharp:style=hoarder") < mean_hand_at_wild("sharp") - 1


def test_a_style_changes_weights_of_groups_that_are_there() -> None:
    for rules in GAMES:
        for players in (2, 3):
            plain = heuristic_weights(rules, players)
            assert styled_weights(rules, players, "") is plain
            for style in styles():
                styled = styled_weights(rules, players, style)
                assert styled.shape == plain.shape and (styled != plain).any()


@pytest.mark.parametrize("style", ["cautious", "aggressive", "hoarder"])
def test_company_plays_well(style: str) -> None:
    """A clear gap to *learner* in 200 duplicate rounds: it is a style, not a handicap."""
    name = f"sharp:style={style}"
    wins = run_arena("classic", 2, [name, "learner"], 100, seed=7, workers=1).entries[name].wins
    assert wins.low > 0.5
