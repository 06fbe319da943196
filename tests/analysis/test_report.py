"""Reports: luck and choices add up to the result, blunders are found."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from statistics import mean, stdev

import pytest

from lastcard.ai.round_analysis import PARTS
from lastcard.analysis.adjusted import find_heuristic_seats
from lastcard.analysis.attribution import LUCK_WEIGHT, Attribution
from lastcard.analysis.replayed_round import replay_rounds
from lastcard.analysis.report import estimate_match_chances
from lastcard.analysis.report_model import Report, largest
from lastcard.bots.evaluation import Evaluation, MoveEvaluator
from lastcard.bots.search import SearchConfig
from lastcard.bots.statistics import Estimate
from lastcard.errors import RecordError, UsageError
from lastcard.game.cards import SKIP, card_face
from lastcard.game.moves import CALLS, Move
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.match.view import View
from support.report_samples import EFFORTS, MoveOverride, play_match, quick_report

REPORT_CONFIGS = [
    ("classic", "sharp,learner", 2),
    ("classic+stacking=cross+jump_in+seven_zero", "sharp,learner,casual", 1),
    ("classic+team_play", "learner,sharp,learner,sharp", 1),
    ("all-wild", "learner,sharp,sharp,learner", 1),
    ("wild-jackpot", "learner,sharp,learner", 1),
]


@cache
def play_and_report(rules: str, bots: str, rounds: int) -> tuple[Match, Report]:
    """A match of these bots and its report."""
    match = play_match(rules, bots, rounds, seed=f"report {rules}")
    return match, quick_report(match)


@pytest.fixture(scope="module", params=REPORT_CONFIGS, ids=[rules for rules, _, _ in REPORT_CONFIGS])
def reported(request: pytest.FixtureRequest) -> tuple[Match, Report]:
    """A match and its report, for every kind of table."""
    return play_and_report(*request.param)


class TestEveryConfig:
    def test_parts_add_up_to_the_result(self, reported: tuple[Match, Report]) -> None:
        match, report = reported
        for one, played in zip(report.rounds, match.record().rounds, strict=True):
            teams = match.rules.options.team_play
            for seat, account in enumerate(one.accounts):
                won = played.winner is not None and (seat == played.winner or (teams and seat % 2 == played.winner % 2))
                assert account.result == float(won)
                assert sum(getattr(account, part).value for part in PARTS) == pytest.approx(account.result)
        for seat, account in enumerate(report.accounts):
            assert sum(getattr(account, part).value for part in PARTS) == pytest.approx(account.result)
            assert account.result == sum(one.accounts[seat].result for one in report.rounds)

    def test_the_chances_alone_are_those_of_the_report(self, reported: tuple[Match, Report]) -> None:
        match, report = reported
        chances = estimate_match_chances(match, rollouts=report.rollouts)
        for alone, whole in zip(chances.rounds, report.rounds, strict=True):
            assert (alone.before, alone.dealt, alone.steps) == (whole.before, whole.dealt, whole.steps)
            assert (alone.number, alone.dealer, alone.winner) == (whole.number, whole.dealer, whole.winner)
        assert chances.largest_changes() == report.largest_changes()
        assert (chances.rules, chances.players, chances.over) == (report.rules, report.players, report.over)

    def test_the_largest_changes_lead_from_a_chance_to_the_next(self, reported: tuple[Match, Report]) -> None:
        _, report = reported
        changes = report.largest_changes(most=100)
        assert changes and report.largest_changes() == changes[:3]
        sizes = [abs(change.change.value) for change in changes]
        assert sizes == sorted(sizes, reverse=True)
        for change in changes:
            before, after = report.rounds[change.round].moments[change.ply - 1 : change.ply + 1]
            assert after[change.seat].value - before[change.seat].value == pytest.approx(change.change.value)
            assert abs(change.change.value) > change.change.margin

    def test_the_result_without_luck(self, reported: tuple[Match, Report]) -> None:
        """The adjusted result combines result and fair share; that of a match is the sum of its rounds."""
        _, report = reported
        for accounts in (*(one.accounts for one in report.rounds), report.accounts):
            for account in accounts:
                weighted_result = (1 - LUCK_WEIGHT) * account.result
                assert account.adjusted.value == pytest.approx(weighted_result + LUCK_WEIGHT * account.fair.value)
                assert account.error_rate.value * account.decisions == pytest.approx(100 * account.given.value)
        for seat, account in enumerate(report.accounts):
            assert account.fair.value == pytest.approx(sum(one.accounts[seat].fair.value for one in report.rounds))

    def test_every_step_leads_from_one_chance_to_the_next(self, reported: tuple[Match, Report]) -> None:
        for one in reported[1].rounds:
            before = one.dealt
            for step in one.steps:
                for seat, chance in enumerate(step.chances):
                    change = step.choice[seat].value + step.luck[seat].value
                    assert before[seat].value + change == pytest.approx(chance.value)
                before = step.chances
            assert all(chance.margin == 0 for chance in before)
            assert all(chance.margin > 0 for chance in one.dealt)

    def test_without_chance_there_is_no_luck(self, reported: tuple[Match, Report]) -> None:
        steps = [step for one in reported[1].rounds for step in one.steps]
        assert any(step.chance for step in steps)
        assert all(luck.value == luck.margin == 0 for step in steps if not step.chance for luck in step.luck)

    def test_the_usual_move_has_no_skill(self, reported: tuple[Match, Report]) -> None:
        """Skill is measured relative to them."""
        decisions = [decision for one in reported[1].rounds for decision in one.decisions]
        assert any(decision.made != decision.usual for decision in decisions)
        for decision in decisions:
            if decision.made == decision.usual:
                assert decision.skill.value == decision.skill.margin == 0
            if decision.made == decision.best:
                assert decision.loss.value == decision.loss.margin == 0

    def test_chances_and_adjusted_results_of_all_add_up(self, reported: tuple[Match, Report]) -> None:
        """One seat wins, unless the round is void; in teams (6.8) two do."""
        match, report = reported
        teams = 2 if match.rules.options.team_play else 1
        for one in report.rounds:
            assert sum(account.fair.value for account in one.accounts) == pytest.approx(teams, abs=0.05)
            for chances in (one.before, one.dealt, *(step.chances for step in one.steps)):
                assert sum(chance.value for chance in chances) == pytest.approx(teams, abs=0.05)

    def test_as_json(self, reported: tuple[Match, Report]) -> None:
        values = json.loads(json.dumps(reported[1].as_dict()))
        assert [len(one["steps"]) for one in values["rounds"]] == [len(one.steps) for one in reported[1].rounds]
        assert all("error_rate" in account for account in values["accounts"])
        for decision in values["worst"]:
            least, most = {"inaccuracy": (0, 0.04), "mistake": (0.04, 0.1), "blunder": (0.1, 1)}[decision["grade"]]
            assert least <= decision["loss"][0] < most


MINIMAL_EFFORT = SearchConfig(rollouts=40, deals=3, burn=6, thin=2)
"""The least search: its quality does not affect a mean."""


@pytest.fixture
def without_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the search for best moves: neither luck nor the adjusted result depends on it."""

    class Nobody(MoveEvaluator):
        def evaluate(self, view: View, moves: object, made: Move, heuristic_move: object, seed: int) -> Evaluation:
            return Evaluation(made, Estimate(), Estimate(), True, (Estimate(),) * view.players)

    monkeypatch.setattr("lastcard.analysis.report.MoveEvaluator", Nobody)


@pytest.mark.usefixtures("without_evaluation")
def test_luck_evens_out() -> None:
    """The mean of luck is zero for every player; else it would include skill."""
    rounds = [
        one
        for seed in range(12)
        for one in quick_report(
            play_match("classic", "sharp,learner", 3, seed=f"luck {seed}"), rollouts=20, measure_config=MINIMAL_EFFORT
        ).rounds
    ]
    for part in ("deal", "draws"):
        values = [getattr(one.accounts[0], part).value for one in rounds]
        assert abs(mean(values)) < 3.5 * stdev(values) / len(values) ** 0.5, part
    values = [one.accounts[0].result - one.accounts[0].fair.value for one in rounds]
    assert abs(mean(values)) < 3.5 * stdev(values) / len(values) ** 0.5


@pytest.mark.usefixtures("without_evaluation")
@pytest.mark.parametrize("rules", ["classic", "all-wild", "wild-jackpot"])
def test_results_scatter_a_third_as_much_without_luck(rules: str) -> None:
    """This is measured between two players of one strength."""
    accounts: list[Attribution] = []
    for seed in range(6):
        match = play_match(rules, "sharp,sharp", 5, seed=f"scatter {seed}")
        found = quick_report(match, rollouts=60, measure_config=SearchConfig(deals=40, burn=40))
        accounts += [one.accounts[0] for one in found.rounds]
    results, adjusted = [one.result for one in accounts], [one.adjusted.value for one in accounts]
    assert stdev(results) > 3 * stdev(adjusted)


@pytest.mark.parametrize("rules", ["classic", "all-wild+match_mode=to_target", "wild-jackpot"])
def test_heuristic_players_are_found_from_the_other_rounds(rules: str) -> None:
    """A seat's decisions in a round do not affect how luck is measured there; with one round nothing is known."""
    stories = replay_rounds(play_match(rules, "sharp,random", 3).record())
    assert len(stories) > 1
    assert find_heuristic_seats(stories) == [{0}] * len(stories)
    assert find_heuristic_seats(stories[:1]) == [frozenset()]


def test_the_same_seed_gives_the_same_report() -> None:
    """The number of threads does not matter."""
    match, report = play_and_report("classic", "sharp,learner", 2)
    assert quick_report(match, threads=2).as_dict() == report.as_dict()
    assert quick_report(match.record()).as_dict() == report.as_dict()
    assert quick_report(match, seed=1).as_dict() != report.as_dict()


def draw_instead_of_winning(table: Round, seat: int) -> str | None:
    """Seat 0 draws a card when it could win, and keeps it."""
    if seat == 0 and table.decision == "play" and table.counts[0] == 1:
        return "draw" if any(move.verb == "play" for move in table.legal(0)) else None
    return "pass" if seat == 0 and table.decision == "drawn" and table.counts[0] == 2 else None


def test_drawing_with_a_card_that_wins_is_the_worst_decision() -> None:
    """In nearly every match with it; now and then the heuristic policy makes a worse one."""
    worst = []
    for seed in range(8):
        match = play_match(
            "classic+wd4_mode=free", "sharp,sharp", seed=f"blunder {seed}", override=draw_instead_of_winning
        )
        report = quick_report(match, rollouts=20, search_config=EFFORTS[0])
        slips = [one for one in report.rounds[0].decisions if str(one.made) == "draw" and one.usual != one.made]
        if any(one.seat == 0 for one in slips):
            worst.append(report.worst()[0] in slips)
            one = max(slips, key=lambda slip: slip.loss.value)
            assert one in report.worst(len(slips) + 10)
            assert one.best is not None and one.best.verb == "play"
            assert one.loss.value > 0.15
            assert one.skill.value < -0.15
            assert one not in report.best()
            assert (one.topic, one.grade) == ("draw", "blunder" if one.agreed else None)
            assert report.mistakes_by_topic(0)["draw"] >= one.agreed
    assert len(worst) >= 4
    assert sum(worst) / len(worst) > 0.7, worst


def forget_once(caught: bool) -> MoveOverride:
    """Seat 0 once plays its last card but one without a call; it is caught, or everybody ignores it."""
    missed: list[int] = []

    def override(table: Round, seat: int) -> Move | str | None:
        if not missed and seat == 0 and table.counts[0] == 2 and table.decision == "play":
            numbers = [move for move in table.legal(0) if move.verb == "play" and card_face(move.card or 0) < SKIP]
            missed.extend([0] if numbers else [])
            return numbers[0] if numbers else None
        if missed == [0] and 0 in table.exposed:
            missed.append(1)
            return "catch>0" if caught else next(move for move in table.legal(seat) if move.verb not in CALLS)
        return None

    return override


@pytest.mark.usefixtures("without_evaluation")
@pytest.mark.parametrize("caught", [True, False])
def test_a_missed_call_has_its_price(caught: bool) -> None:
    """CO-17: two cards if the seat is caught; else the cost it would have had."""
    prices = []
    for seed in range(8):
        match = play_match("classic", "sharp,sharp", seed=f"call {seed}", override=forget_once(caught))
        report = quick_report(match, measure_config=MINIMAL_EFFORT)
        for call in report.calls():
            prices.append(call.price.value)
            assert call.seat == 0
            assert (call.by is not None) == caught
        assert report.mistakes_by_topic(0)["call"] == len(report.calls()) * caught
        if caught and report.calls():  # a missed call is the seat's own choice, a catch uses one of others
            step = next(step for step in report.rounds[0].steps if step.move.verb == "catch")
            assert step.choice[0].value == -prices[-1]
            assert step.choice[1].value == pytest.approx(prices[-1])
    assert len(prices) >= 3
    assert sum(prices) / len(prices) > 0.05


def test_an_unfinished_round_is_left_out() -> None:
    """Its report would reveal hidden cards."""
    match = play_match("classic", "sharp,sharp", seed="going on")
    finished = quick_report(match, rollouts=20, search_config=MINIMAL_EFFORT, measure_config=MINIMAL_EFFORT)
    match.next_round()
    match.do(match.round.turn, match.round.legal()[0])
    report = quick_report(match, rollouts=20, search_config=MINIMAL_EFFORT, measure_config=MINIMAL_EFFORT)
    assert not report.over
    assert report.rounds == finished.rounds


def test_nothing_to_report() -> None:
    match = Match("classic", 2, seed=1)
    with pytest.raises(UsageError, match="no round of this match is over"):
        quick_report(match)


def test_one_rollout_gives_no_estimate() -> None:
    with pytest.raises(UsageError, match="the number of rollouts is a whole number from 2 on, not 1"):
        quick_report(play_and_report("classic", "sharp,learner", 2)[0], rollouts=1)
    with pytest.raises(UsageError, match=r"the number of rollouts is a whole number from 2 on, not 2\.5"):
        quick_report(play_and_report("classic", "sharp,learner", 2)[0], rollouts=2.5)
    with pytest.raises(UsageError, match="the number of threads is a whole number from 1 on, not 0"):
        quick_report(play_and_report("classic", "sharp,learner", 2)[0], threads=0)


def test_a_record_without_its_seed_cannot_be_reported() -> None:
    record = play_match("classic", "sharp,sharp").record()
    with pytest.raises(RecordError, match="the seed is left out"):
        quick_report(record.public())


def test_a_false_record_is_refused() -> None:
    record = play_match("classic", "sharp,sharp").record()
    played = record.rounds[0]
    false = replace(record, rounds=(replace(played, moves=played.moves[:-1]),))
    with pytest.raises(RecordError, match="round 1"):
        quick_report(false)


def test_progress_is_reported() -> None:
    progress: list[tuple[int, int]] = []
    quick_report(
        play_and_report("all-wild", "learner,sharp,sharp,learner", 1)[0], progress=lambda *at: progress.append(at)
    )
    assert [done for done, _ in progress] == list(range(1, progress[-1][1] + 1))


def test_equal_losses_stay_in_the_order_of_play() -> None:
    """In floating point 0.1 + 0.2 is more than 0.3, but lists are the same whatever the order of the sum."""
    losses = {"first": 0.3, "second": 0.1 + 0.2, "third": 0.4, "fourth": 0.2}
    assert largest(losses, losses.__getitem__, 3) == ["third", "first", "second"]


def test_the_worst_decision_of_every_seat_is_listed() -> None:
    """It is listed even if other players made many worse ones."""
    report = quick_report(
        play_match("wild-jackpot+winning_score=100", "casual,learner,sharp,casual", rounds=2, seed=20)
    )
    everything = report.worst(1000)
    assert len(everything) > 5
    for most in (0, 1, 5):
        listed = report.worst(most)
        first = {one.seat: one for one in reversed(everything)}
        assert listed == [one for i, one in enumerate(everything) if i < most or first[one.seat] is one]
        assert {one.seat for one in listed} == {one.seat for one in everything}
