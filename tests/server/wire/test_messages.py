"""Messages about a match: every event, the public table, each seat's own part."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec
import pytest

from lastcard.formats.values import EVENT_FIELDS, card_names
from lastcard.game.cards import Card, Color
from lastcard.game.rulesets import GAMES
from lastcard.match import events as e
from lastcard.match.match import Match
from lastcard.server.wire import messages as wire
from lastcard.server.wire.parts import EventName, Game, Happening, Mine, Public
from lastcard.server.wire.protocol import Moved
from lastcard.session.turn_clock import Clock
from support.random_play import seeded, seeds

R5, W = Card("R5"), Card("W")
CLOCK = Clock(left=30_000, bank=60_000)


def snapshot_of(match: Match) -> wire.MatchSnapshot:
    """The match with the server's own data."""
    return wire.MatchSnapshot("m1", match, match.round.public_state(), 7, "p", CLOCK)


def moved(match: Match, viewers: list[int | None], move: str | None = None) -> dict[int | None, dict[str, Any]]:
    """The message to each viewer about the next move: the first legal one, or the given one."""
    seat = match.round.turn
    move = move or str(match.round.legal(seat)[0])
    events = match.do(seat, move)
    texts = wire.moved_texts(snapshot_of(match), seat, move, events, viewers)
    return {viewer: json.loads(text) for viewer, text in texts.items()}


def test_every_event_has_a_name_of_its_own() -> None:
    kinds = {kind for kind in vars(e).values() if isinstance(kind, type) and issubclass(kind, e.Event)} - {e.Event}
    assert set(EVENT_FIELDS) == kinds
    names = [name for name, _ in EVENT_FIELDS.values()]
    assert sorted(names) == sorted(get_args(EventName))


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (e.Turned(R5), {"e": "turned", "card": "R5"}),
        (e.Played(1, W, Color("G")), {"e": "played", "seat": 1, "card": "W", "color": "G"}),
        (e.Played(1, R5, None), {"e": "played", "seat": 1, "card": "R5"}),
        (e.JumpedIn(2), {"e": "jumped_in", "seat": 2}),
        (e.Targeted(0, 3), {"e": "targeted", "seat": 0, "other": 3}),
        (e.Drew(0, 2, (R5, W), "turn"), {"e": "drew", "seat": 0, "count": 2, "cards": ["R5", "W"], "reason": "turn"}),
        (e.Drew(0, 2, None, "penalty"), {"e": "drew", "seat": 0, "count": 2, "reason": "penalty"}),
        (e.Reversed(-1), {"e": "reversed", "direction": -1}),
        (e.Swapped(0, 1), {"e": "swapped", "seat": 0, "other": 1}),
        (e.HandsPassed(1), {"e": "hands_passed", "direction": 1}),
        (e.Caught(2, 0), {"e": "caught", "seat": 2, "other": 0}),
        (e.FalseCatch(2, 0), {"e": "false_catch", "seat": 2, "other": 0}),
        (e.Challenged(0, 1, False), {"e": "challenged", "seat": 0, "other": 1, "guilty": False}),
        (e.Shown(0, 1, (R5,)), {"e": "shown", "seat": 0, "other": 1, "cards": ["R5"]}),
        (e.Shown(0, 1, None), {"e": "shown", "seat": 0, "other": 1}),
        (e.ColorNamed(0, Color("B")), {"e": "color_named", "seat": 0, "color": "B"}),
        (e.LeverPulled(0, "draw4"), {"e": "lever", "seat": 0, "outcome": "draw4"}),
        (e.RuleDealt(0, 1), {"e": "rule", "seat": 0, "rule": "streak"}),
        (e.Took(0, 1, R5), {"e": "took", "seat": 0, "other": 1, "card": "R5"}),
        (e.Took(0, 1, None), {"e": "took", "seat": 0, "other": 1}),
        (e.Reshuffled(40), {"e": "reshuffled", "count": 40}),
        (e.RoundOver(None), {"e": "round_over"}),
        (e.RoundOver(3), {"e": "round_over", "seat": 3}),
    ],
)
def test_an_event_says_what_belongs_to_it(event: e.Event, said: dict[str, Any]) -> None:
    match = Match("wild-jackpot", 4, seed=1)
    assert json.loads(msgspec.json.encode(wire.happening(event, match))) == said


def test_each_viewer_gets_their_own_message() -> None:
    match = Match("classic", 3, seed=1)
    seat = match.round.turn
    messages = moved(match, [0, 1, 2, None], "draw")
    for viewer, message in messages.items():
        drew = message["events"][0]
        assert (drew["e"], drew["seat"], drew["count"]) == ("drew", seat, 1)
        assert ("cards" in drew) == (viewer == seat)
        assert message["public"] == messages[None]["public"]
        assert message["clock"] == {"left": 30_000, "bank": 60_000}
        if viewer is None:
            assert message["mine"] is None
        else:
            assert message["mine"]["seat"] == viewer
            assert sorted(message["mine"]["hand"]) == sorted(card_names(match.round.hand(viewer)))


@pytest.mark.parametrize("game", GAMES)
def test_the_wire_says_what_the_view_says(game: str) -> None:
    """At every step of random matches, the snapshot and the move agree with ``Round.view``."""
    steps = 0
    for seed in seeds(6):
        with seeded(seed) as rng:
            match = Match(game, rng.randrange(2, 7), seed=seed)
            for _ in range(60):
                if match.round.over:
                    if match.over:
                        break
                    match.next_round()
                turn = match.round.turn
                seat = rng.choice([turn, turn, turn, *range(len(match.players))])
                legal = match.round.legal(seat)
                if not legal:
                    continue
                messages = moved_by(match, seat, str(rng.choice(legal)))
                for viewer in (None, *range(len(match.players))):
                    game_now = wire.game_of(snapshot_of(match), viewer)
                    check_snapshot(match, viewer, game_now)
                    assert msgspec.to_builtins(game_now.public) == msgspec.to_builtins(messages[viewer].public)
                    assert game_now.mine == messages[viewer].mine
                    steps += 1
    assert steps > 500


def moved_by(match: Match, seat: int, move: str) -> dict[int | None, Moved]:
    """Make a move; returns everybody's message, decoded by the types of the protocol."""
    events = match.do(seat, move)
    viewers = [None, *range(len(match.players))]
    texts = wire.moved_texts(snapshot_of(match), seat, move, events, viewers)
    messages = {viewer: msgspec.json.decode(text) for viewer, text in texts.items()}
    for viewer, message in messages.items():
        message["public"] = msgspec.convert(message["public"], Public)
        message["mine"] = msgspec.convert(message["mine"], Mine | None)
        happened = tuple(msgspec.convert(message["events"], list[Happening]))
        assert happened == wire.happenings(events, match, viewer)
    return {viewer: Moved(**{k: v for k, v in message.items() if k != "type"}) for viewer, message in messages.items()}


def check_snapshot(match: Match, viewer: int | None, game: Game) -> None:
    """Check that a snapshot equals the viewer's view, and shows nothing else of a hand."""
    view, public = match.round.view(viewer), game.public
    assert (public.rules, public.dealer, public.decision, public.turn) == (
        view.rules, view.dealer, view.decision, view.turn,
    )  # fmt: skip
    assert (public.counts, public.draw_count, public.pending) == (view.counts, view.draw_count, view.pending)
    assert public.pile == card_names(view.discard[-wire.PILE_SHOWN :]) and public.discard_count == len(view.discard)
    assert (frozenset(public.exposed), frozenset(public.called)) == (view.exposed, view.called)
    assert (public.rule, public.performer, public.winner, public.void) == (
        view.rule, view.performer, view.winner, view.void,
    )  # fmt: skip
    assert public.hands == (None if view.hands is None else tuple(map(card_names, view.hands)))
    assert public.points == view.points and public.scores == match.scores and public.winners == match.winners
    if viewer is None or game.mine is None:
        assert game.mine is None and viewer is None
        return
    assert game.mine.hand == card_names(view.hand or ())
    assert game.mine.legal == tuple(map(str, view.legal))
    assert game.mine.early == (viewer in view.early)
    assert game.mine.drawn == (None if view.drawn is None else card_names([view.drawn])[0])
