"""Reasons of refused moves: the right clause, and true words that say what would be right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lastcard.errors import IllegalMove
from lastcard.game.moves import parse_seat_move
from lastcard.game.position import parse_position
from lastcard.match.refusals import CLAUSE_EXCEPTIONS, TEXT_VARIANTS, seats_with_effective_call
from lastcard.match.round import Round
from lastcard.rules import refusal_reasons
from support.arranged_decks import deal_arranged, play_moves
from support.random_play import seeded, seeds, walk
from support.refused_moves import REFUSED_MOVES, RefusedMove

RULES = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", REFUSED_MOVES, ids=lambda case: f"{case.rules}-{case.move}")
def test_the_clause_that_refuses(case: RefusedMove) -> None:
    """The words match to their end, too."""
    table = play_moves(Round.from_position(parse_position(case.position)), *case.moves.split())
    with pytest.raises(IllegalMove) as error:
        table.do(*parse_seat_move(case.move))
    assert (error.value.clause, error.value.variant) == (case.clause, case.variant)
    assert str(error.value).endswith(f"{case.words}: {case.clause}")


@pytest.mark.parametrize(
    ("first", "options", "case", "clause"),
    [
        ("Rj", "", "1:choose>7", "WJ-8"),
        ("Rj", "", "1:draw", "WJ-26"),
        ("Wj", "", "1:draw", "CL-10"),
        ("Rj", "+wj_first_jackpot=lever+wj_lever_weights=1/0/0/0/0/0", "1:choose>7", "WJ-40a"),
    ],
)
def test_the_clause_that_refuses_at_an_opening_jackpot(first: str, options: str, case: str, clause: str) -> None:
    """WJ-8: no lever is pulled, so nobody is its puller; CL-10: nobody has played the wild one."""
    table = deal_arranged(f"wild-jackpot{options}", 3, first)
    if table.decision == "pull":
        table.do(1, "pull")
    with pytest.raises(IllegalMove) as error:
        table.do(*parse_seat_move(case))
    assert error.value.clause == clause


def test_a_seat_that_no_table_has() -> None:
    """CO-47: it is refused in every argument."""
    table = Round.from_position(parse_position(REFUSED_MOVES[0].position))
    for move in ("R7>12", "catch>12", "choose>10"):
        with pytest.raises(IllegalMove, match="seats are 0 to 9 at most") as error:
            table.do(0, move)
        assert (error.value.code, error.value.clause, error.value.variant) == ("bad-target", "CO-47", "no-seat")


def test_every_clause_that_refuses_is_one() -> None:
    """The clause differs from the usual clause of its reason; otherwise the row would be useless."""
    for why, names, values, clause in CLAUSE_EXCEPTIONS:
        assert re.search(rf"^(\| |\*\*){re.escape(clause)} ", RULES, re.MULTILINE), clause
        assert len(names.split()) == len(values.split())
        earlier = any(
            own == why for own, *_ in CLAUSE_EXCEPTIONS[: CLAUSE_EXCEPTIONS.index((why, names, values, clause))]
        )
        assert clause != refusal_reasons.ALL[why][1] or earlier


def test_other_words_are_said() -> None:
    """Each variant occurs in a move above: none is impossible."""
    for _, names, values, name in TEXT_VARIANTS:
        assert len(names.split()) == len(values.split())
        assert name in {case.variant for case in REFUSED_MOVES}


@pytest.mark.parametrize("block", range(2))
def test_a_call_counts_where_the_engine_takes_it(block: int) -> None:
    """This is exact where false calls are not punished; elsewhere the engine accepts those, too."""
    seen: set[bool] = set()
    for seed in seeds(60, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 120):
                calls = seats_with_effective_call(table.rules, table.public_state())
                for seat in range(table.players):
                    counts, taken = seat in calls, table.can(seat, "uno")
                    assert counts == taken if table.rules.options.false_uno_penalty == "none" else counts <= taken
                    seen.add(counts)
    assert seen == {False, True}
