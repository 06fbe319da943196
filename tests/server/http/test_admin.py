"""The admin page over HTTP: access to it, its content, and the effect of its commands."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lastcard.errors import UsageError
from lastcard.server.http import app as application
from lastcard.server.http.requests import CallerLimits
from lastcard.server.launcher import serve
from lastcard.server.security.admin_auth import AdminAuth
from lastcard.server.setup.server_options import ServerOptions
from lastcard.text.locale import LANGUAGES
from support.threaded_server import Client, ThreadedServer, error_of, run_threaded_server

TOKEN = "correct horse battery staple"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server with an admin page."""
    with run_threaded_server(tmp_path_factory.mktemp("tables"), admin_token=TOKEN) as running:
        yield running


@pytest.fixture
def admin(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """The browser of the administrator; at the end all settings and bans are undone."""
    monkeypatch.setattr(served.app.state.limits, "keys", CallerLimits().keys)
    browser = served.new_client(None)
    assert browser.post("/api/admin/session", {"token": TOKEN}).status_code == 200
    yield browser
    browser.post("/api/admin/orders", {"notice": "", "draining": False, "chat": "", "words": []}).raise_for_status()
    page = shown(browser)
    for kind in ("bans", "complaints"):
        for row in page[kind]:
            browser.http.delete(f"/api/admin/{kind}/{row['id']}")


def shown(browser: Client) -> dict[str, Any]:
    """The content of the page."""
    answer = browser.get("/api/admin")
    assert answer.status_code == 200
    return dict(answer.json())


def test_data_retention(served: ThreadedServer, admin: Client, tmp_path: Path) -> None:
    """The privacy page states what the server does: reports only if somebody reads them, chat as configured."""
    facts = {"matches": None, "tables": 30, "reports": 30, "chat": True, "reader": None}
    facts |= {"puzzles": False, "open": False}
    assert served.new_client(None).get("/api/site").json() == facts
    admin.post("/api/admin/orders", {"chat": "never"}).raise_for_status()
    assert served.new_client(None).get("/api/site").json() == {**facts, "chat": False}
    with run_threaded_server(tmp_path) as other:
        other.app.state.registry.match_retention_s = 90 * 24 * 3600.0
        assert other.new_client(None).get("/api/site").json() == {**facts, "matches": 90, "reports": None}


# --- access -----------------------------------------------------------------------------------------------

ROUTES = [
    ("GET", "/api/admin"),
    ("POST", "/api/admin/orders"),
    ("POST", "/api/admin/bans"),
    ("DELETE", "/api/admin/bans/x"),
    ("DELETE", "/api/admin/complaints/x"),
]


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_every_admin_route_needs_the_token(served: ThreadedServer, tmp_path: Path, method: str, path: str) -> None:
    """The page does not open with a forged cookie, nor with the token in the address."""
    admin_auth, other = AdminAuth(TOKEN), AdminAuth(TOKEN + "!")
    good = admin_auth.issue_cookie()
    for cookie in ("", "1.x.y", "x", other.issue_cookie(), admin_auth.issue_cookie(-1), good[:-1] + "~", "9" + good):
        browser = served.new_client(None)
        browser.http.cookies.set("lastcard-admin", cookie)
        assert error_of(browser.http.request(method, f"{path}?token={TOKEN}")) == (401, "no-token")
    with run_threaded_server(tmp_path) as closed:
        assert error_of(closed.new_client(None).http.request(method, path)) == (404, "no-admin")


def test_the_cookie_is_for_this_page_alone(stranger: Client) -> None:
    """Scripts cannot read it, no other site can send it, and it expires."""
    answer = stranger.post("/api/admin/session", {"token": TOKEN})
    cookie = answer.headers["set-cookie"]
    assert TOKEN not in cookie
    for word in ("HttpOnly", "SameSite=strict", "Path=/api/admin", "Max-Age=43200"):
        assert word in cookie
    assert answer.headers["cache-control"] == "no-store"
    assert stranger.get("/api/admin/session").json() == {"offered": True, "granted": True}
    foreign = stranger.post("/api/admin/orders", {"draining": True}, origin="http://evil.example")
    assert foreign.status_code == 403 and not shown(stranger)["orders"]["draining"]
    stranger.http.delete("/api/admin/session")
    assert stranger.get("/api/admin").status_code == 401
    assert stranger.get("/api/admin/session").json() == {"offered": True, "granted": False}


def test_guessing_is_slowed_down(stranger: Client, served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong tokens are counted; after too many not even the right one opens."""
    monkeypatch.setattr(served.app.state.limits, "keys", CallerLimits().keys)
    answers = [stranger.post("/api/admin/session", {"token": f"guess {n}"}) for n in range(11)]
    assert [answer.json()["error"] for answer in answers] == ["wrong-token"] * 10 + ["too-fast"]
    assert stranger.post("/api/admin/session", {"token": TOKEN}).status_code == 429


@pytest.mark.parametrize("token", ["", "short", "a" * 40])
def test_a_token_that_could_be_guessed_is_none(token: str) -> None:
    """The error says how to make a better one."""
    with pytest.raises(UsageError, match="token_urlsafe"):
        AdminAuth(token)


def test_command_line_options_are_checked_before_anything_listens(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("short\n", encoding="utf-8")
    with pytest.raises(UsageError, match="16 characters"):
        serve(ServerOptions(admin_token_file=tmp_path / "token"))
    with pytest.raises(UsageError, match="cannot be read"):
        serve(ServerOptions(admin_token_file=tmp_path / "nothing"))
    for days in ("90", "d", "0d", "-1d", "1.5d", "90 days"):
        with pytest.raises(UsageError, match="as in 90d"):
            serve(ServerOptions(match_retention=days))


# --- content ----------------------------------------------------------------------------------------------


def test_tables_people_and_load(served: ThreadedServer, admin: Client) -> None:
    """The page shows where people are, and the load of the worker; no cards, no secrets, no addresses."""
    ann = served.new_client("Ann")
    code = ann.create_table(settings={"rules": "classic", "seats": 3})
    with ann.join(code).connection:
        page = shown(admin)
        text = admin.get("/api/admin").text
    (table,) = [table for table in page["tables"] if table["code"] == code]
    assert (table["phase"], table["rules"], table["bots"]) == ("lobby", "classic", 0)
    assert [(person["name"], person["here"]) for person in table["people"]] == [("Ann", True)]
    (worker,) = page["workers"].values()
    assert worker["people"][code] and worker["processors"] >= 1 and worker["thinking"] >= 0
    assert page["orders"] == {"notice": "", "draining": False, "chat": "", "words": []} and page["chat"] == "on"
    assert "secret" not in text and "127.0.0.1" not in text


# --- commands ---------------------------------------------------------------------------------------------


def test_a_message_to_all_and_no_new_matches(served: ThreadedServer, admin: Client) -> None:
    """Tables receive the message, and new ones are refused with words."""
    ann = served.new_client("Ann")
    code = ann.create_table(settings={"rules": "classic", "seats": 2})
    socket = ann.join(code)
    admin.post("/api/admin/orders", {"notice": "Back at eight", "draining": True}).raise_for_status()
    while not (table_state := socket.receive("table")["table"])["notice"]:
        pass  # earlier ones
    assert (table_state["notice"], table_state["draining"]) == ("Back at eight", True)
    for language in LANGUAGES:
        answer = ann.post("/api/tables", {"settings": {"rules": "classic"}}, **{"accept-language": language})
        assert error_of(answer) == (422, "draining")
        assert "{" not in answer.json()["text"]
    socket.send(type="start")
    assert socket.receive("refused")["code"] == "draining"
    for bad in ({"chat": "loud"}, {"words": [""]}, {"music": 1}):
        assert admin.post("/api/admin/orders", bad).status_code == 422


def test_a_name_with_a_blocked_word_is_refused(stranger: Client, admin: Client) -> None:
    admin.post("/api/admin/orders", {"words": ["clod"]}).raise_for_status()
    assert error_of(stranger.post("/api/me", {"name": "Big Clod"})) == (422, "name-refused")
    assert stranger.post("/api/me", {"name": "Cloddy"}).status_code == 200


def test_a_person_is_banned(served: ThreadedServer, admin: Client) -> None:
    """The person is disconnected and refused, can make no table, and can take no other name until the ban ends."""
    ann, bob = served.new_client("Ann"), served.new_client("Bob")
    code = ann.create_table(settings={"rules": "classic", "seats": 2})
    ann.join(code)
    socket = bob.join(code)
    me = socket.welcome["you"]
    answer = admin.post("/api/admin/bans", {"name": "Bob", "player": me, "days": 7})
    assert answer.status_code == 201
    assert socket.wait_closed()[0] == "banned"
    assert bob.greet(code).wait_closed()[0] == "banned"
    for path, body in (("/api/tables", {}), ("/api/me", {"name": "Rob"})):
        assert error_of(bob.post(path, body)) == (403, "banned")
    (ban,) = shown(admin)["bans"]
    assert ban["name"] == "Bob" and ban["until"] > time.time() * 1000 + 6 * 24 * 3_600_000
    assert admin.http.delete(f"/api/admin/bans/{ban['id']}").status_code == 200
    assert admin.http.delete(f"/api/admin/bans/{ban['id']}").status_code == 404
    bob.join(code)


def test_a_network_is_banned_but_not_the_admins_own_address(
    ann: Client, code: str, admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages, calls and WebSockets are refused; the admin page stays open, so that nobody locks themselves out."""
    assert admin.post("/api/admin/bans", {"network": "203.0.113.0/24"}).status_code == 201
    monkeypatch.setattr(application, "address_of", lambda connection: "203.0.113.9")
    for path in ("/", f"/api/tables/{code}", "/api/me"):
        assert error_of(ann.get(path)) == (403, "banned")
    with pytest.raises(Exception, match="403"):
        ann.connect(code)
    for path in ("/admin", "/healthz", "/web/ui/dom.js", "/api/locale/en", "/api/admin"):
        assert admin.get(path).status_code == 200
    for body, code_ in (({"network": "127.0.0.1"}, "nearest-network"), ({"network": "x"}, "no-network")):
        assert admin.post("/api/admin/bans", body).json()["error"] == code_
    for body in ({}, {"player": "a", "network": "203.0.113.7"}):
        assert admin.post("/api/admin/bans", body).status_code == 422


def test_a_complaint_is_read_and_resolved(served: ThreadedServer, admin: Client) -> None:
    """A report includes the chat before it; a person who deletes their data deletes it, too."""
    ann, bob = served.new_client("Ann"), served.new_client("Bob")
    code = ann.create_table(settings={"rules": "classic", "seats": 2})
    host, guest = ann.join(code), bob.join(code)
    guest.send(type="say", text="you clod")
    host.receive("heard")
    host.send(type="report", player=guest.welcome["you"], why="words", text="rude")
    assert host.receive("notice")["what"] == "reported"
    (complaint,) = shown(admin)["complaints"]
    assert (complaint["table"], complaint["name"], complaint["by_name"]) == (code, "Bob", "Ann")
    assert complaint["notes"] == [["Bob", "you clod"]] and complaint["text"] == "rude"
    assert admin.http.delete(f"/api/admin/complaints/{complaint['id']}").status_code == 200
    assert admin.http.delete(f"/api/admin/complaints/{complaint['id']}").status_code == 404
    host.send(type="report", player=guest.welcome["you"], why="other")
    assert host.receive("notice")["what"] == "reported"
    assert bob.http.delete("/api/me").status_code == 200
    assert not shown(admin)["complaints"]


def test_a_cookie_that_is_no_text_opens_nothing(stranger: Client) -> None:
    cookie = "lastcard-admin=1.\xe9.\xe9".encode("latin-1")
    assert stranger.http.get("/api/admin", headers=[(b"cookie", cookie)]).status_code == 401
