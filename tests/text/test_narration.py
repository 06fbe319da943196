"""Every event at a table has words in every language."""

from __future__ import annotations

import inspect
import re

import pytest

from lastcard import IllegalMove, Match, Move, Round
from lastcard.game import action_codes
from lastcard.game.moves import parse_seat_move
from lastcard.game.position import parse_position
from lastcard.match import events
from lastcard.match.refusals import TEXT_VARIANTS
from lastcard.rules import phases, refusal_reasons
from lastcard.terminal.display import question_lines
from lastcard.terminal.input_parser import COMMANDS
from lastcard.text.locale import LANGUAGES, catalog
from lastcard.text.narration import Narrator
from support.arranged_decks import play_moves
from support.event_samples import EVENT_SAMPLES
from support.refused_moves import REFUSED_MOVES, RefusedMove

EVENTS = [
    member
    for _, member in inspect.getmembers(events, inspect.isclass)
    if issubclass(member, events.Event) and member is not events.Event
]
PRIVATE = (events.Drew, events.Shown, events.Took)


@pytest.fixture
def match() -> Match:
    return Match("wild-jackpot", ["Ann", "Bo", "Cy"], seed=1)


def test_every_event_is_narrated_and_has_an_example() -> None:
    assert set(events.EVENT_NAMES) == set(EVENTS) == {type(event) for event in EVENT_SAMPLES}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_events_are_narrated_to_everybody(match: Match, language: str, viewer: int | None) -> None:
    narrator = Narrator(match, catalog(language))
    for event in EVENT_SAMPLES:
        line = narrator.line(event, viewer)
        assert "{" not in line and "None" not in line
        if isinstance(event, PRIVATE) and viewer in (None, 2):
            assert narrator.card(5) not in line


def test_narration_addresses_the_viewer(match: Match) -> None:
    narrator = Narrator(match, catalog("en"))
    caught = events.Caught(0, 1)
    assert narrator.line(caught, 0) == "Bo catches you: you did not call UNO."
    assert narrator.line(caught, 1) == "You catch Ann, who did not call UNO."
    assert narrator.line(caught, None) == "Bo catches Ann, who did not call UNO."
    swapped = events.Swapped(0, 1)
    assert narrator.line(swapped, 0) == "You and Bo swap hands."
    assert narrator.line(swapped, 1) == "You and Ann swap hands."


def test_a_team_wins_a_round_together() -> None:
    """A player who goes out wins for both partners (6.8)."""
    narrator = Narrator(Match("classic+team_play", ["Ann", "Bo", "Cy", "Di"], seed=1), catalog("en"))
    won = events.RoundOver(3)
    assert narrator.line(won, 3) == "You and Bo win the round!"
    assert narrator.line(won, 1) == "You and Di win the round!"
    assert narrator.line(won, 0) == narrator.line(won, None) == "Di and Bo win the round!"
    assert narrator.line(events.RoundOver(None), 3) == "The round is void: nobody has won it."


@pytest.mark.parametrize("language", LANGUAGES)
def test_decisions_verbs_and_commands_have_words(language: str) -> None:
    texts = catalog(language)
    for decision in phases.NAMES:
        if decision != phases.NAMES[phases.OVER]:
            assert f"prompt.{decision}" in texts and f"decision.{decision}" in texts
    for verb in action_codes.VERBS:
        assert f"play.choice.{verb}" in texts
    words = [texts.text(f"command.{command}") for command in (*COMMANDS, "catch")]
    assert len(set(words)) == len(words)
    assert all(word == word.lower() and " " not in word for word in words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wild_draw_four_may_be_answered_where_there_is_stacking(language: str) -> None:
    """LC-40: the question says so, and so does the refusal of a draw."""
    said = {}
    for rules in ("classic", "classic+stacking=same"):
        place = {"rules": rules, "hands": ["W+4 R1 R2", "R5 W+4"], "discard": "B9", "draw": "B8 B8 B7 B7 B6 B6"}
        match = play_moves(Match(rules, 2, seed=1, position=parse_position(place)), "0:W+4=R")
        narrator = Narrator(match, catalog(language))
        with pytest.raises(IllegalMove) as error:
            match.round.verify(1, Move("draw"))
        line = narrator.refusal(match.round, 1, Move("draw"), error.value)
        said[rules] = (*question_lines(match.round.view(1), narrator), line)
    (asks, refuses), (also_asks, also_refuses) = said.values()
    answer = {"en": "answer", "es": "respond", "fr": "répond", "pt": "respond", "pl": "odpowi"}[language]
    assert answer not in asks and answer in also_asks and answer not in refuses and answer in also_refuses


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["classic", "all-wild"])
def test_every_refusal_has_words(language: str, game: str) -> None:
    narrator = Narrator(Match(game, 3, seed=1), catalog(language))
    table = Round.deal(game, 3, seed=1)
    codes = {code for number, (code, _) in enumerate(refusal_reasons.ALL) if number != refusal_reasons.OK}
    variants = {(refusal_reasons.ALL[why][0], name) for why, _, _, name in TEXT_VARIANTS}
    written = {key.removeprefix("refused.") for key in catalog(language).texts if key.startswith("refused.")}
    assert written == codes | {".".join(variant) for variant in variants} | {"line"}
    for code, variant in {*((code, "") for code in codes), *variants}:
        for move in (Move("play", 5), Move("play", 65, 1), Move("catch", target=9), Move("draw"), Move("throw", 64)):
            line = narrator.refusal(table, 0, move, IllegalMove(code, "CO-3", "", variant))
            assert "CO-3" not in line and "{" not in line


@pytest.mark.parametrize("tried", REFUSED_MOVES, ids=lambda tried: f"{tried.rules}-{tried.move}")
def test_a_refusal_is_said_in_its_own_words(tried: RefusedMove) -> None:
    """The words are true where the usual ones would not be (LC-19, LC-40), and the suggested seat is valid (LC-34)."""
    match = Match(tried.rules, len(tried.hands), seed=1, position=parse_position(tried.position))
    play_moves(match, *tried.moves.split())
    seat, move = parse_seat_move(tried.move)
    with pytest.raises(IllegalMove) as error:
        match.round.verify(seat, move)
    if seat < len(tried.hands):
        narrator = Narrator(match, catalog("en"))
        line = narrator.refusal(match.round, seat, move, error.value)
        usual = IllegalMove(error.value.code, error.value.clause, "")
        assert (line != narrator.refusal(match.round, seat, move, usual)) is bool(tried.variant)
        proposed = re.search(r">(\d)", line)
        assert proposed is None or match.round.can(seat, f"{tried.move.partition(':')[2]}>{proposed[1]}")
