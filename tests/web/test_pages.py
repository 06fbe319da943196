"""The pages beside the table: my matches, replay, check of the shuffle, rules, about."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from lastcard.game.rulesets import GAMES, ruleset
from lastcard.text.explanation import make_rules_page
from lastcard.text.locale import LANGUAGES, catalog
from support.axe import find_violations
from support.matches import STARTED_MS, wild_jackpot_replay
from support.mock_screen import FIGURES
from support.mock_site import ORIGIN, MockSite
from support.page_readiness import import_expression
from support.word_breaks import FIND_BROKEN_WORDS

PLACE = f"{ORIGIN}/match/m7#ply=5"
PHONE_SIZE_PX: ViewportSize = {"width": 320, "height": 568}
TOO_WIDE = """() => [...document.querySelectorAll("body *")].filter((element) => {
  const { right, width } = element.getBoundingClientRect();
  return width > 1 && right > innerWidth + 1 && !element.closest(".wide-table, svg, lc-game");
}).map((element) => `${element.tagName} ${element.className} ${element.textContent.slice(0, 40)}`).slice(0, 5)"""

Answers = dict[str, Any]


def rules_of(name: str, language: str) -> Answers:
    """The rules of a table, as the server sends them."""
    page = make_rules_page(ruleset(name), catalog(language))
    answer: Answers = msgspec.to_builtins({"title": page.title, "name": page.name, "sections": page.sections})
    return answer


def line_of(match: str, **values: Any) -> Answers:
    """A match in the list."""
    names = ["Ada", "Maximiliana-Konstanze von Q", "Wojciech Brzęczyszczykiew"]
    line = {"id": match, "table": "ABCDEF", "rules": "wild-jackpot+harsh", "names": names, "seat": 0}
    return line | {"started": STARTED_MS, "finished": STARTED_MS + 1, "winners": [1], "live": False} | values


CAREER: Answers = {
    "total": {"matches": 40, "won": 17, "chance": 12.25},
    "shares": [
        {"game": "wild-jackpot", "seats": 4, "matches": 30, "won": 12, "chance": 7.5},
        {"game": "all-wild", "seats": 2, "matches": 10, "won": 5, "chance": 4.75},
    ],
    "streak": 2,
    "longest": 5,
    "course": [round(i * 0.12 + (i % 5) * 0.3 - 0.8, 2) for i in range(40)],
    "calls": {"called": 31, "caught": 2, "catches": 5, "waiting": 0},
    "findings": {"matches": 3, "luck": -0.42, "decisions": 150, "mistakes": {"color": 3, "wild": 2, "draw": 1}},
    "rivals": [{"matches": 12, "won": 5, "chance": 3.0, "name": "Maximiliana-Konstanze von Q", "lost": 4}],
}
LEADERBOARD: list[Answers] = [
    {"matches": 12, "won": 5, "chance": 3.0, "name": "Ada"},
    {"matches": 12, "won": 4, "chance": 3.0, "name": "Maximiliana-Konstanze von Q"},
]


TODAY: Answers = {
    "day": "2026-11-30",
    "ends": STARTED_MS,
    "streak": 3,
    "games": [{"game": game, "table": None, "finished": game == "classic"} for game in GAMES],
    "tries": [],
}


def fill(site: MockSite, language: str) -> MockSite:
    """All pages, with content."""
    site.set_prefs(language=language)
    lines = [line_of("m7"), line_of("m8", winners=[0]), line_of("m9", finished=None, winners=None, live=True)]
    site.answers |= {
        "/api/me": {"id": "p1", "name": "Ada", "language": language, "shown": True},
        "/api/me/career": CAREER,
        "/api/daily": TODAY,
        "/api/me/honors": LEADERBOARD,
        "/api/me/notifications": {"key": None, "places": []},
        "/api/me/tables": [{"table": "ABC234", "rules": "classic", "turn": "Ada", "yours": True}],
        "/api/matches": lines,
        "/api/matches/m7/replay": wild_jackpot_replay(),
        "/api/matches/m9/replay": wild_jackpot_replay(players=3, live=True),
        **{f"/api/figures/4/{name}": FIGURES["+" in name] for name in (*GAMES, "wild-jackpot+harsh")},
        **{f"/api/rules/{game}": rules_of(game, language) for game in (*GAMES, "wild-jackpot+harsh")},
    }
    return site


@pytest.fixture
def site(shared_site: MockSite) -> MockSite:
    """All pages, in English."""
    return fill(shared_site, "en")


@pytest.fixture
def own_site(own_site: MockSite) -> MockSite:
    """All pages, in English, on a page of the test's own."""
    return fill(own_site, "en")


_CHOOSE_THEME: Final = f"async (theme) => (await {import_expression('ui/prefs.js')}).prefs.set('theme', theme)"
PATHS = ("/me", "/match/m7", "/match/m9", "/rules/wild-jackpot+harsh", "/about")


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_overflows_on_a_small_phone(shared_site: MockSite, language: str) -> None:
    """At 320 px in every language, no text is cut off, no word on a button broken, and nothing scrolls sideways."""
    site = fill(shared_site, language)
    page = site.page
    page.set_viewport_size(PHONE_SIZE_PX)
    site.open("/")
    for path in PATHS:
        site.follow_link(path)
        expect(page.locator("html")).to_have_attribute("lang", {"es": "es-419", "pt": "pt-BR"}.get(language, language))
        assert page.evaluate(TOO_WIDE) == [], path
        assert page.evaluate(FIND_BROKEN_WORDS) == [], path
    site.follow_link("/match/m7")
    page.locator(".replay-side .button.primary").click()
    expect(page.locator(".verdict")).to_have_class("verdict good")
    for summary in page.locator(".checks summary").all():
        summary.click()
    assert page.evaluate(TOO_WIDE) == []
    assert site.errors == []


def test_axe_finds_what_is_wrong(page: Page) -> None:
    """Axe finds it each time, even on a page that was checked before."""
    page.set_content("<!doctype html><html lang=en><title>wrong</title><main><h1>Wrong</h1></main></html>")
    assert find_violations(page) == []
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    (wrong,) = find_violations(page)
    assert wrong.startswith("button-name: <button></button> ")
    assert find_violations(page, runOnly=["color-contrast"]) == []


def test_axe_finds_nothing(site: MockSite) -> None:
    """This holds on every page in every theme; another theme changes colors and nothing else."""
    site.set_prefs(language="en", theme="light")
    site.open("/")
    wrong = {}
    for path in PATHS:
        site.follow_link(path)
        wrong[path, "light"] = find_violations(site.page)
        for theme in ("dark", "contrast", "light"):
            site.page.evaluate(_CHOOSE_THEME, theme)
            if theme != "light":
                wrong[path, theme] = find_violations(site.page, runOnly=["color-contrast"])
    assert {where: what for where, what in wrong.items() if what} == {}


# --- check of the shuffle -----------------------------------------------------------------------------


@pytest.mark.parametrize(("given", "outcome"), [(1.0, "good"), (0.0, "unproved")])
def test_a_shuffle_without_numbers_is_unproved(site: MockSite, given: float, outcome: str) -> None:
    """If no player gave a number, the table may have chosen the seed, and the check says so."""
    site.answers["/api/matches/m7/replay"] = wild_jackpot_replay(number_probability=given)
    site.open("/match/m7")
    site.page.locator(".replay-side .button.primary").click()
    expect(site.page.locator(".verdict")).to_have_text(catalog("en").text(f"web.verify.{outcome}"))
    expect(site.page.locator(".verdict")).to_have_class(f"verdict {outcome}")


# --- replay -------------------------------------------------------------------------------------------


def test_replay_by_keyboard(own_site: MockSite) -> None:
    """Arrows step, Home and End jump, the space bar plays and pauses; the address has the position."""
    page = own_site.page
    own_site.open("/match/m7")
    where, slider = page.locator(".where"), page.get_by_role("slider")
    expect(where).to_contain_text("Round 1 · move 0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(where).to_contain_text("move 2")
    page.keyboard.press("ArrowLeft")
    expect(where).to_contain_text("move 1")
    page.wait_for_function("() => location.hash === '#ply=1'")
    page.keyboard.press("End")
    expect(slider).to_have_value(slider.get_attribute("max") or "")
    page.keyboard.press("Home")
    page.clock.install()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.clock.run_for(2000)
    expect(where).to_contain_text("move 1")
    page.keyboard.press(" ")
    page.clock.run_for(9000)
    expect(where).to_contain_text("move 1")


def test_replay_opens_at_its_link(site: MockSite) -> None:
    """``#ply=…&eyes=…`` shows that moment as that seat sees it: one hand lies below, the others are backs."""
    site.open("/match/m7#ply=5&eyes=1")
    page = site.page
    expect(page.locator(".where")).to_contain_text("move 5")
    expect(page.get_by_label("View as")).to_have_value("1")
    hand = site.answers["/api/matches/m7/replay"]["rounds"][0]["steps"][4]["hands"][1]
    expect(page.locator(".hand .card")).to_have_count(len(hand))
    expect(page.locator(".seat-open .card")).to_have_count(0)


def test_view_as(site: MockSite) -> None:
    """All hands are open, one is, or none."""
    page = site.page
    site.open("/match/m7#ply=5")
    frame = site.answers["/api/matches/m7/replay"]["rounds"][0]["steps"][4]
    expect(page.locator(".seat-open .card")).to_have_count(sum(frame["public"]["counts"]))
    page.get_by_label("View as").select_option("none")
    expect(page.locator(".seat-open .card")).to_have_count(0)
    expect(page.locator(".hand .card")).to_have_count(0)


def test_log_does_not_reveal_what_is_to_come(site: MockSite) -> None:
    """The log beside the table ends with the shown move, and links to any move before it."""
    page = site.page
    site.open("/match/m7#ply=6")
    lines = page.locator(".replay-lines li:visible")
    expect(lines).to_have_count(7)
    expect(lines.last.get_by_role("button")).to_have_attribute("aria-current", "step")
    lines.nth(2).get_by_role("button").click()
    expect(page.locator(".where")).to_contain_text("move 2")
    expect(lines).to_have_count(3)


def test_rounds_by_button(site: MockSite) -> None:
    """The buttons lead to the next round, and back to the beginning of this one."""
    replay = site.answers["/api/matches/m7/replay"]
    assert len(replay["rounds"]) > 1
    page = site.page
    site.open("/match/m7")
    page.get_by_role("button", name="Next round").click()
    expect(page.locator(".where")).to_contain_text("Round 2 · move 0")
    page.get_by_role("button", name="One move forward").click()
    page.get_by_role("button", name="Start of the round").click()
    expect(page.locator(".where")).to_contain_text("Round 2 · move 0")


def test_live_match_shows_nothing_hidden(site: MockSite) -> None:
    """The link of the match shows a spectator's view: no seat to choose, no hand, nothing to check yet."""
    page = site.page
    site.open("/match/m9#ply=5&eyes=0")
    expect(page.get_by_text("This match is still being played.")).to_be_visible()
    expect(page.get_by_label("View as")).to_have_count(0)
    expect(page.locator(".hand .card, .seat-open .card")).to_have_count(0)
    expect(page.get_by_role("button", name="Check the shuffle")).to_have_count(0)


def test_share_over_plain_http(site: MockSite) -> None:
    """Without clipboard access the link is copied all the same, and the focus stays."""
    page = site.page
    site.open("/match/m7#ply=5")
    share = page.get_by_role("button", name="Share")
    share.click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    expect(share).to_be_focused()
    page.evaluate("document.body.append(document.createElement('textarea'))")
    page.locator("textarea").press("Control+v")
    expect(page.locator("textarea")).to_have_value(PLACE)


def test_share_by_the_system(own_site: MockSite) -> None:
    """A phone's own dialog comes first; a person who closes it is not asked again."""
    page = own_site.page
    page.add_init_script("""navigator.share = async (link) => {
        window.shared = link;
        throw new DOMException("closed", "AbortError");
    }""")
    own_site.open("/match/m7#ply=5")
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("() => window.shared")
    assert page.evaluate("shared") == {"url": PLACE, "title": "UNO Wild Jackpot"}
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".toast")).to_have_count(0)


def test_share_by_hand(own_site: MockSite) -> None:
    """If nothing can be copied, the link is shown."""
    page = own_site.page
    page.add_init_script("document.execCommand = () => false")
    own_site.open("/match/m7#ply=5")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("dialog").get_by_label("Link")).to_have_value(PLACE)


def test_dialogs_close_with_their_page(site: MockSite) -> None:
    """The back button also closes a dialog: it does not stay over the page before."""
    page = site.page
    site.open("/about")
    site.follow_link("/match/m7")
    page.get_by_role("button", name="Check the shuffle").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text(catalog("en").text("web.about.title"))


# --- check the shuffle --------------------------------------------------------------------------------


def test_the_check_links_to_an_error(site: MockSite) -> None:
    """The error is named in words, and one click shows it in the replay."""
    page, replay = site.page, site.answers["/api/matches/m7/replay"]
    step, event = next(
        (number, event)
        for number, step in enumerate(replay["rounds"][0]["steps"], 1)
        for event in step["events"]
        if event["e"] == "drew"
    )
    event["cards"][0] = "R5" if event["cards"][0] != "R5" else "B3"
    site.open("/match/m7")
    page.get_by_role("button", name="Check the shuffle").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_contain_text("Something is wrong")
    expect(dialog.get_by_text("the cards did not fall as the seed says")).to_be_visible()
    expect(dialog.get_by_text(f"Move {step}", exact=True)).to_be_visible()
    dialog.get_by_role("button", name="Show this place").click()
    expect(page.locator(".where")).to_contain_text(f"Round 1 · move {step} ")


def test_the_check_states_its_limits(site: MockSite) -> None:
    """The check says so in words for any result; axe finds nothing in it."""
    site.open("/match/m7")
    site.page.get_by_role("button", name="Check the shuffle").click()
    expect(site.page.get_by_role("heading", name="Not proved")).to_be_visible()
    expect(site.page.get_by_role("dialog").get_by_role("status")).to_contain_text("All good")
    assert find_violations(site.page) == []


def test_the_check_uses_the_number_of_this_browser(site: MockSite) -> None:
    """The commitment that was seen and the number that was given are those of the record."""
    replay = site.answers["/api/matches/m7/replay"]
    seat, number = next((seat, number) for seat, number in enumerate(replay["numbers"]) if number)
    mine = {"promise": replay["promise"], "number": number, "seat": seat}
    site.set_prefs(shuffles={replay["id"]: mine})
    site.open("/match/m7")
    site.page.get_by_role("button", name="Check the shuffle").click()
    expect(site.page.get_by_text("the number it gave is in the shuffle")).to_be_visible()


# --- my matches, rules, about -------------------------------------------------------------------------


def test_matches_can_be_deleted_after_a_question(site: MockSite) -> None:
    """The page asks first; then the match is gone from the list and from the server."""
    page = site.page
    site.answers["/api/matches/m7"] = {"id": "m7"}
    site.open("/matches")
    items = page.locator(".played-match")
    expect(items).to_have_count(3)
    expect(items.nth(0)).to_contain_text("Won by Maximiliana-Konstanze von Q")
    expect(items.nth(1)).to_contain_text("You won")
    expect(items.nth(2)).to_contain_text("Still being played")
    items.nth(0).get_by_role("button", name="Delete").click()
    assert ("DELETE", "/api/matches/m7") not in site.calls
    page.get_by_role("button", name="Delete match").click()
    expect(items).to_have_count(2)
    assert ("DELETE", "/api/matches/m7") in site.calls


def test_the_profile_sums_up_the_matches(site: MockSite) -> None:
    """Figures in words and tables, a chart with a description, rivals, and the leaderboard that one may leave."""
    page = site.page
    site.open("/me")
    expect(page.get_by_role("heading", level=1)).to_have_text("Profile")
    expect(page.get_by_text("You won 17 of 40 matches (an average player: 12.3).")).to_be_visible()
    expect(page.get_by_role("img", name="After 40 matches, wins compared with chance: +5.1.")).to_be_visible()
    row = page.get_by_role("row", name="UNO Wild Jackpot")
    expect(row).to_have_text("UNO Wild Jackpot4 players3040%25%")
    expect(page.locator(".figures div", has_text="Rounds won by luck")).to_contain_text("-0.4")
    expect(page.locator(".figures div", has_text="Mistakes in 100 decisions")).to_contain_text("4")
    expect(page.get_by_role("row", name="Which color to choose")).to_have_text("Which color to choose3")
    expect(page.locator(".leaderboard li")).to_have_count(2)
    with page.expect_request("**/api/me") as saved:
        page.get_by_role("switch", name="Show me on leaderboards").uncheck()
    assert saved.value.post_data_json == {"name": "Ada", "language": "en", "shown": False}


def test_the_forms_of_the_first_page_are_side_by_side(site: MockSite) -> None:
    """On a wide screen; the deal of the day, which comes between them, takes a row of its own."""
    site.page.set_viewport_size({"width": 1280, "height": 800})
    site.open("/")
    buttons = (site.page.get_by_role("button", name=name) for name in ("Play now", "New table"))
    play, friends = (
        button.locator("xpath=ancestor::*[contains(@class, 'panel')]").bounding_box() for button in buttons
    )
    assert play and friends
    assert play["y"] == friends["y"] and play["x"] + play["width"] < friends["x"]


def test_the_first_page_has_a_leaderboard(site: MockSite) -> None:
    """The leaderboard is there for a person with a name; a newcomer does not see it, and no request is made."""
    site.open("/")
    assert ("GET", "/api/me/honors") not in site.calls
    site.set_prefs(name="Ada")
    site.open("/")
    expect(site.page.get_by_role("heading", name="Leaderboard")).to_be_visible()
    assert not site.errors


def test_calls_are_counted_while_the_page_is_open(site: MockSite) -> None:
    """The server counts a few matches per request; the page repeats it until all are counted."""
    page, waiting = site.page, [7, 0]

    def answer(route: Route) -> None:
        calls = {"called": 9, "caught": 0, "catches": 0, "waiting": waiting.pop(0)}
        route.fulfill(json=CAREER | {"calls": calls})

    page.route("**/api/me/career", answer)
    site.open("/me")
    expect(page.get_by_text("to be counted")).to_have_count(0)
    assert not waiting


def test_no_matches_yet(site: MockSite) -> None:
    """There is a link to the first one."""
    site.answers["/api/matches"] = []
    site.answers["/api/me/career"] = CAREER | {"total": {"matches": 0, "won": 0, "chance": 0.0}}
    site.answers["/api/me/honors"] = []
    site.open("/me")
    expect(site.page.locator(".career")).to_have_count(0)
    expect(site.page.get_by_role("link", name="Play one now")).to_be_visible()


def test_rules_of_a_table_mark_its_own_options(site: MockSite) -> None:
    """The rules have the same source as ``lastcard rules``; every clause has a link, once clauses are shown."""
    page = site.page
    site.open("/rules/wild-jackpot+harsh")
    changed = [
        line for part in rules_of("wild-jackpot+harsh", "en")["sections"] for line in part["lines"] if line["changed"]
    ]
    assert changed
    expect(page.locator(".rule-lines .changed")).to_have_count(len(changed))
    page.get_by_role("switch", name="Clause numbers").click()
    page.locator(".clause", has_text="CO-47").first.click()
    page.wait_for_function("() => location.hash === '#CO-47'")
    expect(page.locator(".clause.here")).to_have_text("CO-47")
    site.follow_link("/rules")
    expect(page.locator(".rule-lines .changed")).to_have_count(0)
    expect(page.get_by_role("link", name="UNO All Wild")).to_have_attribute("aria-current", "page")


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_show_the_cards_and_no_clauses_unless_asked(shared_site: MockSite, language: str) -> None:
    """Every effect has its picture; clause numbers and the list of options are one tap deeper, and stay as chosen."""
    site = fill(shared_site, language)
    page = site.page
    site.open("/rules/classic")
    texts = catalog(language)
    effects = page.locator("section", has=page.get_by_role("heading", name=texts.text("rules.head.effects")))
    expect(effects.locator(".rule-cards > svg")).not_to_have_count(0)
    assert effects.locator(".rule-cards").count() >= 5
    expect(page.locator(".clause:visible")).to_have_count(0)
    expect(page.locator("details.panel")).not_to_have_attribute("open", "")
    expect(page.get_by_text("classic", exact=True)).to_be_hidden()
    page.get_by_role("switch", name=texts.text("web.rules.clauses")).click()
    expect(page.get_by_text("classic", exact=True)).to_be_visible()
    expect(page.locator(".clause:visible").first).to_be_visible()
    page.get_by_role("link", name="UNO All Wild").click()
    expect(page.get_by_role("link", name="UNO All Wild")).to_have_attribute("aria-current", "page")
    expect(page.locator(".clause:visible").first).to_be_visible()
    assert site.errors == []


def test_a_clause_in_the_address_is_shown_without_its_number(site: MockSite) -> None:
    """A link to a clause shows its line."""
    site.open("/rules/classic#CL-15")
    line = site.page.locator("li.here")
    expect(line).to_be_in_viewport()
    expect(site.page.locator(".clause:visible")).to_have_count(0)


def test_a_refusal_cites_its_clause_on_request(site: MockSite) -> None:
    """The refusal uses the same switch."""
    site.open("/about")
    said = """async (clauses) => {
      const { prefs } = await import("/web/ui/prefs.js");
      const { refusal } = await import("/web/game/actionbar.js");
      prefs.set("clauses", clauses);
      return refusal({ type: "refused", code: "no-match", clause: "CL-15", text: "It does not fit." });
    }"""
    assert site.page.evaluate(said, False) == "It does not fit."
    assert site.page.evaluate(said, True) == "It does not fit. [CL-15]"


def test_all_own_data_can_be_deleted(site: MockSite) -> None:
    """Name and matches at the server, settings and numbers in the browser."""
    page = site.page
    site.open("/about")
    page.evaluate("import('/web/ui/prefs.js').then(({ prefs }) => prefs.set('name', 'Ada'))")
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete my data").click()
    page.wait_for_url("**/")
    assert ("DELETE", "/api/me") in site.calls
    assert page.evaluate("localStorage.getItem('lastcard')") is None
    expect(page.get_by_label("Your name")).not_to_have_value("Ada")


# --- an invitation ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_invitation_says_who_plays_what(shared_site: MockSite, language: str) -> None:
    """A link shows host, game and faces, and can be accepted on the smallest phone without scrolling."""
    site = fill(shared_site, language)
    page = site.page
    page.set_viewport_size(PHONE_SIZE_PX)
    site.answers["/api/me"] = msgspec.Raw(b"null")
    sitting = [{"name": "Ada", "bot": None, "look": ""}, {"name": "Nova", "bot": "sharp", "look": ""}]
    site.answers["/api/tables/ABC234"] = {"host": "Ada", "rules": "classic+jump_in", "sitting": sitting}
    site.open("/t/ABC234")
    text = catalog(language).text
    expect(page.get_by_role("heading", level=1)).to_have_text(text("web.table.invited", host="Ada"))
    expect(page.locator(".introduction-game strong")).to_have_text(text("game.classic"))
    expect(page.get_by_role("list", name=text("web.lobby.seats")).get_by_role("listitem")).to_have_text(["Ada", "Nova"])
    expect(page.locator(".introduction-faces .avatar")).to_have_count(2)
    expect(page.get_by_role("button", name=text("web.table.enter"))).to_be_in_viewport(ratio=1)
    assert page.evaluate(TOO_WIDE) == []
    assert find_violations(page) == []
