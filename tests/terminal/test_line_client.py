"""The line client: whole matches by script, in every game and language, for one or several people at a keyboard."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lastcard.bots.advice import rank_moves
from lastcard.bots.search import SearchConfig
from lastcard.errors import LastcardError, RecordError, UsageError
from lastcard.formats.record_files import read_record
from lastcard.game.rulecards import MAX_DARE_CHARS
from lastcard.game.rulesets import GAMES
from lastcard.terminal.line_io import LineTerminal
from lastcard.terminal.match_setup import MatchSetup, assign_seats, play_match
from lastcard.terminal.record_viewer import check_record, show_record
from lastcard.terminal.saves import load_match
from lastcard.text.locale import LANGUAGES, catalog
from lastcard.text.wording import rule_card_help
from support.terminal_sessions import make_session, random_lines, run_session

HARD = (
    "classic+harsh",
    "wild-jackpot+harsh+wj_first_jackpot=lever",
    "all-wild+harsh+match_mode=to_target+winning_score=100",
    "classic+challenge_by=anyone+deflect+uno_window=until_own_next_turn",
    "wild-jackpot+false_uno_penalty=2+false_catch_penalty=2+uno_early_call=any_time",
    "classic+team_play+winning_score=100",
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_against_bots(game: str, language: str, tmp_path: Path) -> None:
    rules = game if game == "all-wild" else f"{game}+winning_score=100"
    here = make_session(tmp_path, rules=rules, language=language, seed=f"{game}/{language}", players=3)
    text = run_session(random_lines(1, 20_000), here)
    record = read_record(tmp_path / "match.toml")
    assert record.winners is not None
    assert record.seed is not None and record.seed.hex() in text
    assert record.commitment in text
    assert check_record(tmp_path / "match.toml").startswith("ok: ")
    assert "{" not in text


@pytest.mark.parametrize("rules", HARD)
def test_every_house_rule_can_be_played(rules: str, tmp_path: Path) -> None:
    text = run_session(
        random_lines(2, 700, invalid_share=0.2), make_session(tmp_path, rules=rules, seed=rules, players=4)
    )
    assert "{" not in text
    assert check_record(tmp_path / "match.toml").startswith("ok: ")


def test_partners_are_named(tmp_path: Path) -> None:
    """At the beginning, and at every turn; without teams nobody has a partner."""
    here = make_session(tmp_path, rules="classic+team_play", names=("Ann",), seed="team", players=4)
    text = run_session(random_lines(3, 40), here)
    assert "Partners: Ann and " in text and text.count("Partners: ") == 2 and "(your partner)" in text
    alone = run_session(random_lines(3, 40), make_session(tmp_path / "alone", rules="classic", seed="alone", players=4))
    assert "Partners: " not in alone and "your partner" not in alone


def test_several_people_share_a_keyboard_and_see_only_their_own_cards(tmp_path: Path) -> None:
    here = make_session(tmp_path, rules="classic+winning_score=100", seed="hot", hot_seat=True, names=("Ann", "Bo"))
    text = run_session((line for line in random_lines(3, 4000) if line), here)
    assert "Ann, take the keyboard." in text
    assert "Bo, take the keyboard." in text
    for screen in text.split("Press Enter and pass the keyboard on."):
        assert not ("Ann, it is your turn." in screen and "Bo, it is your turn." in screen)


def test_the_same_seed_is_the_same_match(tmp_path: Path) -> None:
    texts = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        texts.append(run_session(random_lines(4, 150), make_session(tmp_path / name, rules="wild-jackpot", seed="7")))
    assert texts[0].replace("/a/", "/b/") == texts[1]


@pytest.mark.parametrize("lines", [0, 1, 7, 40])
def test_a_match_that_was_left_continues_where_it_stopped(lines: int, tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    text = run_session(random_lines(5, lines, invalid_share=0), make_session(tmp_path, seed="resume"))
    assert f"lastcard play --resume {path}" in text
    before = path.read_text(encoding="utf-8")
    match, kinds = load_match(path)
    assert kinds == ["", "heuristic", "heuristic", "heuristic"]
    left = match.round.state_bytes()
    run_session([], MatchSetup(resume=path))
    assert path.read_text(encoding="utf-8") == before
    assert load_match(path)[0].round.state_bytes() == left


def test_a_file_that_is_there_is_replaced_only_when_asked(tmp_path: Path) -> None:
    notes, fifo, folder = tmp_path / "notes.txt", tmp_path / "fifo", tmp_path / "folder"
    notes.write_text("milk")
    (tmp_path / "link.txt").symlink_to(notes)
    (tmp_path / "round").symlink_to(tmp_path / "round")
    os.mkfifo(fifo)
    folder.mkdir()
    for path in (notes, tmp_path / "link.txt"):
        with pytest.raises(UsageError, match=f"{path.name}: there is a file already; --overwrite replaces it"):
            run_session([], MatchSetup(save=path))
    for path in (fifo, folder, tmp_path / "round"):
        with pytest.raises(UsageError, match=f"{path.name}: cannot be saved there"):
            run_session([], MatchSetup(save=path, overwrite=True))
    assert notes.read_text() == "milk"
    run_session([], MatchSetup(save=tmp_path / "link.txt", overwrite=True))
    assert load_match(notes) and (tmp_path / "link.txt").is_symlink()


def test_a_match_overwrites_only_its_own_file(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.toml", tmp_path / "other.toml"
    run_session(random_lines(5, 7, invalid_share=0), MatchSetup(save=mine, seed="mine"))
    run_session(random_lines(5, 7, invalid_share=0), MatchSetup(save=other, seed="other"))
    before = other.read_bytes()
    link = tmp_path / "link.toml"
    link.symlink_to(mine)
    for resume, save in ((mine, None), (mine, mine), (link, None), (mine, link), (link, mine)):
        run_session(["1"], MatchSetup(resume=resume, save=save))
    with pytest.raises(UsageError, match="there is a file already"):
        run_session([], MatchSetup(resume=mine, save=other))
    assert other.read_bytes() == before
    run_session([], MatchSetup(resume=mine, save=other, overwrite=True))
    assert other.read_bytes() == mine.read_bytes()


def test_a_match_is_played_in_one_terminal_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    link = tmp_path / "link.toml"
    link.symlink_to(path)
    run_session(random_lines(5, 7, invalid_share=0), MatchSetup(save=path, seed="mine"))
    before = path.read_bytes()

    def second() -> Iterator[str]:
        """Lines while the first client waits for its own."""
        for asked in (MatchSetup(resume=path), MatchSetup(resume=link), MatchSetup(save=path, overwrite=True)):
            with pytest.raises(UsageError, match=r"\.toml: this match is being played in another terminal"):
                run_session(["1"], asked)
        run_session([], MatchSetup(resume=path, save=tmp_path / "copy.toml"))
        yield "quit"

    run_session(second(), MatchSetup(resume=path))
    assert path.read_bytes() == before
    run_session(["1"], MatchSetup(resume=path))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["copy.toml", "link.toml", "match.toml"]


def test_a_killed_terminal_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    run_session(random_lines(5, 7, invalid_share=0), MatchSetup(save=path, seed="mine"))
    (tmp_path / ".match.toml.lock").touch()  # as a crash leaves it
    run_session(["1"], MatchSetup(resume=path))
    assert [each.name for each in tmp_path.iterdir()] == ["match.toml"]


def test_a_match_without_a_file_name_gets_a_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    run_session(["1"], MatchSetup(seed="a"))
    (path,) = (tmp_path / "lastcard" / "matches").iterdir()
    run_session(["1"], MatchSetup(resume=path))
    run_session(["1"], MatchSetup(resume=path))
    run_session([], MatchSetup(seed="b"))
    assert len(list(path.parent.iterdir())) == 2


@pytest.mark.parametrize(
    "chosen",
    [
        {"rules": "classic"},
        {"players": 0},
        {"names": ("Ann",)},
        {"bots": ("sharp",)},
        {"seed": ""},
        {"hot_seat": True},
    ],
)
def test_options_of_a_new_match_are_refused_on_resume(chosen: dict[str, Any], tmp_path: Path) -> None:
    run_session(["1"], make_session(tmp_path, seed="resume"))
    path = tmp_path / "match.toml"
    (name,) = chosen
    with pytest.raises(UsageError, match=f"rules and players it has: leave out --{name.replace('_', '-')}$"):
        run_session([], MatchSetup(resume=path, **chosen))
    run_session([], MatchSetup(resume=path, language="fr", clauses=True))


def test_a_resumed_match_equals_an_uninterrupted_one(tmp_path: Path) -> None:
    script = list(random_lines(6, 20_000, invalid_share=0))
    for name in ("whole", "left"):
        (tmp_path / name).mkdir()
    run_session(script, make_session(tmp_path / "whole", rules="all-wild", seed="halves"))
    path = tmp_path / "left" / "match.toml"
    run_session(script[:5], make_session(tmp_path / "left", rules="all-wild", seed="halves"))
    run_session(script[5:], MatchSetup(resume=path))
    assert read_record(path).rounds == read_record(tmp_path / "whole" / "match.toml").rounds


def test_invalid_input_changes_nothing(tmp_path: Path) -> None:
    rubbish = ["zz", "77", "R", "W=", "catch", "catch zed", "::", "9999999999", "\x1b[A", "draw 2", "5:uno", "1:uno"]
    text = run_session(rubbish, make_session(tmp_path, seed="rubbish"))
    assert sum(map(len, (played.moves for played in read_record(tmp_path / "match.toml").rounds))) <= 4  # the bots'
    assert "Traceback" not in text
    assert "You do not play for Ada." in text


def test_refusals_name_the_clause_on_request(tmp_path: Path) -> None:
    tries = ["catch 1", "challenge", "pull", "throw R5", "pass"]
    assert "[C" not in run_session(tries, make_session(tmp_path / "plain", seed="1", language="es"))
    text = run_session(tries, make_session(tmp_path, seed="1", language="es", clauses=True))
    for clause in ("CO-20", "CL-32", "WJ-24", "CO-4"):
        assert f"[{clause}]" in text
    assert text.count("No es posible: ") == 5


def test_commands_are_understood_in_both_languages(tmp_path: Path) -> None:
    texts = catalog("pl")
    text = run_session(
        ["pomoc", "help", "karty", "hand", "historia", "zasady", "zapisz", "koniec"],
        make_session(tmp_path, language="pl"),
    )
    assert text.count(texts.text("help.number")) == 2
    assert texts.text("play.not_over") in text


def test_words_numbers_and_notation_are_accepted(tmp_path: Path) -> None:
    for name, typed in (("a", "1"), ("b", "R6"), ("c", "red 6"), ("d", "play r6")):
        (tmp_path / name).mkdir()
        text = run_session([typed], make_session(tmp_path / name, seed="1"))
        assert "You play red 6." in text


def test_a_color_prompt_can_be_left(tmp_path: Path) -> None:
    text = run_session(["W", "", "3", "mauve", "b"], make_session(tmp_path, seed="1"))
    assert "You play Wild and name blue." in text
    assert text.count("Which color?") == 2
    assert "“mauve” is neither" in text


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints take no time."""
    monkeypatch.setattr(
        "lastcard.terminal.line_client.rank_moves",
        lambda view: rank_moves(view, SearchConfig(rollouts=48, deals=16), SearchConfig(deals=4), None),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_names_the_best_moves(language: str, tmp_path: Path, quick: None) -> None:
    """Chances and reasons in words, from the player's own view, in each language; nothing changes."""
    texts = catalog(language)
    text = run_session(["hint", texts.text("command.hint")], make_session(tmp_path, seed="1", language=language))
    lines = [line for line in text.splitlines() if line.startswith("  ") and "±" in line]
    assert text.count(texts.text("play.hint.about")) == 2 and len(lines) in (4, 6)
    assert lines[: len(lines) // 2] == lines[len(lines) // 2 :]
    assert not any("{" in line for line in lines) and all(line.endswith(".") for line in lines)


def test_there_are_no_hints_for_several_people(tmp_path: Path, quick: None) -> None:
    """Nobody has agreed to them."""
    text = run_session(["", "hint"], make_session(tmp_path, seed="1", hot_seat=True, names=("Ann", "Bo")))
    assert "±" not in text and catalog("en").text("play.hint.refused") in text


def test_bots_of_a_level_have_the_same_level_and_behavior_later(tmp_path: Path) -> None:
    """Both are the same in a resumed match."""
    bots = ("learner", "expert:rollouts=100")
    run_session(["1"], make_session(tmp_path, seed="1", bots=bots))
    path = tmp_path / "match.toml"
    assert load_match(path)[1] == ["", *bots]
    run_session(["1"], MatchSetup(resume=path))
    assert load_match(path)[1] == ["", *bots]


def test_people_write_rule_cards_and_bots_add_built_in_ones(tmp_path: Path) -> None:
    written = ["nonsense", "dare: sing", "draw 2; reverse", "", "swap chosen", ""]
    text = run_session(written, make_session(tmp_path, rules="wild-jackpot+wj_rules=written", seed="5"))
    assert "It reads: “Draw 2 cards. Then the direction of play reverses.”" in text
    cards = read_record(tmp_path / "match.toml").rule_cards
    assert cards is not None
    assert [card.text for card in cards[:2]] == ["draw 2; reverse", "swap chosen"]
    assert len(cards) == 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_invalid_rule_card_is_reported_in_the_language(language: str, tmp_path: Path) -> None:
    here = make_session(tmp_path, rules="wild-jackpot+wj_rules=written", language=language)
    texts = catalog(language)
    for typed, reason in (
        ("foo", texts.text("web.refused.wrong-word", word="foo", n=1)),
        ("", texts.text("web.refused.word-missing", n=1)),
        ("draw 2; reverse 3", texts.text("web.refused.wrong-word", word="3", n=17)),
        ("dare:", texts.text("web.refused.no-dare")),
        ("dare: \u202e", texts.text("web.refused.bad-dare", n=1, most=MAX_DARE_CHARS)),
    ):
        text = run_session([typed], here)
        said = reason if typed.startswith("dare") else f"{reason} {rule_card_help(texts)}"
        assert texts.text("prompt.write.wrong", reason=said) in text
        assert "expected" not in text and "(in '" not in text


def test_writing_rule_cards_can_be_left(tmp_path: Path) -> None:
    """Quit is no rule card: nothing has begun, so nothing is saved."""
    text = run_session(["draw 1", "quit", "1"], make_session(tmp_path, rules="wild-jackpot+wj_rules=written"))
    assert "Round 1" not in text and not (tmp_path / "match.toml").exists()


def test_a_record_is_shown_from_any_seat(tmp_path: Path) -> None:
    run_session(random_lines(8, 3000), make_session(tmp_path, rules="all-wild", seed="eyes"))
    path = tmp_path / "match.toml"
    outputs = []
    for seat in (None, 0, 1):
        out = io.StringIO()
        show_record(path, "en", seat, LineTerminal(io.StringIO(), out))
        outputs.append(out.getvalue())
    assert len(set(outputs)) == 3
    assert "You " not in outputs[0]
    with pytest.raises(UsageError, match="no seat 9"):
        show_record(path, "en", 9, LineTerminal(io.StringIO(), io.StringIO()))


def test_an_edited_record_cannot_be_resumed(tmp_path: Path) -> None:
    run_session(["1"], make_session(tmp_path, seed="1"))
    path = tmp_path / "match.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("R6", "R7"), encoding="utf-8")
    with pytest.raises(RecordError, match="round 1"):
        load_match(path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("format = 1", "format = 0", "head: format: expected the version"),
        ('rules = "', 'rules = "classic+forgotten+', "'forgotten' in"),
        ('"heuristic"', '"forgotten"', "there is no bot 'forgotten'"),
    ],
)
def test_a_match_of_another_version_is_left_as_it_is(tmp_path: Path, old: str, new: str, said: str) -> None:
    """The error says what cannot be read."""
    run_session(["1"], make_session(tmp_path, seed="1"))
    path = tmp_path / "match.toml"
    text = path.read_text(encoding="utf-8").replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LastcardError, match=said):
        play_match(MatchSetup(resume=path), LineTerminal(io.StringIO(), io.StringIO()))
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("asked", "kinds"),
    [
        (MatchSetup(), ["", "heuristic", "heuristic", "heuristic"]),
        (MatchSetup(players=2), ["", "heuristic"]),
        (MatchSetup(bots=("random",)), ["", "random"]),
        (MatchSetup(bots=("random",), players=3), ["", "random", "random"]),
        (MatchSetup(hot_seat=True, names=("A", "B")), ["", ""]),
        (MatchSetup(hot_seat=True, names=("A", "B"), players=3), ["", "", "heuristic"]),
        (MatchSetup(hot_seat=True, names=("A", "B"), bots=("random",)), ["", "", "random"]),
        (MatchSetup(hot_seat=True, players=3), ["", "", ""]),
    ],
)
def test_seats_are_filled_as_asked(asked: MatchSetup, kinds: list[str]) -> None:
    names, found = assign_seats(asked, catalog("en"))
    assert found == kinds
    assert len(set(names)) == len(kinds)


@pytest.mark.parametrize(
    "asked",
    [
        MatchSetup(players=1),
        MatchSetup(players=11),
        MatchSetup(bots=("nobody",)),
        MatchSetup(names=("A", "B")),
        MatchSetup(hot_seat=True, names=("A", "a")),
        MatchSetup(hot_seat=True, names=("A", " ")),
        MatchSetup(bots=("random", "random"), players=2),
    ],
)
def test_invalid_tables_are_refused(asked: MatchSetup) -> None:
    with pytest.raises(UsageError):
        assign_seats(asked, catalog("en"))
