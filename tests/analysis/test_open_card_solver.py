"""Missed wins: the line that the solver shows wins with the cards and the chance of the round."""

from __future__ import annotations

from functools import cache

import pytest

from lastcard.analysis.open_card_solver import find_winning_line
from lastcard.analysis.replayed_round import ReplayedRound, replay_rounds
from lastcard.analysis.report_model import Decision, Report
from lastcard.analysis.report_text import ReportTexts
from lastcard.formats.replay import start_match
from lastcard.game.moves import parse_move
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.text.locale import catalog
from support.arranged_decks import play_moves
from support.report_samples import play_match, quick_report

REPORT_CONFIGS = [
    ("classic+uno_window=automatic_call", "learner,casual", 1, 7),
    ("classic+uno_window=automatic_call+stacking=cross+seven_zero", "learner,casual,learner", 2, 4),
    ("classic+uno_window=automatic_call+team_play", "learner,learner,casual,learner", 2, 6),
    ("all-wild+uno_window=automatic_call", "learner,learner,casual", 1, 3),
    ("wild-jackpot+uno_window=automatic_call", "learner,casual,learner", 1, 5),
]
"""Rules, bots, rounds and seed. Calls are automatic: the line leaves them out."""


@cache
def make_report(rules: str, bots: str, rounds: int, seed: int) -> tuple[Match, Report]:
    match = play_match(rules, bots, rounds, seed=f"hindsight {seed} {rules}")
    return match, quick_report(match)


def round_before(match: Match, decision: Decision) -> Round:
    """The round as it was at a decision."""
    again = start_match(match.record())
    for number, played in enumerate(match.record().rounds[: decision.round + 1]):
        if number:
            again.next_round()
        play_moves(again, *(played.moves if number < decision.round else played.moves[: decision.ply - 1]))
    return again.round


@pytest.mark.parametrize(("rules", "bots", "rounds", "seed"), REPORT_CONFIGS)
def test_the_line_wins(rules: str, bots: str, rounds: int, seed: int) -> None:
    """Played on the real round, the line ends with the seat, or its partner (6.8), as the winner."""
    match, report = make_report(rules, bots, rounds, seed)
    found = [one for each in report.rounds for one in each.decisions if one.line]
    assert found
    for decision in found:
        assert decision.line[0][0] == decision.seat
        assert decision.line[0][1] != decision.made
        table = round_before(match, decision)
        for seat, move in decision.line:
            assert not table.over
            table.do(seat, move)
        assert table.winner is not None
        teams = match.rules.options.team_play
        assert table.winner == decision.seat or (teams and table.winner % 2 == decision.seat % 2)


def test_only_losers_who_lost_chances_get_a_line() -> None:
    for table in REPORT_CONFIGS:
        for one in make_report(*table)[1].rounds:
            for decision in one.decisions:
                if decision.line:
                    assert decision.kind == "mistake"
                    assert one.accounts[decision.seat].result == 0


def replay_round(match: Match) -> ReplayedRound:
    return replay_rounds(match.record())[0]


def test_a_card_that_would_have_won_at_once() -> None:
    """A player who draws with one card that fits could have played it."""
    for seed in range(200):
        match = Match("classic+uno_window=automatic_call", ["Ann", "Ben"], seed=f"at once {seed}")
        drawn = None
        while not match.round.over:
            table = match.round
            legal = [move for move in table.legal(table.turn) if move.verb not in ("uno", "catch")]
            last = len(table.hands[table.turn]) == 1 and any(move.verb == "play" for move in legal)
            move = next(move for move in legal if move.verb == "draw") if last and drawn is None else legal[0]
            if last and drawn is None:
                drawn = table.turn, sum(len(one.moves) for one in match.record().rounds)
            match.do(table.turn, move)
        if drawn is not None and match.round.winner != drawn[0]:
            line = find_winning_line(replay_round(match), drawn[1])
            assert len(line) == 1
            assert line[0][1].verb == "play"
            return
    pytest.fail("nobody with one card that fits drew and lost")


def test_a_move_out_of_turn_has_no_line() -> None:
    match = play_match("classic+jump_in", "sharp,sharp,sharp", 3, seed="hindsight, out of turn")
    story = replay_rounds(match.record())
    jumps = [(one, i) for one in story for i, ply in enumerate(one.moves) if one.states[i]["turn"] != ply.seat]
    assert jumps
    assert all(find_winning_line(one, i) == () for one, i in jumps)


def test_a_line_is_shown_in_words() -> None:
    _, report = make_report(*REPORT_CONFIGS[0])
    worst = [one for one in report.worst() if one.line]
    assert worst
    words = ReportTexts(report, catalog("en"))
    lines = [line.text for line in words.lists()["worst"]]
    for one in worst:
        own = [words.move(move) for seat, move in one.line if seat == one.seat][:6]
        assert any(f"With all cards open, this would have won: {' → '.join(own)}" in line for line in lines)


def test_a_line_is_part_of_the_json() -> None:
    _, report = make_report(*REPORT_CONFIGS[0])
    decisions = [one for each in report.as_dict()["rounds"] for one in each["decisions"]]
    lines = [one["line"] for one in decisions if one["line"]]
    assert lines
    assert all(parse_move(text).verb for line in lines for _, text in line)
