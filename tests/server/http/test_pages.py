"""HTTP: the page and its files, sessions, new tables, headers, limits, errors (docs/server.md)."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import shutil
import sys
import weakref
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import httpx
import pytest
import segno
from starlette.requests import Request
from starlette.routing import Route, WebSocketRoute

from lastcard.errors import StoreError, UsageError
from lastcard.kernel.jit import backend
from lastcard.server.http import pages
from lastcard.server.http.assets import WebFolder
from lastcard.server.http.listening_socket import check_public_url
from lastcard.server.http.requests import BODY_LIMIT_BYTES, RequestError, read_json
from lastcard.server.security import security
from lastcard.server.store.store import Store
from lastcard.text.locale import LANGUAGES, catalog
from support.store_samples import limit_file_size
from support.threaded_server import TIMEOUT_S, Client, ThreadedServer, error_of, run_threaded_server

WEB = Path(pages.__file__).parents[2] / "web"


# --- the page -----------------------------------------------------------------------------------------------


VERSIONED_ADDRESS = re.compile(r'(?:href|src)="(/web/[0-9a-f]{16}/[^"]+)"')
"""The versioned addresses in a page."""


def addresses(served: ThreadedServer, path: str = "/", **headers: str) -> list[str]:
    """The versioned addresses in a page."""
    return VERSIONED_ADDRESS.findall(served.new_client(None).get(path, **headers).text)


@pytest.mark.parametrize(
    "path", ["/", "/t/ABCDEF", "/tv/ABCDEF", "/matches", "/match/x", "/rules", "/rules/classic+jump_in", "/about"]
)
def test_one_page_is_at_every_address(stranger: Client, path: str) -> None:
    """The page names all files that the screen needs first, each once, and only existing ones."""
    answer = stranger.get(path, **{"accept-language": "pl"})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["vary"] == "Accept-Encoding, Accept-Language"
    texts = answer.text, (WEB / "index.html").read_text(encoding="utf-8")
    page, source = (re.sub(r" *<(link|script|meta property).*\n", "", text) for text in texts)
    assert page == source
    named = VERSIONED_ADDRESS.findall(answer.text)
    assert len(named) == len(set(named)) == answer.text.count("/web/")
    assert {name.split("/", 3)[3] for name in named} >= {"packs/home.js", "packs/home.css", "texts/pl.json"}
    assert {stranger.get(name).status_code for name in named} == {200}


@pytest.mark.parametrize(
    ("path", "pack"), [("/t/ABCDEF", "table"), ("/me", "me"), ("/matches", "me"), ("/rules/classic", "pages-rules")]
)
def test_a_page_names_the_pack_of_its_screen(served: ThreadedServer, path: str, pack: str) -> None:
    """The bundle follows from the routes of ``pages/main.js``."""
    assert f"packs/{pack}.js" in [name.split("/", 3)[3] for name in addresses(served, path)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("favicon.svg", "image/svg+xml"),
        ("icons/icon-192.png", "image/png"),
        ("manifest.webmanifest", "application/manifest+json"),
        ("ui/theme.css", "text/css; charset=utf-8"),
        ("packs/table.css", "text/css; charset=utf-8"),
        ("packs/table.js", "text/javascript; charset=utf-8"),
        ("ui/dom.js", "text/javascript; charset=utf-8"),
        ("texts/fr-lobby.json", "application/json"),
    ],
)
def test_versioned_files_are_cached_for_ever(stranger: Client, served: ThreadedServer, name: str, kind: str) -> None:
    version = addresses(served)[0].split("/")[2]
    answer = stranger.get(f"/web/{version}/{name}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    again = stranger.get(answer.url.path, **{"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == answer.headers["etag"]
    head = stranger.http.head(answer.url.path)
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", answer.headers["etag"])
    assert head.headers["content-length"] == answer.headers["content-length"]


def test_models_read_about_the_site(stranger: Client) -> None:
    answer = stranger.get("/llms.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8" and answer.text.startswith("# lastcard\n")


@pytest.mark.parametrize("path", ["/", "/t/ABCDEF"])
def test_the_page_is_asked_for_again(stranger: Client, path: str) -> None:
    """A reload revalidates it, which gives the current version."""
    answer = stranger.get(path)
    assert answer.headers["cache-control"] == "no-cache"
    again = stranger.get(path, **{"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"] == "no-cache"
    assert stranger.http.head(path).headers["etag"] == answer.headers["etag"]


def test_files_without_a_version_are_asked_for_again(stranger: Client) -> None:
    """Icons on home screens use such addresses."""
    answer = stranger.get("/web/icons/icon-192.png")
    assert answer.content == (WEB / "icons" / "icon-192.png").read_bytes()
    assert answer.headers["cache-control"] == "no-cache"
    assert stranger.get(answer.url.path, **{"if-none-match": answer.headers["etag"]}).status_code == 304
    assert stranger.get("/web/ui/theme.css").content == (WEB / "ui" / "theme.css").read_bytes()


@pytest.mark.parametrize(
    ("offered", "packed"),
    [
        ("gzip, deflate, br", True),
        ("br;q=1.0, gzip;q=0.8", True),
        ("GZIP", True),
        ("*", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
    ],
)
def test_a_client_that_accepts_gzip_gets_gzip(served: ThreadedServer, offered: str, packed: bool) -> None:
    """A compressed answer has another tag, so that no cache confuses them."""
    table = next(name for name in addresses(served) if name.endswith("/packs/table.js"))
    with served.new_client(None).http.stream("GET", table, headers={"accept-encoding": offered}) as answer:
        body = b"".join(answer.iter_raw())
    assert answer.headers["vary"] == "Accept-Encoding"
    assert int(answer.headers["content-length"]) == len(body)
    assert ("content-encoding" in answer.headers) == packed
    assert answer.headers["etag"].endswith('-gzip"') == packed
    plain = served.new_client(None).get(table, **{"accept-encoding": "identity"}).content
    assert (gzip.decompress(body) if packed else body) == plain
    other = {"accept-encoding": "identity" if packed else "gzip", "if-none-match": answer.headers["etag"]}
    assert served.new_client(None).get(table, **other).status_code == 200


def test_pictures_and_short_answers_are_not_compressed(stranger: Client, served: ThreadedServer) -> None:
    version = addresses(served)[0].split("/")[2]
    for name in ("icons/icon-512.png", "texts/en-scoreboard.json"):
        answer = stranger.get(f"/web/{version}/{name}", **{"accept-encoding": "gzip"})
        assert answer.status_code == 200
        assert not {"content-encoding", "vary"} & set(answer.headers)


def copied(folder: Path) -> WebFolder:
    """A copy of the web files that can be changed."""
    shutil.copytree(WEB, folder / "web")
    return WebFolder(folder / "web")


def test_a_changed_file_is_another_version(
    tmp_path: Path, served: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Edits of a page need no restart of the server; an older page is reloaded when it requests a module."""
    web = copied(tmp_path)
    monkeypatch.setattr(pages, "_WEB", web)
    browser = served.new_client(None)
    before = addresses(served)
    script, sheet, texts = before[-3], before[3], before[4]
    assert ("packs/home.js" in script, "packs/home.css" in sheet, "texts/en.json" in texts) == (True, True, True)
    toast = tmp_path / "web" / "pages" / "home.js"
    toast.write_text(toast.read_text(encoding="utf-8") + "\nexport const added = 1;\n", encoding="utf-8")
    after = addresses(served)
    assert set(before).isdisjoint(after)
    assert "const added = 1;" in browser.get(after[-3]).text
    renewed = browser.get(script)
    assert (renewed.status_code, renewed.headers["cache-control"]) == (200, "no-store")
    assert "location.reload()" in renewed.text
    for name in (sheet, texts):  # the current files will do
        current = name.replace(name.split("/")[2], after[0].split("/")[2])
        assert browser.get(name).content == browser.get(current).content
        assert browser.get(name).headers["cache-control"] == "no-store"
    assert browser.get(sheet.replace("home.css", "nothing.css")).status_code == 404


def test_an_old_version_is_freed_at_once(no_garbage_collector: None, tmp_path: Path) -> None:
    """A version takes 8 MB, and the garbage collector seldom runs on a server."""
    web, file = copied(tmp_path), tmp_path / "web" / "pages" / "home.js"
    web.current().page("/", "en")
    past = weakref.ref(web.current()._web)
    file.write_text(file.read_text(encoding="utf-8") + "\nexport const added = 1;\n", encoding="utf-8")
    web.current()
    assert past() is None


@pytest.mark.parametrize(
    "path",
    [
        "/web/../server/http/app.py",
        "/web/..%2f..%2fserver/app.py",
        "/web/%2e%2e/cli.py",
        "/web//etc/passwd",
        "/web/..\\cli.py",
        "/web/net/protocol.d.ts",
        "/web/",
        "/web/ui/nothing.css",
        "/web/index.html",
        "/web/net/session.js%00",
        "/nowhere",
        "/qr/x.svg",
        "/qr/<script>.svg",
    ],
)
def test_nothing_else_is_served(stranger: Client, path: str) -> None:
    assert error_of(stranger.get(path)) == (404, "not-found")


@pytest.mark.parametrize(
    "name",
    ["ui/nothing.js", "net/protocol.d.ts", "index.html", "packs/", "texts/de.json", "../../server/http/app.py"],
)
def test_nothing_else_is_in_a_version(stranger: Client, served: ThreadedServer, name: str) -> None:
    version = addresses(served)[0].split("/")[2]
    assert stranger.get(f"/web/{version}/{name}").status_code == 404


@pytest.mark.parametrize("name", ["main.js", "lobby.js", "ui/dom.js", "lobby/lobby.js", "ui/gone.js"])
def test_a_page_from_before_there_were_versions_is_loaded_anew(served: ThreadedServer, name: str) -> None:
    answer = served.new_client(None).get(f"/web/{name}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/javascript; charset=utf-8")
    assert "location.reload()" in answer.text


def test_every_answer_has_its_headers(ann: Client, served: ThreadedServer) -> None:
    answers = [
        ann.get("/"),
        ann.get("/web/net/session.js"),
        ann.get("/nowhere"),
        ann.get("/api/me"),
        ann.get("/healthz"),
        ann.http.put("/api/me"),
        ann.post("/api/me", {"name": 3}),
        ann.post("/api/me", {"name": "x"}, origin="http://evil.example"),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 404, 200, 200, 405, 422, 403]
    for answer in answers:
        for name, value in security.security_headers(served.host).items():
            assert answer.headers[name] == value
        assert "'unsafe" not in answer.headers["content-security-policy"]
        assert "server" not in answer.headers


def test_the_qr_code_holds_the_address_of_the_table(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    make = Mock(wraps=segno.make)
    monkeypatch.setattr(segno, "make", make)
    code = served.new_client().create_table()
    answer = served.new_client(None).get(f"/qr/{code.lower()}.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<svg") and 'fill="#fff"' in answer.text
    assert [made.args for made in make.call_args_list] == [(f"{served.url}/t/{code}",)]
    # A page adds its address to the request, so that the browser requests another code for another address.
    again = served.new_client(None).get(f"/qr/{code}.svg?http%3A%2F%2F192.0.2.7%2Ft%2F{code}")
    assert again.content == answer.content and again.headers["cache-control"] == "no-cache"


def test_the_service_worker_has_every_language(stranger: Client) -> None:
    """One script serves all readers: a running worker is replaced only by a new version."""
    answer = stranger.get("/service.js", **{"accept-language": "pl"})
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.content == stranger.get("/service.js?lang=fr").content
    first = answer.text.partition("\n")[0]
    texts = json.loads(first.removeprefix("self.away = ").removesuffix(";"))
    assert texts == {
        language: {name: catalog(language).text(f"web.away.{name}") for name in ("title", "text", "again")}
        for language in LANGUAGES
    }


# --- sessions -------------------------------------------------------------------------------------------------


def test_a_name_makes_a_person_and_a_cookie_no_script_can_read(stranger: Client) -> None:
    assert stranger.get("/api/me").json() is None
    answer = stranger.post("/api/me", {"name": "  Ann\u202e ", "language": "fr"})
    me = answer.json()
    assert (me["name"], me["language"]) == ("Ann", "fr")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/" in cookie and "Secure" not in cookie
    assert f"Max-Age={365 * 24 * 3600}" in cookie
    assert stranger.get("/api/me").json() == me
    assert "set-cookie" not in stranger.post("/api/me", {"name": "Anna", "language": "fr"}).headers
    assert stranger.get("/api/me").json() == {**me, "name": "Anna"}


def test_names_are_limited_by_address(
    stranger: Client, served: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each name is a person in the database, or an announcement at all tables of a person."""
    monkeypatch.setattr(served.app.state.limits, "names", security.Limit(rate=0, burst=2, shared_factor=1))
    assert [stranger.post("/api/me", {"name": name}).status_code for name in ("Ann", "Bo", "Cy")] == [200, 200, 429]
    assert stranger.get("/api/me").json()["name"] == "Bo"


def test_people_with_a_table_code_get_in_behind_a_shared_address(
    ann: Client, code: str, served: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a school class the 21st was refused. A wrong code is a guess, and changes of names are limited as usual."""
    for name, burst in (("names", 1), ("guests", 3), ("misses", 1)):
        monkeypatch.setattr(served.app.state.limits, name, security.Limit(rate=0, burst=burst, shared_factor=1))

    def enter(table: str) -> int:
        return served.new_client(None).post("/api/me", {"name": "Bo", "table": table}).status_code

    tries = code.lower(), code, "ZZZZZZ", "ZZZZZZ", code
    assert list(map(enter, tries)) == [200, 200, 200, 429, 429]
    assert ann.post("/api/me", {"name": "Anna", "table": code}).status_code == 429


def test_a_shared_address_has_the_limits_of_local_ones() -> None:
    security.set_nat_networks("9.9.9.7, 2a00:1450::/48")
    try:
        limit = security.Limit(rate=0, burst=1, shared_factor=3)
        for address, most in (("9.9.9.7", 3), ("9.9.9.8", 1), ("2a00:1450::9", 3), ("::ffff:9.9.9.7", 0)):
            assert sum(limit.take(address) for _ in range(5)) == most, address
    finally:
        security.set_nat_networks(None)
    with pytest.raises(UsageError):
        security.set_nat_networks("school")


def test_over_https_the_cookie_stays_there(tmp_path: Path) -> None:
    with run_threaded_server(tmp_path, "https://cards.example") as served:
        answer = served.new_client(None).post("/api/me", {"name": "Ann"}, origin="https://cards.example")
        assert "Secure" in answer.headers["set-cookie"]
        me, old = answer.json()["id"], security.new_token()
        asyncio.run(served.app.state.store.add_token(me, security.hash_token(old)))
        asked = {"host": "cards.example", "cookie": f"lastcard={old}"}  # as browsers do, without an origin
        answer = httpx.get(f"{served.url}/api/me", headers=asked, timeout=TIMEOUT_S)
        assert "Secure" in answer.headers["set-cookie"], "nor is it lost when it is renewed"


def test_a_deleted_player_is_gone(ann: Client) -> None:
    token = ann.http.cookies["lastcard"]
    assert ann.http.delete("/api/me").status_code == 200
    assert "lastcard" not in ann.http.cookies
    ann.http.cookies.set("lastcard", token)
    assert ann.get("/api/me").json() is None
    assert ann.http.delete("/api/me").status_code == 401


def test_tables_are_notified_of_a_new_and_a_deleted_name(served: ThreadedServer) -> None:
    """An open connection shows the new name at once, and ends when the person's data is deleted."""
    ann, ben = served.new_client("Ann"), served.new_client("Ben")
    code = ann.create_table(settings={"seats": 2})
    hers, his = ann.join(code), ben.join(code)
    ann.post("/api/me", {"name": "Anna", "language": "en"}).raise_for_status()
    while his.receive("table")["table"]["seats"][0]["name"] != "Anna":
        pass
    ann.http.delete("/api/me").raise_for_status()
    assert hers.wait_closed()[0] == "gone"
    while his.receive("table")["table"]["seats"][0] is not None:
        pass
    assert ben.get(f"/api/tables/{code}").json()["host"] == "Ben"


def test_the_language_is_guessed_from_the_browser(served: ThreadedServer) -> None:
    browser = served.new_client(None, **{"accept-language": "de, pt-BR;q=0.9, en;q=0.5"})
    assert browser.post("/api/me", {"name": "Ana"}).json()["language"] == "pt"
    assert browser.get("/nowhere").json()["text"] == catalog("pt").text("web.refused.not-found")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"name": " \u202e "}, 422, "no-name"),
        ({"name": 5}, 422, "unreadable"),
        ({}, 422, "unreadable"),
        ({"name": "x", "id": "other"}, 422, "unreadable"),
        ({"name": "x" * BODY_LIMIT_BYTES}, 413, "too-long"),
        ([], 422, "unreadable"),
    ],
)
def test_invalid_requests_are_explained(stranger: Client, body: object, status: int, code: str) -> None:
    answer = stranger.post("/api/me", body)
    assert error_of(answer) == (status, code) and answer.json()["text"]


def test_a_client_that_disconnects_during_a_call_is_no_fault_of_the_server() -> None:
    messages = [{"type": "http.request", "body": b'{"na', "more_body": True}, {"type": "http.disconnect"}]
    receive = AsyncMock(side_effect=messages)
    head = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
    with pytest.raises(RequestError, match="unreadable"):
        asyncio.run(read_json(Request(head, receive), dict))


def test_only_json_from_our_own_pages_changes_anything(stranger: Client) -> None:
    """A form of a foreign page can send neither JSON nor our origin."""
    assert stranger.http.post("/api/me", content=b'{"name":"x"}').status_code == 415
    form = {"content-type": "text/plain"}
    assert stranger.http.post("/api/me", content=b'{"name":"x"}', headers=form).status_code == 415
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        assert stranger.post("/api/me", {"name": "x"}, origin=origin).json()["error"] == "foreign"
        assert stranger.http.delete("/api/me", headers={"origin": origin}).status_code == 403
    assert "lastcard" not in stranger.http.cookies


# --- tables -----------------------------------------------------------------------------------------------------


def test_a_table_is_made_and_found(served: ThreadedServer) -> None:
    ann = served.new_client("Ann")
    code = ann.create_table(settings={"rules": "classic+jump_in", "seats": 3})
    sign = served.new_client(None).get(f"/api/tables/{code.lower()}").json()
    assert sign == {
        "code": code, "host": "Ann", "phase": "lobby", "rules": "classic+jump_in", "seats": 3, "taken": 1,
        "sitting": [{"name": "Ann", "bot": None, "look": ""}],
    }  # fmt: skip


@pytest.mark.parametrize(
    "settings", [{"rules": "chess"}, {"rules": "classic+stacking=odd"}, {"rules": "classic+team_play", "seats": 3}]
)
def test_invalid_settings_make_no_table(served: ThreadedServer, settings: dict[str, Any]) -> None:
    answer = served.new_client().post("/api/tables", {"settings": settings})
    assert answer.status_code == 422 and answer.json()["text"]


def test_a_stranger_makes_no_table(stranger: Client) -> None:
    assert error_of(stranger.post("/api/tables", {})) == (401, "nobody")


def test_tables_are_limited_by_address(ann: Client, served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served.app.state.limits, "tables", security.Limit(rate=0, burst=2, shared_factor=1))
    assert [ann.post("/api/tables", {}).status_code for _ in range(3)] == [201, 201, 429]


def test_guessing_codes_is_slowed_down(
    ann: Client, code: str, served: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served.app.state.limits, "misses", security.Limit(rate=0, burst=2, shared_factor=1))
    answers = [ann.get(f"/api/tables/{guess}").status_code for guess in ("ABCDEF", code, "BCDFGH", code)]
    assert answers == [404, 200, 404, 429]


def with_token(served: ThreadedServer, token: str) -> Client:
    """A browser with a token."""
    browser = served.new_client(None)
    browser.http.cookies.set("lastcard", token)
    return browser


def test_other_sessions_can_be_ended(ann: Client, code: str, served: ThreadedServer) -> None:
    """A copied token is no longer valid, and its connection ends; the own browser stays signed in."""
    before = ann.http.cookies["lastcard"]
    thief = with_token(served, before)
    line = thief.join(code)
    assert ann.http.delete("/api/me/sessions").status_code == 200
    assert line.wait_closed()[0] == "restart" and ann.http.cookies["lastcard"] != before
    assert thief.get("/api/me").json() is None and ann.get("/api/me").json()["name"] == "Ann"
    assert thief.http.delete("/api/me/sessions").status_code == 401


def test_tokens_are_renewed(ann: Client, served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser with an old token gets a new one, and the old one is valid until the browser has it."""
    first = ann.http.cookies["lastcard"]
    assert "set-cookie" not in ann.get("/api/me").headers
    today = security._today()
    monkeypatch.setattr(security, "_today", lambda: today + security.RENEWAL_DAYS)
    given = [with_token(served, first).get("/api/me").headers["set-cookie"] for _ in range(3)]
    second = given[0].removeprefix("lastcard=").partition(";")[0]
    assert second != first and len(set(given)) == 1, "two tabs, or an answer that was lost: the same one for all"
    assert "HttpOnly" in given[0] and "SameSite=strict" in given[0] and "Secure" not in given[0]
    assert with_token(served, first).post("/api/tables", {}).status_code == 201, "the new one has not arrived yet"
    answer = with_token(served, second).get("/api/me")
    assert answer.status_code == 200 and "set-cookie" not in answer.headers
    assert with_token(served, first).get("/api/me").json() is None


def test_a_token_that_could_not_be_stored_is_not_issued(
    ann: Client, served: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With such a token the browser would have no person, and would have lost its valid one."""
    first = ann.http.cookies["lastcard"]
    today = security._today()
    monkeypatch.setattr(security, "_today", lambda: today + security.RENEWAL_DAYS)
    with monkeypatch.context() as full:
        full.setattr(Store, "add_token", AsyncMock(side_effect=StoreError("the disk is full")))
        assert with_token(served, first).get("/api/me").status_code == 503
    answer = with_token(served, first).get("/api/me")
    second = answer.headers["set-cookie"].removeprefix("lastcard=").partition(";")[0]
    assert with_token(served, second).get("/api/me").json() == answer.json()


def test_a_token_without_a_date_is_valid(ann: Client, served: ThreadedServer) -> None:
    me = ann.get("/api/me").json()
    old = security.new_token()
    asyncio.run(served.app.state.store.add_token(me["id"], security.hash_token(old)))
    answer = with_token(served, old).get("/api/me")
    assert answer.json() == me and answer.headers["set-cookie"].startswith("lastcard=")


def test_a_forged_token_ends_no_session_of_another(ann: Client, served: ThreadedServer) -> None:
    mallory = served.new_client("Mallory").get("/api/me").json()["id"]
    forged = security.new_session(ann.http.cookies["lastcard"])
    asyncio.run(served.app.state.store.add_token(mallory, security.hash_token(forged)))
    assert with_token(served, forged).get("/api/me").status_code == 200
    assert ann.get("/api/me").status_code == 200


def test_a_public_url_is_no_path_of_the_server(served: ThreadedServer) -> None:
    """Below ``/rules`` the page of the rules would be the first page."""
    own = {route.path.split("/")[1] for route in served.app.routes if isinstance(route, Route | WebSocketRoute)}
    for first in own - {""}:
        with pytest.raises(UsageError, match="an address of a table server itself"):
            check_public_url(f"https://cards.example/{first}")


# --- health ---------------------------------------------------------------------------------------------------------


def test_health_is_reported(stranger: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer says nothing about the database."""
    monkeypatch.setattr(pages.Readiness, "CACHE_S", 0)
    assert stranger.get("/healthz").text == "ok\n"
    assert stranger.get("/readyz").text == "ready\n"
    monkeypatch.setattr(Store, "ping", AsyncMock(side_effect=StoreError("the database is gone")))
    answer = stranger.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "not ready\n")
    assert stranger.get("/healthz").status_code == 200


def test_a_server_is_not_ready_without_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves were once acknowledged into a file that had been deleted."""
    monkeypatch.setattr(pages.Readiness, "CACHE_S", 0)
    with run_threaded_server(tmp_path) as served:
        ann = served.new_client()
        assert ann.get("/readyz").status_code == 200
        for file in tmp_path.glob("tables.sqlite*"):
            file.rename(file.with_name(f"gone-{file.name}"))
        assert ann.get("/readyz").status_code == 503
        assert ann.post("/api/tables", {}).status_code == 503
        for file in tmp_path.glob("gone-*"):
            file.rename(file.with_name(file.name.removeprefix("gone-")))
        assert ann.get("/readyz").status_code == 200


@pytest.mark.skipif(sys.platform != "linux", reason="limits of files are set on Linux only")
def test_a_server_is_not_ready_with_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages.Readiness, "CACHE_S", 0)
    with run_threaded_server(tmp_path) as served:
        browser = served.new_client(None)
        with limit_file_size((tmp_path / "tables.sqlite-wal").stat().st_size):
            assert browser.get("/readyz").status_code == 503
        assert browser.get("/readyz").status_code == 200


def test_metrics_are_not_at_a_public_address(tmp_path: Path) -> None:
    with run_threaded_server(tmp_path, "https://cards.example") as served:
        assert served.new_client(None).get("/metrics").status_code == 404


def test_a_store_that_cannot_be_read(ann: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is in the person's language, and says nothing about the database."""
    full = StoreError("the database host:5432/cards: the disk is full")
    monkeypatch.setattr(Store, "matches_of", AsyncMock(side_effect=full))
    found = ann.get("/api/matches?lang=fr")
    assert error_of(found) == (503, "storage")
    assert found.json()["text"] == catalog("fr").text("web.refused.no-store")


def test_metrics_are_for_local_addresses_and_hold_nothing_private(
    served: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = served.new_client("Annabel")
    code = ann.create_table()
    text = ann.get("/metrics").text
    for name in ("moves_total", "sockets", "tables", "commit_seconds_bucket", "outbox_drops_total", "refused_total"):
        assert f"\nlastcard_{name}" in text
    assert f'lastcard_kernel{{form="{backend().name}"}} 1.0' in text
    assert ann.get("/metrics", **{"x-forwarded-for": "127.0.0.1"}).status_code == 404, "somebody is in between"
    for private in ("Annabel", code, ann.http.cookies["lastcard"], ann.get("/api/me").json()["id"]):
        assert private not in text
    monkeypatch.setattr("lastcard.server.security.security.is_local_network", lambda address: False)
    assert ann.get("/metrics").status_code == 404


def test_an_error_nobody_expected_is_noted_and_answered(stranger: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "ping", AsyncMock(side_effect=ZeroDivisionError("secret detail")))
    monkeypatch.setattr(pages.Readiness, "CACHE_S", 0)
    answer = stranger.get("/readyz")
    assert error_of(answer) == (500, "fault")
    assert "secret detail" not in answer.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_errors_are_in_every_language(stranger: Client, language: str) -> None:
    answer = stranger.get(f"/nowhere?lang={language}")
    assert answer.json()["text"] == catalog(language).text("web.refused.not-found")
