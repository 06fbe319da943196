"""Why an act is refused: the clause that really says so, and words that are true and say what would be right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lastcard.errors import Refused
from lastcard.game.actions import parse_act
from lastcard.game.position import parse_position
from lastcard.match.refusals import ELSEWHERE, OTHERWISE, may_call
from lastcard.match.round import Round
from lastcard.rules import reason
from support.opening import opened
from support.randomly import seeded, seeds, walk
from support.refused import REFUSED, RefusedAct

RULES = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("act", REFUSED, ids=lambda act: f"{act.rules}-{act.tried}")
def test_the_clause_that_refuses(act: RefusedAct) -> None:
    """And what is said, to the end of it."""
    table = Round.from_position(parse_position(act.position))
    for text in act.moves.split():
        table.do(*parse_act(text))
    with pytest.raises(Refused) as error:
        table.do(*parse_act(act.tried))
    assert (error.value.clause, error.value.variant) == (act.clause, act.variant)
    assert str(error.value).endswith(f"{act.words}: {act.clause}")


@pytest.mark.parametrize(
    ("first", "options", "act", "clause"),
    [
        ("Rj", "", "1:choose>7", "WJ-8"),
        ("Rj", "", "1:draw", "WJ-26"),
        ("Wj", "", "1:draw", "CL-10"),
        ("Rj", "+wj_first_jackpot=lever+wj_lever_weights=1/0/0/0/0/0", "1:choose>7", "WJ-40a"),
    ],
)
def test_the_clause_that_refuses_at_an_opening_jackpot(first: str, options: str, act: str, clause: str) -> None:
    """WJ-8: no lever is pulled, so nobody is its puller; CL-10: nobody has played the wild one."""
    table = opened(f"wild-jackpot{options}", 3, first)
    if table.decision == "pull":
        table.do(1, "pull")
    with pytest.raises(Refused) as error:
        table.do(*parse_act(act))
    assert error.value.clause == clause


def test_a_seat_that_no_table_has() -> None:
    """CO-47: it is refused whatever names it."""
    table = Round.from_position(parse_position(REFUSED[0].position))
    for move in ("R7>12", "catch>12", "choose>10"):
        with pytest.raises(Refused, match="seats are 0 to 9 at most") as error:
            table.do(0, move)
        assert (error.value.code, error.value.clause, error.value.variant) == ("bad-target", "CO-47", "no-seat")


def test_every_clause_that_refuses_is_one() -> None:
    """And another than the usual one of its reason, or the row would say nothing."""
    for why, names, values, clause in ELSEWHERE:
        assert re.search(rf"^(\| |\*\*){re.escape(clause)} ", RULES, re.MULTILINE), clause
        assert len(names.split()) == len(values.split())
        earlier = any(own == why for own, *_ in ELSEWHERE[: ELSEWHERE.index((why, names, values, clause))])
        assert clause != reason.ALL[why][1] or earlier


def test_other_words_are_said() -> None:
    """Each of them by an act above: no row waits for what cannot be."""
    for _, names, values, name in OTHERWISE:
        assert len(names.split()) == len(values.split())
        assert name in {act.variant for act in REFUSED}


@pytest.mark.parametrize("block", range(2))
def test_a_call_counts_where_the_engine_takes_it(block: int) -> None:
    """At tables where no false call is punished; where they are, the engine takes those too."""
    seen: set[bool] = set()
    for seed in seeds(60, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 120):
                for seat in range(table.players):
                    counts = may_call(table.rules, table.face(), seat)
                    taken = table.can(seat, "uno")
                    assert counts == taken if table.rules.options.false_uno_penalty == "none" else counts <= taken
                    seen.add(counts)
    assert seen == {False, True}
