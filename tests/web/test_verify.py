"""The check of the shuffle in the browser: true records pass, and a change is found at its place."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from lastcard.game.rulesets import GAMES
from lastcard.rules import chance
from support import chacha
from support.matches import random_replays
from support.mock_site import MockSite

COUNT = 10
"""Matches of each game."""
CHECK = """async ([replay, mine]) => {
  const { checkShuffle } = await import("/web/replay/verify.js");
  const parts = [];
  for await (const part of checkShuffle(JSON.parse(replay), mine ?? undefined)) parts.push(part);
  return parts;
}"""

Replay = dict[str, Any]
Place = tuple[str, int, int, str]
"""Part, round (from 1; 0 for none), step of the round, kind of outcome."""
Change = Callable[[Replay], Place | None]
"""Changes one thing in a replay; returns where the check finds it, or None if the match has no such thing."""


def check(site: MockSite, replay: Replay, mine: Mapping[str, str | int] | None = None) -> list[dict[str, Any]]:
    """The checker's results for a match, part by part; ``mine`` is the browser's memory of it."""
    parts: list[dict[str, Any]] = site.page.evaluate(CHECK, [json.dumps(replay), mine])
    return parts


def seen(replay: Replay) -> dict[str, str | int] | None:
    """A player's browser memory of a match; None if nobody gave a number."""
    found = next(((seat, number) for seat, number in enumerate(replay["numbers"]) if number), None)
    return None if found is None else {"promise": replay["promise"], "number": found[1], "seat": found[0]}


def test_a_number_must_belong_to_the_seat_it_was_given_in(blank_page: MockSite) -> None:
    """A table that moved people after it knew the numbers is detected."""
    replay = next(replay for game in GAMES for replay in random_replays(game, COUNT) if any(replay["numbers"]))
    mine = seen(replay)
    assert mine is not None
    seats = (mine["seat"], (int(mine["seat"]) + 1) % len(replay["names"]))
    states = [check(blank_page, replay, {**mine, "seat": seat})[1]["state"] for seat in seats]
    assert states == ["ok", "wrong"]


# --- known answers ------------------------------------------------------------------------------------


def test_page_is_no_secure_context(blank_page: MockSite) -> None:
    """The tests below prove that the check works over plain HTTP on a LAN."""
    assert blank_page.page.evaluate("[isSecureContext, crypto.subtle === undefined]") == [False, True]


def test_sha256_is_that_of_the_standard(blank_page: MockSite) -> None:
    """Every length up to three blocks, and a long text with all kinds of characters, against hashlib."""
    rng = random.Random(1)
    messages = [rng.randbytes(n) for n in range(200)]
    script = """async (all) => { const { sha256, fromHex } = await import("/web/bindings/sha256.js");
                return all.map((hex) => sha256(fromHex(hex))); }"""
    found = blank_page.page.evaluate(script, [message.hex() for message in messages])
    assert found == [hashlib.sha256(message).hexdigest() for message in messages]
    text = "Zażółć gęślą jaźń 🂡\n" * 500
    script = 'async (text) => (await import("/web/bindings/sha256.js")).sha256Text(text)'
    assert blank_page.page.evaluate(script, text) == hashlib.sha256(text.encode()).hexdigest()


def test_blocks_are_those_of_the_engine(blank_page: MockSite) -> None:
    """ChaCha8 blocks equal the compiled ones, for random counters and keys."""
    rng = random.Random(2)
    asked = [(rng.randbytes(32), [rng.randrange(1 << 32) for _ in range(4)]) for _ in range(50)]
    script = """async (all) => { const { block, keyOf } = await import("/web/replay/chacha.js");
                return all.map(([seed, ...where]) => [...block(keyOf(seed), ...where)]); }"""
    found = blank_page.page.evaluate(script, [(seed.hex(), *where) for seed, where in asked])
    for (seed, (w12, w13, w14, w15)), words in zip(asked, found, strict=True):
        out = np.zeros(16, np.int64)
        chance.chacha8_block(chance.seed_words(seed), w12, w13, w14, w15, out)
        assert words == out.tolist()


def test_bounded_numbers_are_unbiased(blank_page: MockSite) -> None:
    """Numbers of one stream equal the oracle's, also for bounds at which many words are rejected."""
    seed, bounds = hashlib.sha256(b"bounds").digest(), [1, 2, 6, 10, 52, 108, 112, 594, 1_500_000, 2**21 - 1] * 40
    script = """async ([seed, bounds]) => { const { Stream, keyOf } = await import("/web/replay/chacha.js");
                const stream = new Stream(keyOf(seed), 3, 1, 2); return bounds.map((n) => stream.below(n)); }"""
    stream = chacha.Stream(seed, 3, 1, 2)
    assert blank_page.page.evaluate(script, [seed.hex(), bounds]) == [stream.below(n) for n in bounds]


# --- true records -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_true_matches_pass(blank_page: MockSite, game: str) -> None:
    """Random options, players and moves; every kind of chance of the game occurs."""
    met: Counter[str] = Counter()
    for replay in random_replays(game, COUNT):
        parts = check(blank_page, replay, seen(replay))
        assert [part for part in parts if part["state"] == "wrong"] == [], replay["rules"]
        assert [part["name"] for part in parts[:4]] == ["promise", "yours", "seed", "commitment"]
        assert len(parts) == 4 + len(replay["rounds"])
        for part in parts[4:]:
            met.update({name: part["values"][name] for name in ("drawn", "reshuffles", "pulls", "rules", "blind")})
    wanted = {"drawn", "reshuffles"} | ({"pulls", "rules", "blind"} if game == "wild-jackpot" else set())
    assert {name for name in met if met[name]} == wanted


def test_who_gave_no_number_is_informed(blank_page: MockSite) -> None:
    """Without a number to compare, that part is neither right nor wrong."""
    parts = check(blank_page, random_replays("classic", COUNT)[0])
    assert [part["state"] for part in parts if part["name"] == "yours"] == ["unknown"]


# --- changed records ----------------------------------------------------------------------------------


def frames(replay: Replay) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Every deal and move, with its round (from 1) and step."""
    for number, played in enumerate(replay["rounds"], 1):
        yield from ((number, step, frame) for step, frame in enumerate([played["first"], *played["steps"]]))


def events(replay: Replay, kind: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Every event of a kind, with its place."""
    for number, step, frame in frames(replay):
        yield from ((number, step, event) for event in frame["events"] if event["e"] == kind)


def other_hex(text: str) -> str:
    """Change a digit somewhere in the middle."""
    return text[:20] + ("0" if text[20] != "0" else "1") + text[21:]


def other_card(replay: Replay, card: str) -> str:
    """Another card of the deck."""
    cards = (found for _, _, frame in frames(replay) for hand in frame["hands"] for found in hand)
    return str(next(found for found in cards if found != card))


def change_text(key: str, part: str) -> Change:
    """Changes a digit of a text; this part of the check finds it."""

    def change(replay: Replay) -> Place:
        replay[key] = other_hex(replay[key])
        return part, 0, 0, part

    return change


def change_event(kind: str, outcome: str, values: Callable[[Replay, dict[str, Any]], dict[str, Any]]) -> Change:
    """Changes values of the first event of a kind; the check finds an outcome of this kind wrong."""

    def change(replay: Replay) -> Place | None:
        for number, step, event in events(replay, kind):
            event.update(values(replay, event))
            return "round", number, step, outcome
        return None

    return change


def change_number(replay: Replay) -> Place | None:
    seat = next((seat for seat, number in enumerate(replay["numbers"]) if number), None)
    if seat is None:
        return None
    replay["numbers"][seat] = other_hex(replay["numbers"][seat])
    return "seed", 0, 0, "seed"


def change_dealer(replay: Replay) -> Place:
    played = replay["rounds"][-1]
    played["dealer"] = (played["dealer"] + 1) % len(replay["names"])
    return "round", len(replay["rounds"]), 0, "dealer"


def change_dealt_card(replay: Replay) -> Place:
    hand = replay["rounds"][0]["first"]["hands"][-1]
    hand[0] = other_card(replay, hand[0])
    return "round", 1, 0, "hand"


def swap_dealt_hands(replay: Replay) -> Place:
    hands = replay["rounds"][-1]["first"]["hands"]
    hands[0], hands[1] = hands[1], hands[0]
    return "round", len(replay["rounds"]), 0, "hand"


def change_drawn_card(replay: Replay) -> Place | None:
    """Change it in the event and in the hand, as a cheat would."""
    for number, step, event in events(replay, "drew"):
        old, new = event["cards"][-1], other_card(replay, event["cards"][-1])
        event["cards"][-1] = new
        hand = replay["rounds"][number - 1]["steps"][step - 1]["hands"][event["seat"]] if step else []
        hand[:] = [new if card == old else card for card in hand]
        return "round", number, step, "draw"
    return None


def leave_out_a_draw(replay: Replay) -> Place | None:
    for number, step, frame in frames(replay):
        drew = [event for event in frame["events"] if event["e"] == "drew"]
        # With cards discarded or won in the same move, another check would fail before the hand's.
        if drew and step and {event["e"] for event in frame["events"]} <= {"drew", "skipped", "caught"}:
            frame["events"].remove(drew[0])
            return "round", number, step, "hand"
    return None


def change_order_after_reshuffle(replay: Replay) -> Place | None:
    """Two cards drawn from a reshuffled pile come in the other order."""
    for number, step, _ in events(replay, "reshuffled"):
        draws = [(at, event) for n, at, event in events(replay, "drew") if n == number and at > step]
        for (at, event), (_, later) in pairwise(draws):
            if event["cards"][0] != later["cards"][0]:
                event["cards"][0], later["cards"][0] = later["cards"][0], event["cards"][0]
                return "round", number, at, "draw"
    return None


def change_count_of_pile(replay: Replay) -> Place | None:
    *_, (number, step, frame) = frames(replay)
    frame["public"]["draw_count"] += 1
    return "round", number, step, "draw_pile"


CHANGES: dict[str, Change] = {
    "secret": change_text("secret", "promise"),
    "promise": change_text("promise", "promise"),
    "number": change_number,
    "seed": change_text("seed", "seed"),
    "commitment": change_text("commitment", "commitment"),
    "dealer": change_dealer,
    "dealt card": change_dealt_card,
    "dealt hands": swap_dealt_hands,
    "first card": change_event("turned", "first", lambda replay, event: {"card": other_card(replay, event["card"])}),
    "drawn card": change_drawn_card,
    "a draw left out": leave_out_a_draw,
    "order after a reshuffle": change_order_after_reshuffle,
    "count of a reshuffle": change_event("reshuffled", "reshuffle", lambda _, event: {"count": event["count"] - 1}),
    "lever": change_event(
        "lever", "lever", lambda _, event: {"outcome": "draw4" if event["outcome"] != "draw4" else "all"}
    ),
    "rule card": change_event(
        "rule", "rule", lambda _, event: {"rule": "wilds" if event["rule"] != "wilds" else "streak"}
    ),
    "blind card": change_event("took", "blind", lambda replay, event: {"card": other_card(replay, event["card"])}),
    "a card that nobody holds": change_event("played", "held", lambda _, event: {"card": "??"}),
    "count of the pile": change_count_of_pile,
    "a drawn card hidden": change_event("drew", "draw", lambda _, event: {"cards": None}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_one_thing_changed_is_found_where_it_is(blank_page: MockSite, change: Change) -> None:
    """The change is found in several matches of every game that has it."""
    found = 0
    for game in GAMES:
        # Some changes exist in Wild Jackpot alone.
        for replay in random_replays(game, 4 if game == "wild-jackpot" else 3):
            place = change(replay)
            if place is None:
                continue
            found += 1
            *right, wrong = check(blank_page, replay)
            assert all(part["state"] != "wrong" for part in right)
            fault = wrong["fault"]
            seen = wrong["name"], wrong["values"].get("round", 0), fault["step"], fault["what"]
            assert seen == place, (replay["rules"], fault)
    assert found >= 3


@pytest.mark.parametrize(("promise", "fault"), [(None, "number"), ("ab" * 32, "promise")])
def test_what_this_browser_saw_is_missed(blank_page: MockSite, promise: str | None, fault: str) -> None:
    """Its number is not among those of the record, or the table has made up a new secret since its promise."""
    replay = random_replays("all-wild", COUNT)[0]
    *_, wrong = check(blank_page, replay, {"promise": promise or replay["promise"], "number": "ab" * 16})
    assert (wrong["name"], wrong["state"], wrong["fault"]["what"]) == ("yours", "wrong", fault)


@pytest.mark.parametrize("rubbish", [None, "", "zz" * 32, "0" * 63])
def test_rubbish_is_wrong_and_no_crash(blank_page: MockSite, rubbish: str | None) -> None:
    """An invalid secret or seed."""
    for key in ("secret", "seed"):
        replay = random_replays("classic", COUNT)[1] | {key: rubbish}
        assert check(blank_page, replay)[-1]["state"] == "wrong"


def test_the_page_stays_alive(own_site: MockSite) -> None:
    """A long match is checked in slices: timers of the page run in between, however slow the machine."""
    longest = max(random_replays("wild-jackpot", COUNT), key=lambda replay: len(list(frames(replay))))
    script = """async (text) => {
      const { checkShuffle } = await import("/web/replay/verify.js");
      const replay = JSON.parse(text);
      let last = performance.now(), longest = 0, going = true;
      const began = last;
      const tick = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now;
                           if (going) setTimeout(tick); };
      tick();
      for (let i = 0; i < 8; i++) for await (const part of checkShuffle(replay, undefined)) if (part.fault) throw part;
      going = false;
      return [Math.max(longest, performance.now() - last), performance.now() - began];
    }"""
    between, whole = own_site.page.evaluate(script, json.dumps(longest))
    assert between < whole / 4


def test_checker_uses_nothing_of_the_engine(own_site: MockSite) -> None:
    """The checker consists of a few modules of its own and sends no request to the server."""
    asked: list[str] = []
    own_site.page.on("request", lambda request: asked.append(re.sub(r".*/", "", request.url)))
    check(own_site, random_replays("classic", COUNT)[0])
    assert sorted(asked) == ["chacha.js", "chancesetup.js", "roundcards.js", "rulename.js", "sha256.js", "verify.js"]
