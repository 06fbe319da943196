"""A round between models and bots: every question is answered, bad answers are counted, results fit the match."""

from __future__ import annotations

import math

import pytest

from lastcard.agents.text_round import UNREADABLE, TextRound
from lastcard.arena.arena import run_arena
from lastcard.errors import UsageError
from lastcard.formats.replay import verify_record
from lastcard.game.rulesets import GAMES
from support.model_servers import Script, play_like


def finish(table: TextRound, script: Script) -> TextRound:
    """Answer all questions of a round."""
    while table.question is not None:
        table.answer(script([{"role": "user", "content": table.question.prompt}]))
    return table


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bots", [(None, "sharp"), ("casual", None, "random", None), (None, None)])
def test_a_round_is_played_to_its_end(game: str, bots: tuple[str | None, ...]) -> None:
    table = finish(TextRound(game, bots, seed=f"{game} {bots}"), lambda messages: "1")
    assert table.match.round.over and not table.is_stuck
    verify_record(table.match.record())
    assert sum(table.rewards()) == 1 and len(table.rewards()) == len(bots)
    assert all(math.isfinite(each) for each in table.adjusted_rewards())
    assert all((count.decisions > 0) or bot for count, bot in zip(table.counts, bots, strict=True))
    with pytest.raises(UsageError, match="no question"):
        table.answer("1")


@pytest.mark.parametrize("game", GAMES)
def test_a_model_that_plays_like_a_bot_makes_its_moves(game: str) -> None:
    for number in range(4):
        with play_like("sharp") as script:
            asked = finish(TextRound(game, [None, "casual", None], seed=number), script)
        known = TextRound(game, ["sharp", "casual", "sharp"], seed=number, needs_model=False)
        assert asked.match.moves == known.match.moves
        assert asked.rewards() == known.rewards()


@pytest.mark.parametrize("bots", [["casual"], ["casual", "sharp"], [], "casual"])
def test_a_list_without_a_seat_of_a_model_is_refused(bots: list[str] | str) -> None:
    with pytest.raises(UsageError, match=r"None for a seat of a model, as in \[None, 'casual'\]; .* has no seat of"):
        TextRound("classic", bots)


def test_bad_answers_are_counted_by_clause() -> None:
    table = TextRound("classic", [None, "sharp"], seed=1)
    question = table.question
    assert question is not None
    outcome = table.answer("B2")
    assert (outcome.status, outcome.clause) == ("illegal", "CO-3") and table.question is question
    assert table.answer("perhaps").status == "unclear"
    assert table.answer("R9!").status == "substituted" and table.question is not question
    counts = table.counts[0]
    assert sum(counts.illegal.values()) == 3 and counts.illegal["CO-3"] >= 1 and counts.illegal[UNREADABLE] == 1
    assert (counts.fallbacks, counts.decisions) == (1, 1)
    assert table.match.moves[0] == f"0:{question.prompt.partition('1. ')[2].split()[0]}"


def reaction() -> TextRound:
    """A round that asks a model out of turn."""
    for seed in range(200):
        table = TextRound("classic", [None, None], seed=seed)
        while table.question is not None:
            if table.question.is_reaction:
                return table
            table.answer("1")
    raise AssertionError("nobody has forgotten a call")


def test_out_of_turn_a_model_may_do_nothing() -> None:
    table = reaction()
    question, before = table.question, table.match.moves
    assert question is not None and "uno" in question.prompt
    assert table.answer('{"move": null}').status == "done"
    assert table.match.moves[: len(before)] == before and table.question is not question


def test_out_of_turn_bad_answers_end_in_nothing() -> None:
    table = reaction()
    seat, asked = table.question.seat if table.question else -1, table.question
    assert [table.answer("draw").tries_left for _ in range(2)] == [2, 1] and table.question is asked
    moves = len(table.match.moves)
    assert table.answer("draw").status == "substituted"
    assert table.counts[seat].fallbacks == 1
    assert table.question is not asked and f"{seat}:draw" not in table.match.moves[moves:]


def test_missed_calls_are_counted() -> None:
    """A model that never calls is caught by attentive bots; one that plays like them misses none."""
    silent = [finish(TextRound("classic", [None, "sharp"], seed=n), lambda messages: "1") for n in range(10)]
    assert sum(table.counts[0].missed_calls for table in silent) > 0
    for n in range(10):
        with play_like("sharp") as script:
            assert finish(TextRound("classic", [None, "sharp"], seed=n), script).counts[0].missed_calls == 0


@pytest.mark.parametrize(("bot", "opponent"), [("sharp", "random"), ("random", "sharp")])
def test_strengths_agree_with_the_arena(bot: str, opponent: str) -> None:
    """The share of a model that plays like a bot is within the interval around the bot's share in the arena."""
    deals, won = 40, []
    for number in range(deals):
        for seat in range(2):
            with play_like(bot) as script:
                bots = [opponent, opponent]
                table = finish(
                    TextRound("classic", [None if each == seat else bots[each] for each in range(2)], number), script
                )
            won.append(table.rewards()[seat])
    entry = run_arena("classic", 2, [bot, opponent], 600, seed=1, workers=1).entries[bot].wins
    margin = 1.96 * math.sqrt(0.25 / len(won)) + entry.margin
    assert abs(sum(won) / len(won) - entry.value) < margin
