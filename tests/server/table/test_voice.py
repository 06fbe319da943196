"""Voice: who may turn it on, whom signals reach, and what ends it. Sound never passes through the server."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import time
from pathlib import Path
from typing import Any

import pytest

from lastcard.errors import UsageError
from lastcard.server.setup.server_options import ServerOptions
from lastcard.server.table.moderation import Moderation
from lastcard.server.table.voice import MAX_VOICES
from lastcard.server.wire.protocol import (
    Notice,
    Report,
    SetVoice,
    Signal,
    Signaled,
    Silence,
    TableChanged,
    VoiceOn,
    decode,
)
from lastcard.server.wire.voice_servers import CREDENTIALS_S, VoiceServers
from lastcard.server.wire.worker_bus import Bus, VoiceSignaled
from lastcard.session.commands import Configure, LeaveSeat, Mute, Sit, Start
from lastcard.session.table_settings import WantedSettings
from support.fakes import LoopbackBus, MemoryStore, Person, ProgramClient, new_registry, new_table, open_registry


def voices(person: Person) -> set[str]:
    """The names of those whose voice is on, as a person is shown them."""
    return {player.removeprefix("id-") for player in person.last(TableChanged).table.voices}


async def talking_table(*people: Person, **settings: Any) -> Any:
    """A table at which all of these people have voice on."""
    table = await new_table(*people, **settings)
    for person in people:
        await person.send_command(SetVoice(True))
    return table


async def test_voice_is_off_until_a_seated_person_turns_it_on(ada: Person, bob: Person, eve: Person) -> None:
    table = await new_table(ada, bob)
    await eve.join(table)
    assert not table.describe().voices
    assert await eve.refusal(SetVoice(True)) == "not-seated"
    await ada.send_command(SetVoice(True))
    assert ada.last(VoiceOn).ice == () and voices(bob) == voices(eve) == {"Ada"}
    await ada.send_command(SetVoice(False))
    assert voices(bob) == set() and ada.count(VoiceOn) == 1 and not bob.count(VoiceOn)


async def test_a_signal_reaches_one_person_with_voice(ada: Person, bob: Person, cleo: Person, eve: Person) -> None:
    """Nobody else gets it, nor does anybody without voice."""
    table = await new_table(ada, bob, cleo)
    await eve.join(table)
    for person in (ada, bob):
        await person.send_command(SetVoice(True))
    for target in (bob, cleo, eve, ada):
        await ada.send_command(Signal(target.id, "offer"))
    for sender in (cleo, eve):
        await sender.send_command(Signal(ada.id, "answer"))
    assert [bob.last(Signaled)] == [Signaled(ada.id, "offer")]
    assert [person.count(Signaled) for person in (ada, bob, cleo, eve)] == [0, 1, 0, 0]


async def test_a_signal_is_neither_stored_nor_counts_as_activity(store: MemoryStore, ada: Person, bob: Person) -> None:
    """A page signals by itself: a bot goes on for a person who is idle."""
    table = await talking_table(ada, bob, store=store)
    table.presence.people.standins.add(ada.id)
    before = store.tables[table.code]
    await ada.send_command(Signal(bob.id, "a secret of theirs"))
    await ada.send_command(SetVoice(True))
    assert store.tables[table.code] == before and ada.id in table.presence.people.standins
    moderation = table._moderation
    moderation.has_reader = True
    await bob.send_command(Report(ada.id, "words"))
    (complaint,) = store.complaints
    assert complaint.table == table.code and b"secret" not in repr(complaint).encode()


@pytest.mark.parametrize(
    "ending",
    [
        lambda ada, bob: bob.send_command(LeaveSeat()),
        lambda ada, bob: ada.send_command(Mute(bob.id, True)),
        lambda ada, bob: ada.send_command(Configure(WantedSettings(seats=2, voice=False))),
    ],
    ids=["leaves the seat", "is muted", "the host turns voice off"],
)
async def test_voice_ends_for_good(ada: Person, bob: Person, ending: Any) -> None:
    """A person who may talk again has to turn it on anew."""
    table = await talking_table(ada, bob)
    await ending(ada, bob)
    assert bob.id not in table.describe().voices
    await ada.send_command(Signal(bob.id, "offer"))
    assert not bob.count(Signaled)
    await ada.send_command(Mute(bob.id, False))
    await ada.send_command(Configure(WantedSettings(seats=2)))
    await bob.send_command(Sit(1))
    assert bob.id not in voices(ada)
    await bob.send_command(SetVoice(True))
    assert bob.id in table.describe().voices


async def test_the_host_turns_voice_off_in_a_match(ada: Person, bob: Person) -> None:
    table = await talking_table(ada, bob, rules="classic")
    await ada.send_command(Start())
    settings = WantedSettings(rules="classic", seats=2)
    assert await ada.refusal(Configure(WantedSettings(rules="classic", seats=2, grace=0))) == "in-match"
    await ada.send_command(Configure(WantedSettings(rules="classic", seats=2, voice=False)))
    assert table.state.phase == "playing" and voices(bob) == set()
    assert await bob.refusal(SetVoice(True)) == "voice-off"
    assert await bob.refusal(Configure(settings)) == "not-host"


async def test_the_host_turns_all_microphones_off(ada: Person, bob: Person, cleo: Person) -> None:
    table = await new_table(ada, bob, cleo)
    await bob.send_command(SetVoice(True))
    assert await bob.refusal(Silence()) == "not-host"
    await ada.send_command(Silence())
    assert bob.last(Notice).what == "silenced" and not cleo.count(Notice)
    assert table.describe().voices == (bob.id,)


async def test_a_muted_person_and_a_program_have_no_voice(ada: Person, bob: Person) -> None:
    table = await new_table(ada, bob, seats=3)
    await ada.send_command(Mute(bob.id, True))
    assert await bob.refusal(SetVoice(True)) == "muted"
    program = ProgramClient(await table.open_seat(ada.id, 2))
    await program.enter(table)
    assert await program.refusal(SetVoice(True)) == "program"


async def test_at_most_six_people_talk() -> None:
    people = [Person(name) for name in "ABCDEFG"]
    table = await talking_table(*people)
    assert len(table.describe().voices) == MAX_VOICES == 6
    assert await people[-1].refusal(SetVoice(True)) == "voice-full"
    await people[0].send_command(SetVoice(False))
    await people[-1].send_command(SetVoice(True))
    assert voices(people[0]) == set("BCDEFG")


async def test_switching_is_limited(ada: Person, bob: Person) -> None:
    """Everybody is informed each time."""
    await new_table(ada, bob)
    for _ in range(10):
        await ada.send_command(SetVoice(True))
        await ada.send_command(SetVoice(False))
    assert await ada.refusal(SetVoice(True)) == "flood"


async def test_a_new_page_begins_without_voice(ada: Person, bob: Person) -> None:
    """A page that comes back turns it on again by itself; another page of the person has not asked for it."""
    table = await talking_table(ada, bob)
    again = Person("Bob")
    await again.join(table)
    await asyncio.sleep(1)
    assert voices(ada) == {"Ada"} and bob.closed == "elsewhere"
    await again.send_command(SetVoice(True))
    again.disconnect()
    await asyncio.sleep(1)
    assert voices(ada) == {"Ada"}


async def test_an_administrator_may_allow_no_voice(ada: Person, bob: Person) -> None:
    """With chat off at first, new tables begin without voice, too; without any chat there is no voice."""
    moderation = Moderation(MemoryStore(), Bus(), chat="off")  # type: ignore[arg-type]
    table = await new_table(ada, bob, registry=new_registry(moderation=moderation))
    assert not table.state.settings.voice
    await ada.send_command(Configure(WantedSettings(seats=2)))
    await ada.send_command(SetVoice(True))
    await moderation.change_settings(chat="never")
    table.broadcast_info()
    assert voices(bob) == set() and not bob.last(TableChanged).table.settings.voice
    assert await ada.refusal(SetVoice(True)) == "voice-off"
    await moderation.change_settings(chat="on")
    table.broadcast_info()
    assert voices(bob) == set()


async def test_a_banned_person_has_no_voice(ada: Person, bob: Person) -> None:
    async with open_registry() as registry:
        table = await talking_table(ada, bob, registry=registry)
        await registry.moderation.ban(name="Bob", player=bob.id)
        await asyncio.sleep(1)
        assert table.describe().voices == (ada.id,)


async def test_people_on_two_workers_talk(ada: Person, bob: Person) -> None:
    """Signals, silence and who has voice on go over the bus; a person who changes the worker is found there."""
    store, bus = MemoryStore(shared=True), LoopbackBus()
    async with open_registry(store, bus.member()) as here, open_registry(store, bus.member()) as there:
        table = await new_table(ada, registry=here)
        await bob.join_and_sit(await there.find(table.code), 1)
        for person in (ada, bob):
            await person.send_command(SetVoice(True))
        await asyncio.sleep(1)
        assert voices(ada) == voices(bob) == {"Ada", "Bob"}
        await ada.send_command(Signal(bob.id, "offer"))
        await ada.send_command(Silence())
        await asyncio.sleep(0.01)
        assert bob.last(Signaled) == Signaled(ada.id, "offer") and bob.last(Notice).what == "silenced"
        again = Person("Bob")  # the old connection is dead, and its worker has not noticed
        await again.join(table)
        await again.send_command(SetVoice(True))
        await ada.send_command(Signal(bob.id, "offer again"))
        assert again.last(Signaled).data == "offer again"
        assert bob.table is not None
        bob.table.receive_signal(VoiceSignaled(table.code, bob.id, "nobody", "forged"))
        assert bob.last(Signaled).data != "forged"


def test_a_signal_fits_in_a_frame() -> None:
    with pytest.raises(ValueError, match="length"):
        decode(b'{"type":"signal","player":"id-Ada","data":"%s"}' % (b"x" * 3501))


# --- STUN and TURN ----------------------------------------------------------------------------------------


def options(*addresses: str, secret: Path | None = None) -> ServerOptions:
    """The options of a server with these addresses."""
    return ServerOptions(voice_server=addresses, turn_secret_file=secret)


def test_credentials_of_a_turn_server_expire(tmp_path: Path) -> None:
    """They are those of coturn's ``use-auth-secret``; a STUN server needs none."""
    file = tmp_path / "secret"
    file.write_text("north wind\n", encoding="utf-8")
    servers = options("stun:a.example", "turns:[2001:db8::1]:443?transport=tcp", secret=file).voice_servers()
    stun, turn = servers.issue()
    assert (stun.urls, stun.username, stun.credential) == (("stun:a.example",), "", "")
    expiry = int(turn.username.partition(":")[0])
    assert time.time() < expiry <= time.time() + CREDENTIALS_S + 1
    digest = hmac.new(b"north wind", turn.username.encode(), hashlib.sha1).digest()
    assert base64.b64decode(turn.credential) == digest and servers.kind == "turn"
    assert VoiceServers().kind == "" and options("stun:a.example:3478").voice_servers().kind == "stun"


@pytest.mark.parametrize("address", ["stun.example", "http://a.example", "turn:", "stun:a b", "stun:a?transport=x"])
def test_an_invalid_address_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="--voice-server"):
        options(address).voice_servers()


def test_a_secret_belongs_to_a_turn_server(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("north wind", encoding="utf-8")
    for wrong in (options("turn:a.example"), options("stun:a.example", secret=file)):
        with pytest.raises(UsageError, match="--turn-secret-file"):
            wrong.voice_servers()


async def test_the_servers_are_sent_with_voice(ada: Person) -> None:
    registry = new_registry(voice_servers=VoiceServers(("stun:a.example",)))
    await talking_table(ada, registry=registry)
    assert ada.last(VoiceOn).ice[0].urls == ("stun:a.example",)
