"""Passkeys: add, sign in, remove, and answers that prove nothing (docs/server.md, "Passkeys")."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lastcard.server.security.webauthn import open_relying_party
from lastcard.server.store.maintenance import back_up
from lastcard.server.store.rows import PasskeyRow, Player
from lastcard.server.store.store import Store
from server.http.test_history import any_store as any_store
from support.threaded_server import Client, ThreadedServer, error_of, run_threaded_server

pytest.importorskip("fido2")

from support.authenticator import Authenticator


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server with passkeys."""
    with run_threaded_server(tmp_path_factory.mktemp("keyed"), "https://cards.example") as running:
        yield running


@pytest.fixture
def device() -> Authenticator:
    """A device on which passkeys are stored."""
    return Authenticator("https://cards.example", "cards.example")


def add(browser: Client, device: Authenticator, name: str = "Phone") -> dict[str, Any]:
    """Add a passkey; the server's answer."""
    options = browser.post("/api/me/passkeys/options", {}).json()
    answer = browser.post("/api/me/passkeys", {"answer": device.create(options), "name": name})
    answer.raise_for_status()
    return dict(answer.json())


def test_a_passkey_signs_in_anywhere(keyed: ThreadedServer, device: Authenticator) -> None:
    """It gives a code that joins, so a guest of that device is asked before it is merged."""
    ann, phone = keyed.new_client("Ann"), keyed.new_client("Annie")
    options = ann.post("/api/me/passkeys/options", {}).json()
    assert options["rp"] == {"name": "Last Card", "id": "cards.example"}
    assert options["authenticatorSelection"]["residentKey"] == "required"
    made = add(ann, device, " My\tphone ")
    assert (made["name"], made["used"]) == ("My phone", None)
    options = ann.post("/api/me/passkeys/options", {}).json()
    assert [each["id"] for each in options["excludeCredentials"]] == [made["id"]]
    answer = device.sign(phone.post("/api/passkey/options", {}).json())
    signed = phone.post("/api/passkey", {"answer": answer}).json()
    assert signed["joining"] == {"profile": {"name": "Ann", "matches": 0}, "here": {"name": "Annie", "matches": 0}}
    assert phone.post("/api/join", {"code": signed["code"]}).json()["name"] == "Ann"
    (own,) = phone.get("/api/me/passkeys").json()
    assert own["id"] == made["id"] and own["used"] >= own["created"]
    assert error_of(phone.post("/api/passkey", {"answer": answer})) == (422, "bad-passkey"), (
        "each challenge counts once"
    )


def test_passkeys_are_named_and_removed_by_their_owner(keyed: ThreadedServer, device: Authenticator) -> None:
    ann, eve = keyed.new_client("Ann"), keyed.new_client("Eve")
    path = f"/api/me/passkeys/{add(ann, device)['id']}"
    assert error_of(eve.post(path, {"name": "Mine"})) == error_of(eve.http.delete(path)) == (404, "not-found")
    assert error_of(ann.post(path, {"name": " "})) == (422, "no-name")
    assert ann.post(path, {"name": "Laptop"}).status_code == 200
    assert [each["name"] for each in ann.get("/api/me/passkeys").json()] == ["Laptop"]
    assert [each["name"] for each in ann.get("/api/me/data").json()["passkey"]] == ["Laptop"]
    assert ann.http.delete(path).status_code == 200 and ann.get("/api/me/passkeys").json() == []
    answer = {"answer": device.sign(eve.post("/api/passkey/options", {}).json())}
    assert error_of(eve.post("/api/passkey", answer)) == (404, "no-passkey")


@pytest.mark.parametrize(
    ("origin", "host"), [("https://evil.example", "cards.example"), ("https://cards.example", "x.y")]
)
def test_passkeys_of_another_site_prove_nothing(keyed: ThreadedServer, origin: str, host: str) -> None:
    ann, device = keyed.new_client("Ann"), Authenticator(origin, host)
    options = ann.post("/api/me/passkeys/options", {}).json()
    refused = ann.post("/api/me/passkeys", {"answer": device.create(options), "name": "x"})
    assert error_of(refused) == (422, "bad-passkey")


def test_answers_that_prove_nothing(keyed: ThreadedServer, device: Authenticator) -> None:
    """A wrong signature, a foreign challenge, a challenge of somebody else, a copied passkey, and nonsense."""
    ann, eve = keyed.new_client("Ann"), keyed.new_client("Eve")
    add(ann, device)

    def refusal(answer: dict[str, Any]) -> tuple[int, str]:
        return error_of(eve.post("/api/passkey", {"answer": answer}))

    forged = device.sign(eve.post("/api/passkey/options", {}).json())
    forged["response"]["signature"] = Authenticator(device.origin, device.host).sign({"challenge": "x"})["response"][
        "signature"
    ]
    assert refusal(forged) == (422, "bad-passkey")
    assert refusal(device.sign({"challenge": "AAAAAAAAAAAAAAAAAAAAAA"})) == (422, "bad-passkey")
    assert eve.post("/api/passkey", {"answer": device.sign(eve.post("/api/passkey/options", {}).json())}).is_success
    device.count -= 1
    assert refusal(device.sign(eve.post("/api/passkey/options", {}).json())) == (422, "bad-passkey"), "a copy"
    unreadable: list[dict[str, Any]] = [{}, {"rawId": "é", "response": {"clientDataJSON": "!"}}, {"response": 5}]
    for nonsense in unreadable:
        assert refusal(nonsense) == (422, "bad-passkey")
    options = ann.post("/api/me/passkeys/options", {}).json()
    other = Authenticator(device.origin, device.host)
    stolen = {"answer": other.create(options), "name": "Eve's"}
    assert error_of(eve.post("/api/me/passkeys", stolen)) == (422, "bad-passkey")
    again = ann.post("/api/me/passkeys", {"answer": device.create(options), "name": "again"})
    assert error_of(again) == (422, "bad-passkey"), "it exists"


def test_requests_are_limited(keyed: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    eve = keyed.new_client("Eve")
    monkeypatch.setattr(keyed.app.state.limits.names, "take", lambda address: False)
    for path in ("/api/passkey/options", "/api/me/passkeys/options", "/api/me/code"):
        assert error_of(eve.post(path, {})) == (429, "too-fast")


def test_only_a_fixed_name_with_https_has_passkeys(
    served: ThreadedServer, keyed: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither in the living room nor with an address of figures; localhost counts, as in browsers."""
    assert "data-passkeys" in keyed.new_client(None).get("/").text
    ann = served.new_client()
    assert "data-passkeys" not in ann.get("/").text
    for path in ("/api/passkey/options", "/api/passkey", "/api/me/passkeys/options", "/api/me/passkeys"):
        assert error_of(ann.post(path, {})) == (404, "no-passkeys")
    for url in (None, "http://cards.example", "https://192.0.2.1", "https://[2001:db8::1]", ""):
        assert open_relying_party(url) is None
    assert open_relying_party("http://localhost:8020") is not None
    monkeypatch.setattr("lastcard.server.security.webauthn.find_spec", lambda name: None)
    assert open_relying_party("https://cards.example") is None


@pytest.mark.real_time
async def test_passkeys_in_each_database(any_store: Store) -> None:
    """Up to a number, merged with their person and deleted with their data."""
    store = any_store
    for player in ("old", "new"):
        await store.create_player(Player(player, player, "en"), player * 20)
    rows = [PasskeyRow(f"key-{n}", "old", "Phone", b"\0data", n, n, None) for n in range(3)]
    assert [await store.add_passkey(row, 2) for row in rows] == [True, True, False]
    assert not await store.add_passkey(rows[0], 9) and not await store.add_passkey(
        rows[0]._replace(id="x", player="?"), 9
    )
    assert await store.use_passkey("key-0", 0) and await store.use_passkey("key-1", 5)
    assert not await store.use_passkey("key-1", 5) and not await store.use_passkey("key-1", 0)
    await store.merge_players("old", "new")
    assert [(row.id, row.data, row.uses) for row in await store.list_passkeys("new")] == [
        ("key-0", b"\0data", 0),
        ("key-1", b"\0data", 5),
    ]
    assert json.loads(json.dumps(await store.export_player("new"), default=repr))["passkey"][0]["name"] == "Phone"
    await store.delete_player("new")
    assert await store.find_passkey("key-0") is None


def test_a_backup_has_passkeys(keyed: ThreadedServer, device: Authenticator, tmp_path: Path) -> None:
    """As all tables of the database."""
    made = add(keyed.new_client("Ann"), device)
    back_up(f"sqlite:///{keyed.app.state.store._database.name}", tmp_path / "cards.backup")
    assert made["id"].encode() in (tmp_path / "cards.backup").read_bytes()
