"""Texts over HTTP: texts, options, rules and rule cards have the same source as in the terminal."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import httpx
import pytest

from lastcard.analysis.rule_figures import RuleFigures, measure_rules
from lastcard.bundle.texts import TEXT_PARTS
from lastcard.game.options import OPTIONS, option_name, value_text
from lastcard.game.rulesets import GAME_DEFAULTS, GAMES, PRESETS, Ruleset, ruleset
from lastcard.server.http import rules
from lastcard.server.security.security import Limit
from lastcard.server.store.store import Store
from lastcard.text.explanation import describe_rule_card, explain_ruleset
from lastcard.text.locale import LANGUAGES, catalog
from support.rulesets import changed_options
from support.threaded_server import app_client, app_of

Ask = Callable[..., httpx.Response]
"""Sends a request to the application: method, path, and arguments of httpx."""


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """The application over an empty store, into which no test puts anything."""
    with closing(Store.open(f"sqlite:///{tmp_path_factory.mktemp('rules')}/tables.db")) as store:
        client = app_client(store)
        yield lambda method, path, **how: asyncio.run(client.request(method, path, **how))


def check_sentence(text: str, language: str, key: str) -> None:
    """Check that a text contains a sentence of a catalog: the parts between its placeholders."""
    sentence = catalog(language).texts[key]
    assert isinstance(sentence, str)
    assert all(part in text for part in re.split(r"\{\w+\}", sentence))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_of_a_screen(ask: Ask, language: str) -> None:
    """Each text comes once, in a part or with the first, except those of the server and of the terminal."""
    paths = [f"/api/locale/{language}", *(f"/api/locale/{language}/{name}" for name in TEXT_PARTS)]
    answers = [ask("GET", path).json() for path in paths]
    texts = {key: text for answer in answers for key, text in answer.items()}
    assert len(texts) == sum(map(len, answers))
    assert texts.items() <= catalog(language).texts.items()
    left_out = {re.sub(r"((web\.)?\w+).*", r"\1", key) for key in set(catalog(language).texts) - set(texts)}
    assert left_out == {"rules", "command", "help", "play", "prompt", "replay", "web.away"}


def test_unchanged_answers_have_no_body(ask: Ask) -> None:
    """A request with the tag of an unchanged answer gets no body; another language has another tag."""
    first = ask("GET", "/api/locale/pl")
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    again = ask("GET", "/api/locale/pl", headers={"if-none-match": f'W/"x", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert ask("GET", "/api/locale/en", headers={"if-none-match": tag}).status_code == 200
    options = ask("GET", "/api/options/classic?lang=pl").headers["etag"]
    assert ask("GET", "/api/options/classic?lang=pl", headers={"if-none-match": options}).status_code == 304
    assert ask("GET", "/api/options/classic?lang=en", headers={"if-none-match": options}).status_code == 200


@pytest.mark.parametrize("path", ["/api/locale/de", "/api/locale/../en", "/api/locale/en/rest", "/api/options/poker"])
def test_unknown_languages_and_games_are_not_found(ask: Ask, path: str) -> None:
    assert ask("GET", path).status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_a_game(ask: Ask, game: str) -> None:
    """Each option has all its values, one line for each, from the same texts as ``lastcard rules``."""
    answer = ask("GET", f"/api/options/{game}?lang=fr").json()
    texts = catalog("fr")
    assert answer["about"] == texts.text(f"game.{game}.about")
    assert [o["name"] for o in answer["options"]] == [o.text_name for o in OPTIONS.values() if game in o.games]
    for option in answer["options"]:
        values = [choice["value"] for choice in option["choices"]]
        assert option["default"] == value_text(getattr(GAME_DEFAULTS[game], option_name(option["name"])))
        assert option["default"] in values
        assert option["label"] == texts.text(f"option.{option['name']}")
        assert option["clauses"] == list(OPTIONS[option_name(option["name"])].clauses)
        for choice in option["choices"]:
            key = f"option.{option['name']}.{choice['value']}"
            assert choice["text"] == texts.text(f"{key}.{game}" if f"{key}.{game}" in texts else key)
        default = option["choices"][values.index(option["default"])]
        assert option["about"] == default["text"]


def test_values_that_make_no_sense_in_a_game_are_not_offered(ask: Ask) -> None:
    """In All Wild no card has a number to draw for dealer, and every card is a wild (AW-1)."""
    answer = ask("GET", "/api/options/all-wild").json()
    values = {o["name"]: [choice["value"] for choice in o["choices"]] for o in answer["options"]}
    assert "draw_high" not in values["first_dealer"]
    assert "no_wild" not in values["finish_restriction"]
    classic = ask("GET", "/api/options/classic").json()
    assert "draw_high" in {o["name"]: o["choices"] for o in classic["options"]}["first_dealer"][0].values()


@pytest.mark.parametrize("game", GAMES)
def test_presets_equal_their_values(ask: Ask, game: str) -> None:
    answer = ask("GET", f"/api/options/{game}").json()
    assert [preset["name"] for preset in answer["presets"]] == list(PRESETS)
    for preset in answer["presets"]:
        one_by_one = "+".join([game, *(f"{name}={value}" for name, value in preset["values"].items())])
        assert ruleset(one_by_one) == ruleset(f"{game}+{preset['name']}")
        assert preset["text"]
        assert preset["about"]


def test_consistent_rules_come_back_with_their_shortest_name(ask: Ask) -> None:
    asked = {"rules": "classic+draw_mode=until_playable+wd4_mode=free+stacking=cross+jump_in=true", "seats": 4}
    answer = ask("POST", "/api/rules", json=asked)
    assert answer.status_code == 200
    assert answer.json() == {"rules": "classic+living-room+jump_in+jump_in_stack=add", "ok": True}


@pytest.mark.parametrize(
    ("rules", "seats", "pairs"),
    [
        ("classic+challenge_by=anyone+wd4_mode=free", 4, {"challenge_by": "anyone", "wd4_mode": "free"}),
        ("classic+forced_swap_last_card=player_wins", 4, {"forced_swap_last_card": "player_wins"}),
        ("all-wild+finish_restriction=no_wild", 4, {"finish_restriction": "no_wild"}),
        ("classic+team_play", 3, {"team_play": "true"}),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_contradictory_rules_are_refused(
    ask: Ask, language: str, rules: str, seats: int, pairs: dict[str, str]
) -> None:
    """The message names the contradiction in the person's language, with the texts of the settings."""
    texts = catalog(language)
    answer = ask("POST", f"/api/rules?lang={language}", json={"rules": rules, "seats": seats})
    assert (answer.status_code, answer.json()["ok"]) == (200, False)
    text = answer.json()["text"]
    for name, value in pairs.items():
        assert texts.text(f"option.{name}") in text and name not in text
        assert texts.text(f"option.{name}.{value}")[1:] in text
    game = rules.partition("+")[0]
    assert (texts.text(f"game.{game}") in text) is (len(pairs) == 1 and "team_play" not in pairs)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("rules", "word", "key", "right"),
    [
        ("poker", "poker", "bad-ruleset", "wild-jackpot"),
        ("classic+stakcing=same", "stakcing=same", "bad-ruleset", "living-room"),
        ("classic+stacking=often", "often", "bad-value", "equal_or_higher"),
        ("wild-jackpot+wj_lever_weights=1/2", "1/2", "bad-value", "1/1/1/1/2/0"),
    ],
)
def test_rules_that_cannot_be_read(ask: Ask, language: str, rules: str, word: str, key: str, right: str) -> None:
    """The message quotes the wrong word, and suggests the right one in the person's language."""
    answer = ask("POST", f"/api/rules?lang={language}", json={"rules": rules, "seats": 4})
    assert (answer.status_code, answer.json()["ok"]) == (200, False)
    check_sentence(answer.json()["text"], language, f"web.refused.{key}")
    assert word in answer.json()["text"] and right in answer.json()["text"]


def test_conflicting_values_are_named(ask: Ask) -> None:
    answer = ask("POST", "/api/rules?lang=pl", json={"rules": "classic+stacking=same+stacking=off", "seats": 4})
    texts = catalog("pl")
    assert all(texts.text(f"option.stacking.{value}")[1:] in answer.json()["text"] for value in ("same", "off"))


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/rules", b"{"),
        ("/api/rules", b'{"rules": "classic"}'),
        ("/api/rules", b'{"rules": "classic", "seats": 11}'),
        ("/api/rules", b'{"rules": "classic", "seats": 4, "more": 1}'),
        ("/api/rules", json.dumps({"rules": "classic+" * 200, "seats": 4}).encode()),
        ("/api/card", b'{"text": ""}'),
        ("/api/card", b"\xff\xfe"),
        ("/api/card", json.dumps({"text": "dare: sing", "lang": "de"}).encode()),
    ],
)
def test_unreadable_requests_are_refused(ask: Ask, path: str, body: bytes) -> None:
    answer = ask("POST", path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["text"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["classic", "all-wild+harsh", "wild-jackpot+wj_lever_weights=1/0/2/0/3/4"])
def test_the_rules_are_what_the_terminal_prints(ask: Ask, name: str, language: str) -> None:
    """Joined as text, the sections equal ``lastcard rules``, with the table's own options marked."""
    page = ask("GET", f"/api/rules/{name.replace('/', '%2F')}?lang={language}").json()
    texts = catalog(language)
    lines = [page["title"], texts.text("rules.name", name=page["name"])]
    lines += [page["about_name"]] if page["about_name"] else []
    for section in page["sections"]:
        lines += ["", section["head"], *([section["note"]] if section["note"] else [])]
        for line in section["lines"]:
            lines.append(f"{'*' if line['changed'] else '-'} {line['text']} [{', '.join(line['clauses'])}]")
            lines += [f"    {line['sub']}"] if line["sub"] else []
    assert "\n".join(lines) + "\n" == explain_ruleset(ruleset(name), language)
    changed = sum(line["changed"] for section in page["sections"] for line in section["lines"])
    assert changed == len(changed_options(ruleset(name)))


def test_rules_of_no_game_are_refused_in_words(ask: Ask) -> None:
    answer = ask("GET", "/api/rules/poker", headers={"accept-language": "fr"})
    assert answer.status_code == 422
    check_sentence(answer.json()["text"], "fr", "web.refused.bad-ruleset")


def test_figures_of_rules_are_measured_once(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another spelling of the same rules is no other work; rules that do not fit are refused."""
    measured = []

    def measure(name: Ruleset, seats: int) -> RuleFigures:
        measured.append((str(name), seats))
        return measure_rules(name, seats, budget_ms=0)

    monkeypatch.setattr(rules, "measure_rules", measure)
    first = ask("GET", "/api/figures/5/classic%2Bseven_zero%2Bjump_in")
    assert first.json().keys() == {"moves", "turns", "waits", "overtakings", "skill"}
    assert ask("GET", "/api/figures/5/classic%2Bjump_in%2Bseven_zero").content == first.content
    assert measured == [("classic+seven_zero+jump_in", 5)] or measured == [("classic+jump_in+seven_zero", 5)]
    for path in ("4/poker", "11/classic", "3/classic%2Bteam_play"):
        assert ask("GET", f"/api/figures/{path}").status_code == 422


def test_figures_of_rules_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for the figures of ever new rules is refused for a while, but may read rules."""
    monkeypatch.setattr(rules, "measure_rules", partial(measure_rules, budget_ms=0))
    with closing(Store.open(f"sqlite:///{tmp_path}/tables.db")) as store:
        client = app_client(store)
        app_of(client).state.limits.figures = Limit(rate=0, burst=0.0001, shared_factor=1)

        async def ask_often() -> list[int]:
            names = ["classic", "classic%2Bjump_in", "classic%2Bseven_zero", "classic%2Bforce_play=always"]
            paths = [*(f"/api/figures/6/{name}" for name in names), "/api/rules/classic"]
            return [(await client.get(path)).status_code for path in paths]

        assert asyncio.run(ask_often()) == [200, 429, 429, 429, 200]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_preview_of_a_rule_card(ask: Ask, language: str) -> None:
    """Any spelling gives the canonical text and its meaning (LC-50, LC-51)."""
    answer = ask("POST", "/api/card", json={"text": "  DRAW 2. reverse ", "lang": language}).json()
    assert answer == {"text": "draw 2; reverse", "words": describe_rule_card("draw 2; reverse", language)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("card", "key", "named"),
    [
        ("jump", "wrong-word", "jump"),
        ("draw 2; take 11 most", "wrong-word", "11"),
        ("skip; swap", "word-missing", "11"),
        (";", "word-missing", "1"),
        ("dare: a\u202eb", "bad-dare", "2"),
        ("dare: " + "x" * 121, "bad-dare", "121"),
        ("dare: ", "no-dare", ""),
    ],
)
def test_a_rule_card_that_cannot_be_read(ask: Ask, language: str, card: str, key: str, named: str) -> None:
    """The message says in the person's language what is wrong, where, and what would be right."""
    answer = ask("POST", f"/api/card?lang={language}", json={"text": card, "lang": language})
    assert (answer.status_code, answer.json()["text"]) == (200, None)
    text = answer.json()["words"]
    check_sentence(text, language, f"web.refused.{key}")
    assert named in text
    assert ("draw until N (1–10)" in text) is (not key.endswith("-dare"))
