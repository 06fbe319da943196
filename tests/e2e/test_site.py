"""The page without a server: whole matches offline, one device for several people, records in and out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Locator, expect
from pytest_playwright import CreateContextCallback

from lastcard.bundle.site import read_web
from lastcard.cli.main import main
from lastcard.formats.record_files import write_record
from lastcard.text.locale import catalog
from support.page_readiness import wait_until_pressable, wait_until_ready
from support.player import DESKTOP, PHONE, make_any_move, open_figures, play_match
from support.record_samples import SERVER_CONFIG, random_record
from support.static_site import MAKE_TABLE, USE_MODULE, OfflinePlayer, StaticHost, fast_web, open_offline_player

SHORT_CONFIGS = {
    "all-wild": ("all-wild+hand_size=5", 3),
    "classic": ("classic+winning_score=100+hand_size=5", 6),
    "wild-jackpot": ("wild-jackpot+winning_score=100+hand_size=5", 6),
}
"""Tables whose match takes a round or two: the winner gets enough points from so many others."""
WHOLE_MATCHES = bool(os.environ.get("LASTCARD_WHOLE_MATCHES"))
"""Whether matches are as long as usual, and each is played on both screens: ``make site-matches``."""
GAME_CONFIGS = {game: (game, 4) for game in SHORT_CONFIGS} if WHOLE_MATCHES else SHORT_CONFIGS
SCREENS = {"phone": PHONE, "desktop": DESKTOP}
ON_PHONE = pytest.mark.parametrize("screen", [PHONE], ids=["phone"])
LATE_PRESS_MS = 3000
"""How long a press counts as late after the end of a catch window (``game/unobutton.js``)."""
PLAYED = (
    [*product(SHORT_CONFIGS, SCREENS)]
    if WHOLE_MATCHES
    else [*zip(SHORT_CONFIGS, ("phone", "desktop", "phone"), strict=True)]
)
_NOTE_WRITTEN = """() => {
    window.written = [];
    const usual = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (name, mode) {
        const change = usual.call(this, name, mode);
        if (mode === "readwrite") change.addEventListener("complete", () => window.written.push(name));
        return change;
    };
}"""
"""Records the writes to the device's storage."""
_CHALLENGE = f"""async (shown) => {{
    const {{ PassDeviceScreen }} = {USE_MODULE}("offline/passdevice.js");
    const ada = {{ name: "Ada", player: "ada" }}, ben = {{ name: "Ben", player: "ben" }};
    const open = {{ round: 0, turn: 0, counts: [7, 7] }};
    const table = {{ phase: "playing", seats: [ada, ben] }};
    const session = Object.assign(new EventTarget(), {{ table, game: {{ match: "m", public: open }} }});
    const device = {{ viewer: "ada", setViewer: async (player) => (device.viewer = player) }};
    const cover = new PassDeviceScreen(session, device);
    document.body.append(cover.element);
    const notify = (type, events) => session.dispatchEvent(new CustomEvent(type, {{ detail: {{ events }} }}));
    notify("dealt", []);
    cover.element.querySelector("button").click();
    open.turn = 1;
    notify("moved", shown ? [{{ e: "shown", seat: 1, other: 0, cards: ["R5", "W"] }}] : []);
    notify("table", []);
    const start = performance.now();
    while (cover.element.hidden && performance.now() < start + 10_000) await new Promise((go) => setTimeout(go, 50));
    cover.element.remove();
    return performance.now() - start;
}}"""
"""Ada at the device has challenged Ben, who is next: returns the milliseconds until the device is covered."""
_STORE_OLD_DATA: Final = """async () => {
    localStorage.lastcard = JSON.stringify({ name: "Old", shuffles: { m1: { promise: "00", number: "00" } } });
    const asked = indexedDB.open("lastcard", 1);
    asked.onupgradeneeded = () => {
        asked.result.createObjectStore("tables", { keyPath: "code" });
        asked.result.createObjectStore("matches", { keyPath: "id" });
    };
    await new Promise((resolve, reject) => ((asked.onsuccess = resolve), (asked.onerror = () => reject(asked.error))));
    const change = asked.result.transaction(["tables", "matches"], "readwrite");
    const kept = { match: {}, document: { phase: "playing" } };
    change.objectStore("tables").put({ code: "abcdef012345", at: 1, kept });
    change.objectStore("matches").put({ id: "y", record: "" });
    await new Promise((resolve) => (change.oncomplete = resolve));
    asked.result.close();
}"""
"""Stores preferences, a table and a match as an earlier version did."""
FIRST_CARD_LIMIT_BYTES = 350_000
"""Bytes over the wire until the first card, headers of answers included."""


@pytest.fixture
def ann(
    request: pytest.FixtureRequest, browser: Browser, static_host: StaticHost, screen: dict[str, Any]
) -> Iterator[OfflinePlayer]:
    """A person at the site, which no test shuts down."""
    failed = request.session.testsfailed
    with open_offline_player(browser, static_host, "Ann", **screen) as opened:
        yield opened
        opened.has_failed = request.session.testsfailed > failed


def download(ann: OfflinePlayer, path: Path) -> Path:
    """Save the record of the match on the screen."""
    with ann.page.expect_download() as started:
        ann.page.get_by_role("button", name="Download record").click()
    started.value.save_as(path)
    return path


@ON_PHONE
def test_a_table_is_saved_before_it_has_a_code(ann: OfflinePlayer) -> None:
    """An immediate reload finds it."""
    ann.wait_until_cached()
    ann.page.evaluate(_NOTE_WRITTEN)
    ann.page.evaluate(MAKE_TABLE, ["Ann", {"rules": "classic", "seats": 2, "bots": "quick"}])
    assert "tables" in ann.page.evaluate("window.written")


@pytest.mark.parametrize(("game", "screen"), PLAYED)
def test_a_match_offline(browser: Browser, static_host: StaticHost, tmp_path: Path, game: str, screen: str) -> None:
    """After the first visit the host is gone. A match against *master*, its replay, its shuffle, its record."""
    opened = static_host.second_host()
    with open_offline_player(browser, opened, "Ann", **SCREENS[screen]) as ann:
        ann.wait_until_cached()
        opened.shut_down()
        ann.page.reload()
        ann.make_table(*GAME_CONFIGS[game])
        ann.page.get_by_role("radio", name="Master").check()
        ann.start()
        expect(ann.hand).to_be_visible(timeout=60_000)
        play_match([ann])

        wait_until_ready(ann.page)
        ann.page.get_by_role("button", name="Check the shuffle").click()
        # The same worker computes the highlights of the match first.
        expect(ann.page.get_by_role("dialog")).to_contain_text("All good", timeout=60_000)
        ann.page.keyboard.press("Escape")
        ann.page.get_by_role("link", name="Watch replay").click()
        expect(ann.page.get_by_role("button", name="Download record")).to_be_visible(timeout=60_000)
        record = download(ann, tmp_path / "match.toml")
        assert main(["verify", str(record)]) == 0


def test_the_first_card(browser: Browser, tmp_path: Path) -> None:
    """The first card needs a limited number of bytes; networks of bots come after it, and no file comes twice."""
    opened = StaticHost(tmp_path, read_web())
    with open_offline_player(browser, opened, "Ann", **PHONE) as ann:
        ann.page.goto(f"{opened.url}/")
        ann.page.get_by_role("button", name="Play now").click()
        expect(ann.hand.get_by_role("button").first).to_be_visible()
        sent = dict(opened.sent)
        assert len(sent) == len(opened.sent)
        assert sum(sent.values()) <= FIRST_CARD_LIMIT_BYTES, opened.sent
        assert not [name for name in sent if name.endswith((".npy", "service.js"))]
    opened.shut_down()


def test_the_site_can_be_installed(ann: OfflinePlayer) -> None:
    ann.page.goto(f"{ann.url}/")
    found = ann.page.context.new_cdp_session(ann.page).send("Page.getInstallabilityErrors")
    assert found["installabilityErrors"] == []


@pytest.mark.parametrize(
    "unkept",
    [
        "IDBFactory.prototype.open = () => { throw new DOMException('not here'); }",
        "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }",
    ],
    ids=["blocked", "full"],
)
def test_a_browser_without_storage(ann: OfflinePlayer, unkept: str) -> None:
    """The game works, and the page says once that the match is not saved."""
    ann.page.add_init_script(unkept)
    ann.open_home()
    ann.page.get_by_role("button", name="Play now").click()
    toast = ann.page.locator(".toast", has_text="Your browser cannot save this match")
    expect(toast).to_be_visible()
    ann.wait_for_turn()
    toast.evaluate_all("toasts => toasts.forEach((toast) => toast.remove())")  # it may be gone by itself
    make_any_move(ann, ann.screen_state())
    ann.wait_for_turn()
    expect(toast).to_have_count(0)
    ann.page.reload()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("This table is not on this device")


@ON_PHONE
def test_an_early_press_costs_nothing_on_the_device(ann: OfflinePlayer) -> None:
    """At its table, as at one of the server, the page calls with the play and never makes a false call (LC-18)."""
    ann.begin("all-wild+hand_size=5+uno_early_call=with_play_only+false_uno_penalty=2")
    last = ("Wx", "W@2")  # a play that names a player may change hands
    while True:
        ann.wait_until(lambda: bool((seen := ann.find_screen_state()) and (seen.asked or seen.over)), "she may play")
        state = ann.screen_state()
        if state.over:
            ann.page.get_by_role("button", name="Play again").click()
            ann.wait_until(lambda: not ann.screen_state().over, "another match has begun")
        elif len(state.hand) == 2 and (safe := [card for card in state.playable if card not in last]):
            break
        elif len(state.hand) == 2:
            ann.send_move(ann.pile.click)
        else:
            make_any_move(ann, state)
    ann.page.wait_for_timeout(LATE_PRESS_MS)  # a swap of hands may have made her owe a call a moment ago
    state = ann.screen_state()  # a bot may have called meanwhile
    ann.uno.click()
    expect(ann.uno).to_contain_text("with the play")
    assert (ann.screen_state().ply, len(ann.screen_state().hand)) == (state.ply, 2)
    ann.make_move(safe[0])
    log = ann.page.locator("[role=log]")
    expect(log).to_contain_text("You call UNO!")
    expect(log).not_to_contain_text("wrong moment")


@ON_PHONE
def test_pass_the_phone(ann: OfflinePlayer) -> None:
    """Three people: the device is covered between turns, and no hand is in the page until its owner taps."""
    ann.begin("all-wild", others=("Ben", "Cleo"))
    cover = ann.page.get_by_role("dialog", name=re.compile("^Pass the device to "))
    played: set[str] = set()
    while played != {"Ann", "Ben", "Cleo"}:
        assert await_turn(ann, cover)
        make_any_move(ann, ann.screen_state())
        played.add(ann.name)


def await_turn(ann: OfflinePlayer, cover: Locator) -> bool:
    """Wait until a person may play, who takes the device first if it is covered; False once the match is over."""

    def find_state() -> str:
        seen = ann.find_screen_state()
        states = {"covered": cover.is_visible(), "over": seen and seen.over, "asked": seen and seen.asked}
        return next((state for state, found in states.items() if found), "")

    ann.wait_until(lambda: bool(find_state()), "somebody may play")
    if find_state() == "covered":
        expect(ann.page.locator(".hand [data-card]")).to_have_count(0)
        expect(ann.page.locator("[role=log] > p").get_by_text(re.compile(r"\bYou\b"))).to_have_count(0)
        assert ann.page.evaluate("!document.querySelector('lc-game').session.game.mine")
        ann.name = cover.get_by_role("heading").inner_text().removeprefix("Pass the device to ")
        cover.get_by_role("button", name=f"I am {ann.name}: show my cards").click()
        ann.wait_for_turn()
    return find_state() != "over"


def test_people_change_only_between_matches(ann: OfflinePlayer) -> None:
    """During a match the page offers no change of its people and its table refuses it; after it they can change."""
    cover = share_device(ann, "all-wild+hand_size=5")
    assert await_turn(ann, cover)
    ann.page.get_by_role("button", name="Menu").click()
    menu = ann.page.get_by_role("dialog", name="Menu")
    expect(menu.get_by_role("button", name="Pause")).to_be_visible()
    for name in ("People", "Ann", "Ben"):
        expect(menu.get_by_text(name, exact=True)).to_have_count(0)
    ann.page.keyboard.press("Escape")
    expect(ann.page.get_by_role("region", name="At the table")).to_have_count(0)
    expect(ann.page.get_by_label("Name of a player")).to_have_count(0)
    assert ann.page.evaluate(_CHANGE_PEOPLE, ann.table_code()) == ["in-match", "in-match"]

    while await_turn(ann, cover):
        make_any_move(ann, ann.screen_state())
    ann.page.get_by_role("button", name="Settings").click()
    (other,) = {"Ann", "Ben"} - {ann.name}
    remove = ann.page.get_by_role("button", name=f"Remove {other}")
    remove.click()
    expect(remove).to_have_count(0)
    ann.share_with("Cleo")
    ann.page.get_by_role("button", name="Play again").click()
    expect(cover).to_contain_text(re.compile(f"({ann.name}|Cleo)"))


_CHANGE_PEOPLE: Final = f"""async (code) => {{
    const table = await {USE_MODULE}("offline/tables.js").openTable(code);
    const changes = [table.addPerson("Cleo"), table.removePerson("person-1")];
    return Promise.all(changes.map((change) => change.then(() => "done", (error) => error.code)));
}}"""
"""Adds a person to a table and removes the first; returns the codes of the refusals."""


@pytest.mark.parametrize(
    ("damage", "links"),
    [
        ("delete stored.state", 0),
        ("delete stored.state.data", 0),
        ("stored.state.match = null", 0),
        ("delete stored.state.data.seats", 0),
        ("delete stored.state.data.numbers", 1),
        ("stored.state.match.moves = [[0, 'nonsense']]", 1),
    ],
    ids=["nothing", "no table", "no match", "no seats", "no numbers", "no moves"],
)
def test_a_saved_table_that_cannot_be_read(ann: OfflinePlayer, damage: str, links: int) -> None:
    """Every page says so and works; another table can be opened, and replaces it."""
    page, said = ann.page, catalog("en").text("web.alone.damaged")
    ann.open_home()
    code = ann.make_table("classic")
    ann.start()
    ann.wait_for_turn()
    page.goto(f"{ann.url}/")
    expect(page.get_by_role("link", name="Continue game")).to_be_visible()
    page.evaluate(_CHANGE_STORED.replace("CHANGE", damage), code)

    page.reload()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    expect(page.get_by_role("link", name="Continue game")).to_have_count(links)
    expect(page.get_by_role("status").get_by_text(said)).to_have_count(1 - links)
    page.goto(f"{ann.url}/?/me")
    expect(page.get_by_role("heading", name="My matches")).to_be_visible()
    ann.open_table(code)
    expect(page.get_by_role("heading", level=1)).to_have_text(said)
    page.get_by_role("button", name="New table").click()
    expect(page.get_by_role("button", name="Start")).to_be_visible(timeout=60_000)
    assert ann.table_code() != code
    page.goto(f"{ann.url}/")
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    expect(page.get_by_role("link", name="Continue game").or_(page.get_by_text(said))).to_have_count(0)


_USE_STORE: Final = """async (name, change) => {
    const asked = indexedDB.open("lastcard");
    await new Promise((resolve, reject) => ((asked.onsuccess = resolve), (asked.onerror = () => reject(asked.error))));
    const transaction = asked.result.transaction(name, "readwrite");
    change(transaction.objectStore(name));
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    asked.result.close();
}"""
"""Changes a store of the device by a function."""
_CHANGE_STORED: Final = f"""(code) => ({_USE_STORE})("tables", (tables) => {{
    const found = tables.get(code);
    found.onsuccess = () => {{
        const stored = found.result;
        CHANGE;
        tables.put(stored);
    }};
}})"""
"""Changes the stored form of a table, by the statement ``CHANGE``."""


def share_device(ann: OfflinePlayer, rules: str) -> Locator:
    """Ann and Ben have begun a match at her device; returns the cover of their hands."""
    ann.begin(rules, others=("Ben",))
    return ann.page.get_by_role("dialog", name=re.compile("^Pass the device to "))


def write_dares(ann: OfflinePlayer) -> None:
    """Fill in all rule cards, which are empty, and press *Done* for some time."""
    dares = ann.page.get_by_label("Text of the dare")
    expect(dares).to_have_count(4)
    for dare in dares.all():
        expect(dare).to_have_value("")
        dare.fill("sing a song")
    ann.page.get_by_role("button", name="Done").click(delay=400)
    expect(dares).to_have_count(0)


def test_a_held_key_shows_nobody_elses_hand(browser: Browser, tmp_path: Path) -> None:
    """Enter plays a card and is held while the device is covered; it does not press the button of the next hand.

    What has just appeared takes no press for three seconds here: a busy machine presses late.
    """
    host = StaticHost(tmp_path, fast_web("", ("ui/cooldown.js", "FRESH_MS = 300", "FRESH_MS = 3000")))
    with open_offline_player(browser, host, "Ann", **DESKTOP) as ann:
        cover = share_device(ann, "classic")
        expect(cover).to_be_visible()
        ann.page.keyboard.press("Enter")
        expect(cover).to_be_visible()
        ann.name = cover.get_by_role("heading").inner_text().removeprefix("Pass the device to ")
        show = cover.get_by_role("button", name=re.compile("show my cards$"))
        wait_until_pressable(ann.page)
        ann.page.keyboard.press("Enter")
        ann.wait_for_turn()
        if ann.page.locator(".answer.color").count():  # the first card is a wild: its color comes before the first turn
            ann.page.locator(".answer.color").first.click()
            expect(ann.page.locator(".answer.color")).to_have_count(0)
        ply = ann.screen_state().ply
        numbers = [card for card in ann.screen_state().playable if re.fullmatch(r"[RYGB]\d", card)]
        ann.card((numbers or ann.screen_state().hand)[0]).focus()
        wait_until_pressable(ann.page)
        ann.page.keyboard.down("Enter")
        for move in () if numbers else ("draw", "pass"):
            ann.page.evaluate("(move) => document.querySelector('lc-game').session.makeMove(move)", move)
        ann.wait_for_ply(ply + 1)
        expect(show).to_be_visible()
        for _ in range(20):
            ann.page.keyboard.down("Enter")
            ann.page.wait_for_timeout(30)
        ann.page.keyboard.up("Enter")
        expect(show).to_be_visible()
        expect(ann.page.locator(".hand [data-card]")).to_have_count(0)


def test_the_device_is_covered_after_a_reload(ann: OfflinePlayer) -> None:
    """A reload shows no hand, neither during it nor later, and no rule cards either: others never see them.

    No press is lost while cards are read: its button may move down, because the last text is shown in words meanwhile.
    """
    cover = share_device(ann, "wild-jackpot+wj_rules=written")
    ann.page.add_init_script(_WATCH_HANDS)
    for name in ("Ann", "Ben"):
        dares = ann.page.get_by_label("Text of the dare")
        if cover.is_visible():
            cover.get_by_role("button").click()
        expect(dares).to_have_count(4)
        ann.page.reload()
        expect(cover).to_be_visible()
        assert ann.page.evaluate("seen") == 0
        cover.get_by_role("button", name=f"I am {name}: show my cards").click()
        write_dares(ann)
    expect(ann.page.locator("lc-game")).to_be_visible()
    cover.get_by_role("button").click()
    expect(ann.hand).to_be_visible()
    ann.page.reload()
    expect(cover).to_be_visible()
    wait_until_ready(ann.page)
    assert ann.page.evaluate("seen") == 0


_WATCH_HANDS: Final = """
    window.seen = 0;
    addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
        if (document.querySelector(".pass-device")?.checkVisibility()) return;
        window.seen += document.querySelectorAll(".hand [data-card], .rule-card").length;
    }).observe(document.body, { childList: true, subtree: true }));
"""
"""The number of a person's cards and rule cards that the page has shown without a cover."""


@ON_PHONE
def test_a_challenger_at_a_shared_device_sees_the_cards(ann: OfflinePlayer) -> None:
    """Only the challenger, who loses the turn, sees them; the device is not covered before they can be read."""
    ann.open_home()
    ann.make_table("classic")
    assert ann.page.evaluate(_CHALLENGE, False) < 3000
    assert ann.page.evaluate(_CHALLENGE, True) > 5000


def test_the_leaderboard_of_a_device(ann: OfflinePlayer) -> None:
    """The first page lists the people who share the device, by name; nobody who has only played alone."""
    ann.open_home()
    honors = ann.page.get_by_role("heading", name="Leaderboard")
    ann.page.evaluate(_STORE_MATCHES, [["Ann", "Ben"], [0]])
    ann.page.reload()
    expect(ann.page.get_by_role("button", name="Play now")).to_be_visible()
    expect(honors).to_have_count(0)
    for winners in ([0], [0], [1]):
        ann.page.evaluate(_STORE_MATCHES, [["Ann", "Ben", "Juno"], winners, [0, 1]])
    ann.page.reload()
    expect(honors).to_be_visible()
    expect(ann.page.locator(".leaderboard li")).to_contain_text(["Ann", "Ben"])


_STORE_MATCHES: Final = f"""async ([names, winners, seats = [0]]) => {{
    {USE_MODULE}("ui/prefs.js").prefs.set("name", names[0]);
    const known = {{ id: crypto.randomUUID(), table: "", rules: "classic", names, seats, winners }};
    const match = {{ ...known, started: 1, finished: 1, takenBack: false, record: "" }};
    await ({_USE_STORE})("matches", (matches) => matches.put(match));
}}"""
"""Adds matches to those that the device stores."""


def test_data_of_an_earlier_version_is_removed(browser: Browser, static_host: StaticHost) -> None:
    """One sentence says so, once; then the game works."""
    with open_offline_player(browser, static_host, "Ann", new=True, **DESKTOP) as ann:
        ann.page.route(f"{static_host.url}/blank", lambda route: route.fulfill(body="", content_type="text/html"))
        ann.page.goto(f"{static_host.url}/blank")
        ann.page.evaluate(_STORE_OLD_DATA)
        said = ann.page.locator(".toast").get_by_text(catalog("en").text("web.notice.dropped"))
        ann.page.goto(f"{static_host.url}/")
        expect(said).to_have_count(1)
        expect(ann.page.get_by_label("Your name")).to_have_value(re.compile("^(?!Old$).+"))
        expect(ann.page.get_by_role("link", name="Continue game")).to_have_count(0)
        ann.open_home()
        ann.page.get_by_role("button", name="Play now").click()
        expect(ann.hand).to_be_visible()
        ann.wait_for_turn()  # a match is stored some time after its cards are shown
        ann.page.goto(f"{static_host.url}/")
        expect(ann.page.get_by_role("link", name="Continue game")).to_be_visible()
        expect(said).to_have_count(0)
        assert ann.page.evaluate("JSON.parse(localStorage.lastcard).format") == 1


def test_names_that_come_one_after_the_other(ann: OfflinePlayer) -> None:
    """A name that is typed while the one before is being added stays in its field."""
    ann.wait_until_cached()
    ann.make_table("classic", 3)
    field = ann.page.get_by_label("Name of a player")
    field.fill("Ben")
    field.evaluate("(field) => { field.form.requestSubmit(); field.value = 'Chloé'; }")
    ann.wait_until_seated("Ben")
    expect(field).to_have_value("Chloé")


def test_taken_up_again(ann: OfflinePlayer) -> None:
    """The browser is closed during a match; hand, pile and turn are as before."""
    ann.begin("classic", 3)
    ann.wait_for_turn()
    make_any_move(ann, ann.screen_state())
    ann.wait_for_turn()
    before, page = ann.screen_state(), ann.page
    page.reload()
    ann.wait_for_turn()
    ann.page = page.context.new_page()
    ann.page.goto(page.url)
    expect(ann.page.get_by_role("heading", name="This table is open in another window")).to_be_visible()
    page.close()
    ann.open_home()
    ann.page.get_by_role("link", name="Continue game").click()
    ann.wait_for_turn()
    assert ann.screen_state() == before
    make_any_move(ann, before)


@ON_PHONE
def test_a_record_of_a_server(ann: OfflinePlayer, tmp_path: Path) -> None:
    """The record is verified, stored once however often it is imported, shown, and exported unchanged."""
    record = tmp_path / "server.toml"
    write_record(record, random_record(SERVER_CONFIG, 3)[1])  # a longer one: its report must take until it is stopped
    text = record.read_text(encoding="utf-8")
    changed = tmp_path / "changed.toml"
    changed.write_text(
        re.sub(r'^seed = "(.)', lambda found: f'seed = "{"0" if found[1] != "0" else "1"}', text, flags=re.M)
    )
    page = ann.page
    for _ in range(2):
        page.goto(f"{ann.url}/")
        page.get_by_label("Choose a file").set_input_files(record)
        expect(page.get_by_role("button", name="Check the shuffle")).to_be_visible()
    page.get_by_role("button", name="Check the shuffle").click()
    expect(page.get_by_role("dialog")).to_contain_text("All good")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Luck and skill").click()
    bar = page.get_by_role("progressbar")
    expect(bar).to_have_attribute("value", re.compile(r"0\.\d"), timeout=60_000)
    page.get_by_role("button", name="Stop").click()
    expect(bar).to_be_hidden()
    page.get_by_role("button", name="Luck and skill").click()
    open_figures(page)
    assert download(ann, tmp_path / "again.toml").read_text(encoding="utf-8") == text
    page.get_by_role("link", name="My matches").click()
    expect(page.get_by_role("link", name=re.compile("^Replay"))).to_have_count(1)

    page.goto(f"{ann.url}/")
    page.get_by_label("Choose a file").set_input_files(changed)
    expect(page.get_by_role("alert")).to_contain_text("This is not a valid record of a match")


@pytest.mark.parametrize("size", SCREENS)
def test_a_file_that_cannot_be_taken_in_is_refused_in_words(
    browser: Browser, static_host: StaticHost, size: str
) -> None:
    """The message is in the person's language; a program's own message is below, smaller and in its own language."""
    texts = catalog("pl")
    large, empty, binary = b"#" * 4_000_001, b"", b"\x89PNG"
    with open_offline_player(
        browser, static_host, "Ann", locale="pl-PL", service_workers="block", **SCREENS[size]
    ) as ann:
        ann.page.goto(f"{static_host.url}/")
        choose, alert = ann.page.get_by_label(texts.text("web.alone.record.choose")), ann.page.get_by_role("alert")
        for body in (large, empty, binary):
            choose.set_input_files({"name": "a.toml", "mimeType": "text/plain", "buffer": body})
            if body is large:
                expect(alert).to_have_text(texts.text("web.matches.bring.large", limit="4\u00a0000\u00a0000"))
                continue
            expect(alert.locator("small[lang=en]")).to_have_count(1)
            said = texts.text("web.alone.record.bad", why="").strip()
            assert alert.evaluate("alert => alert.firstChild.textContent") == said


def test_a_fault_is_said_in_words(static_host: StaticHost, new_context: CreateContextCallback, tmp_path: Path) -> None:
    """If the worker fails to start, no English error of a program is shown, and no good record is called bad."""
    record = tmp_path / "good.toml"
    write_record(record, random_record(SERVER_CONFIG, 25)[1])
    page = new_context(locale="pl-PL", service_workers="block", **PHONE).new_page()
    page.route("**/packs/worker.js", lambda route: route.abort())
    page.goto(f"{static_host.url}/")
    page.get_by_label(catalog("pl").text("web.alone.record.choose")).set_input_files(record)
    expect(page.get_by_role("alert")).to_have_text(catalog("pl").text("web.page.wrong"))


@ON_PHONE
def test_a_record_that_is_laid_out_otherwise(ann: OfflinePlayer, tmp_path: Path) -> None:
    """After a TOML formatter it is still the same match, and not one that was there before."""
    page = ann.page
    for seed in (4, 25):
        record = tmp_path / f"{seed}.toml"
        text = random_record(SERVER_CONFIG, seed)[1].text()
        record.write_text(re.sub(r"^(\w+) = ", r"\1   = ", text, flags=re.M), encoding="utf-8")
        page.goto(f"{ann.url}/")
        page.get_by_label("Choose a file").set_input_files(record)
        expect(page.get_by_role("button", name="Check the shuffle")).to_be_visible()
    page.get_by_role("link", name="My matches").click()
    expect(page.get_by_role("link", name=re.compile("^Replay"))).to_have_count(2)


def test_another_version_comes(browser: Browser, tmp_path: Path) -> None:
    """A match continues in its version, complete, and in the next one when the person wants it."""
    opened = StaticHost(tmp_path, fast_web())
    first = opened.version
    with open_offline_player(browser, opened, "Ann", **DESKTOP) as ann:
        code = ann.begin("classic")
        ann.wait_for_turn()
        make_any_move(ann, ann.screen_state())

        opened.deploy(fast_web("another version"))
        assert opened.version != first
        ann.page.wait_for_function(_FETCH_VERSION)
        ann.wait_for_turn()
        asked: list[str] = []
        ann.page.on("request", lambda request: asked.append(request.url))
        ann.page.get_by_role("button", name="Menu").click()
        make_any_move(ann, ann.screen_state())
        assert all(opened.version not in url for url in asked)
        ann.page.reload()
        ann.wait_for_turn()
        assert version_of(ann) == first

        before = ann.screen_state()
        ann.page.goto(f"{opened.url}/")
        ann.page.get_by_role("button", name="Load it").click()
        ann.page.wait_for_function(
            f"() => document.querySelector('script[type=module]')?.src.includes('{opened.version}')"
        )
        opened.shut_down()
        ann.open_table(code)
        ann.wait_for_turn()
        assert version_of(ann) == opened.version
        assert ann.screen_state() == before
        make_any_move(ann, before)


def version_of(ann: OfflinePlayer) -> str:
    return str(ann.page.evaluate("document.querySelector('script[type=module]').src.split('/').at(-3)"))


_FETCH_VERSION = """async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    while (!registration.waiting) await new Promise((later) => setTimeout(later, 50));
    return true;
}"""
"""A browser does so by itself when a page is opened, and once a day."""
