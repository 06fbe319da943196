"""Every screen of the page, for a ``MockScreen``."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Final

from playwright.sync_api import expect

from lastcard.bots.advice import move_words, reason_words
from lastcard.bots.move_reasons import Reason
from lastcard.game.cards import W_TARGETED
from lastcard.match.match import Match
from lastcard.server.wire.parts import AdvisedMove, Guest, Note
from lastcard.session.table_settings import Settings
from lastcard.text.narration import Narrator
from support.mock_screen import OWN_ID, READ_HINTS, MockScreen, seat_of, table_of
from support.page_readiness import wait_until_ready
from support.situations import LONG_NAMES, NAMES, decides, holds, reach

LONG_DARE: Final = (
    "sing a song of your choice to the player on your left, on one leg, "
    "until somebody at the table can say what it is called"
)
"""A dare has 120 characters at most."""
WRITTEN: Final = (
    "wild-jackpot+wj_rules=written",
    ("discard until 3", "give 2 most", "take 2 most", "swap chosen", f"dare: {LONG_DARE}", "streak"),
)


def home(stage: MockScreen) -> None:
    """The first page."""
    stage.open("/")
    expect(stage.page.get_by_role("button", name=stage.text("web.home.play"), exact=True)).to_be_visible()


def lobby(stage: MockScreen, names: tuple[str, ...] = NAMES) -> None:
    """Two people, a bot and a free seat, and a spectator."""
    seats = (seat_of(names[0], player=OWN_ID), seat_of(names[1]), seat_of(names[2], bot="sharp"), None)
    guests = (Guest(player="Eva", name="Eva", queued=True),)
    stage.show_table(table_of("lobby", seats, "classic+living-room+jump_in", guests=guests))
    expect(stage.page.locator(".changes li").first).to_be_attached()


def open_lobby(stage: MockScreen) -> None:
    """Two people wait at an open table."""
    seats = (seat_of(NAMES[0], player=OWN_ID), seat_of(NAMES[1]), None, None)
    stage.show_table(table_of("lobby", seats, "classic", host="", open=True, next_in=23_000))
    expect(stage.page.locator(".lobby-left")).to_contain_text("2")


def day_lobby(stage: MockScreen) -> None:
    """A table by the day, with weekends off."""
    seats = (seat_of(NAMES[0], player=OWN_ID), seat_of(NAMES[1]), seat_of(NAMES[2], bot="sharp"), None)
    stage.show_table(table_of("lobby", seats, settings=Settings(rules="classic", pace="24h@America/New_York")))
    expect(stage.page.get_by_role("link", name=stage.text("web.lobby.notify"))).to_be_visible()


def day_settings(stage: MockScreen) -> None:
    """Its settings."""
    day_lobby(stage)
    stage.press("web.lobby.settings", within=".lobby")
    expect(stage.page.get_by_role("switch", name=stage.text("web.settings.weekends"))).to_be_visible()


def day_turn(stage: MockScreen) -> None:
    """A match at it."""
    _TURN(stage)
    settings = Settings(rules="classic", pace="24h@America/New_York")
    stage.change_table(settings=settings, next_in=20 * 3_600_000, clock=None)
    expect(stage.page.locator(".notice:visible")).to_have_count(1)


def settings(stage: MockScreen) -> None:
    """Every option of a game."""
    lobby(stage)
    stage.press("web.lobby.settings", within=".lobby")
    expect(stage.page.get_by_role("dialog")).to_be_visible()
    expect(stage.page.locator("dialog details").first).to_be_attached()
    stage.page.evaluate("for (const fold of document.querySelectorAll('dialog details')) fold.open = true")


def write(stage: MockScreen) -> None:
    """The form for rule cards."""
    seats = (seat_of("Ada", player=OWN_ID), seat_of("Ben", ready=True))
    stage.show_table(table_of("writing", seats, WRITTEN[0]))
    expect(stage.page.locator(".rule-card")).to_have_count(4)


def asked(decision: str, rules: str, written: tuple[str, ...] = (), players: int = 4) -> Callable[[MockScreen], None]:
    """A question of the game."""
    return lambda stage: stage.show_match(reach(rules, players, decides(decision), written))


def picking(card: str, rules: str) -> Callable[[MockScreen], None]:
    """The question for the color or the player of a card."""

    def pick(stage: MockScreen) -> None:
        stage.show_match(reach(rules, 4, _HOLDS[card]))
        stage.page.locator(f'.hand [data-card="{card}"]').first.click()
        expect(stage.page.get_by_role("button", name=stage.text("web.pick.cancel"))).to_be_visible()

    return pick


_HOLDS: Final = {card: holds(card) for card in ("W", "Wx")}


def over(stage: MockScreen) -> None:
    """The person has won the match."""
    won = reach("all-wild+hand_size=5", 4, _IS_OVER)
    stage.show_match(won, seat=(won.match.round.winner or 0))
    expect(stage.page.get_by_role("button", name=stage.text("web.score.again"))).to_be_visible()


_IS_OVER: Final = attrgetter("over")


def between(stage: MockScreen) -> None:
    """The round is over, and the match goes on."""
    stage.show_match(reach("classic", 4, _between_rounds))
    expect(stage.page.get_by_role("button", name=stage.text("web.score.next"))).to_be_visible()


def _between_rounds(match: Match) -> bool:
    return match.round.over and not match.over


def chat(stage: MockScreen) -> None:
    """The chat beside a game, with a message."""
    _TURN(stage)
    stage.press("web.table.chat")
    expect(stage.page.get_by_role("dialog")).to_be_visible()
    stage.send(type="heard", note=Note(player="Ben", name="Ben", text="Where is my red seven?", quick=None))
    stage.send(type="heard", note=Note(player="Chloé", name="Chloé", text=None, quick="laugh"))
    expect(stage.page.locator(".chat-log li")).to_have_count(2)


def _replace_microphone(stage: MockScreen, answer: str) -> None:
    """Let the browser answer a request for the microphone with a promise."""
    stage.page.evaluate(f"void (navigator.mediaDevices.getUserMedia = () => {answer})")


def voice(stage: MockScreen) -> None:
    """The panel of voice before the first use; the microphone was refused."""
    _TURN(stage)
    _replace_microphone(stage, "Promise.reject(new DOMException('', 'NotAllowedError'))")
    stage.press("web.talk", within=".bar")
    stage.press("web.voice.on", within="[role=dialog]")
    expect(stage.page.get_by_text(stage.text("web.voice.problem.refused"))).to_be_visible()


def voice_on(stage: MockScreen) -> None:
    """The panel of voice while the person and two others talk, one of them muted."""
    _TURN(stage)
    _replace_microphone(stage, "Promise.resolve(new AudioContext().createMediaStreamDestination().stream)")
    stage.press("web.talk", within=".bar")
    stage.press("web.voice.on", within="[role=dialog]")
    stage.wait_for_message("voice")
    players = [seat.player for seat in stage.welcome["table"].seats if seat.player]
    stage.send(type="voice", ice=())
    stage.change_table(voices=tuple(players))
    muted = next(seat.name for seat in stage.welcome["table"].seats if seat.player not in (OWN_ID, None))
    stage.page.get_by_role("button", name=stage.text("web.voice.mute", name=muted), exact=True).click()
    expect(stage.page.get_by_text(stage.text("web.voice.muted"))).to_be_visible()


def choose_reaction_target(stage: MockScreen) -> None:
    """The target of a reaction."""
    _TURN(stage)
    stage.press("web.table.chat")
    stage.page.get_by_role("button", name=stage.text("web.quick.laugh")).click()
    expect(stage.page.locator(".targets button")).to_have_count(3)


def menu(stage: MockScreen) -> None:
    """The menu beside a game."""
    _TURN(stage)
    stage.press("web.table.menu")
    expect(stage.page.get_by_role("dialog")).to_be_visible()


def log(stage: MockScreen) -> None:
    """The event log, long enough to scroll."""
    stage.show_match(reach("classic", 4, _HOLDS["W"]))
    stage.page.locator(".hand button").first.press("l")
    expect(stage.page.locator(".log li").first).to_be_visible()


def keys(stage: MockScreen) -> None:
    """All keys, opened from a card."""
    _TURN(stage)
    stage.page.locator(".hand button").first.press("?")
    expect(stage.page.locator(".card-about")).to_be_visible()
    stage.page.keyboard.press("?")
    expect(stage.page.locator(".keys")).to_be_visible()


def hint(stage: MockScreen) -> None:
    """The hint for a person's first game."""
    stage.open("/about")
    stage.set_prefs(hints=[])
    _TURN(stage)
    expect(stage.page.get_by_text(stage.text("web.tip.play"))).to_be_visible()
    stage.set_prefs_later(hints=READ_HINTS)


def advice(stage: MockScreen) -> None:
    """The best moves, with the longest possible reasons."""
    now = reach("all-wild", 4, _HOLDS["Wx"])
    view = now.match.round.view(now.match.round.turn)
    narrator = Narrator(Match("all-wild", (*LONG_NAMES, *NAMES[2:4]), seed=0), stage.texts)
    names = [key.removeprefix("advice.") for key in stage.texts.texts if key.startswith("advice.")]
    reasons = [Reason(name, n=2, player=0, card=W_TARGETED, color=1, hands=(12, 2)) for name in names]
    lines = sorted((reason_words(reason, narrator) for reason in reasons), key=len)
    moves = [move for move in view.legal if move.target is not None]
    stage.show_match(now, hints=True)
    stage.answers["advise"] = {
        "type": "advice",
        "ply": stage.page.evaluate("document.querySelector('lc-game').session.game.ply"),
        "moves": [
            AdvisedMove(str(move), move_words(move, view, narrator), 0.62 - 0.2 * i, 0.013 * i, lines.pop())
            for i, move in enumerate(moves[:3])
        ],
    }
    stage.press("web.table.hint")
    expect(stage.page.locator("[data-hint]").first).to_be_visible()


def verify(stage: MockScreen) -> None:
    """The check of the shuffle, with every part unfolded."""
    replay(stage)
    stage.press("web.verify.title", within=".replay-side")
    expect(stage.page.locator(".verdict.good")).to_be_visible()
    stage.page.evaluate("for (const fold of document.querySelectorAll('dialog details')) fold.open = true")


def replay(stage: MockScreen) -> None:
    """The replay of a match."""
    stage.open("/match/m3#ply=12")
    expect(stage.page.get_by_role("slider")).to_be_visible()


def puzzle(stage: MockScreen) -> None:
    """A puzzle before the answer: the first, in which drawing is possible."""
    stage.open("/puzzles/1", "lc-game")
    expect(stage.page.locator(".hand [data-card]").first).to_be_visible(timeout=60_000)  # a worker starts first


def puzzle_answer(stage: MockScreen) -> None:
    """A puzzle after a wrong answer."""
    puzzle(stage)
    stage.page.locator(".draw-pile").click()
    expect(stage.page.locator(".puzzle-verdict")).to_be_visible()


def page(path: str) -> Callable[[MockScreen], None]:
    """A page with a heading of its own."""
    return lambda stage: stage.open(path)


def device_code(stage: MockScreen) -> None:
    """The code for another device."""
    stage.open("/me")
    stage.press("web.devices.show")
    expect(stage.page.get_by_role("dialog").get_by_role("status")).to_be_visible()


def join_device(stage: MockScreen) -> None:
    """What becomes of a device that joins another profile."""
    stage.open("/me")
    profiles = {"profile": {"name": LONG_NAMES[0], "matches": 121}, "here": {"name": "Ada", "matches": 3}}
    stage.mock_answer("/api/join/check", profiles)
    stage.press("web.devices.type")
    stage.page.get_by_label(stage.text("web.devices.type.label")).fill("AAAAA AAAAA")
    stage.press("web.devices.type.next", within="dialog")
    expect(stage.page.get_by_role("dialog").get_by_role("listitem")).to_have_count(3)


def passkeys(stage: MockScreen) -> None:
    """A profile with passkeys, on a server that has them."""
    stage.open("/about")
    day_ms = 24 * 3_600_000
    stage.mock_answer(
        "/api/me/passkeys",
        [
            {"id": "a", "name": "Laptop", "created": 20_000 * day_ms, "used": 20_007 * day_ms},
            {"id": "b", "name": LONG_NAMES[0], "created": 20_003 * day_ms, "used": None},
        ],
    )
    stage.page.evaluate("document.documentElement.dataset.passkeys = ''")
    stage.open("/me")
    expect(stage.page.locator(".passkey")).to_have_count(2)
    stage.page.evaluate("delete document.documentElement.dataset.passkeys")


def embedding(stage: MockScreen) -> None:
    """The lines of HTML for other sites, on a server whose pages they may show."""
    stage.open("/about")
    stage.page.evaluate("document.documentElement.dataset.embed = ''")
    replay(stage)
    stage.press("web.embed.title")
    expect(stage.page.get_by_role("dialog").get_by_role("textbox")).to_have_count(2)
    stage.page.evaluate("delete document.documentElement.dataset.embed")


def tv_lobby(stage: MockScreen) -> None:
    """The TV view before the match."""
    stage.show_table(table_of("lobby", (seat_of("Ada"), seat_of("Ben"), None, None)), tv=True)
    expect(stage.page.get_by_role("img", name=stage.text("web.tv.qr"))).to_be_visible()


def tv(stage: MockScreen) -> None:
    """The TV view during the match."""
    stage.show_match(reach("classic", 4, _HOLDS["W"]), tv=True)


def clear_faces(rules: str, *, tv: bool = False) -> Callable[[MockScreen], None]:
    """A match with card faces for low vision."""

    def show(stage: MockScreen) -> None:
        stage.open("/about")
        stage.set_prefs(faces="clear")
        wait_until_ready(stage.page)
        stage.show_match(reach(rules, 4, decides("play")), tv=tv)
        expect(stage.page.locator(".card.clear").first).to_be_visible()
        stage.set_prefs_later(faces="standard")

    return show


def watching(stage: MockScreen) -> None:
    """A match with people who watch, one of whom waits for a seat."""
    stage.show_match(reach("classic", 4, _HOLDS["W"]), watching=True)
    names = ("Eva", "Finn", "Gus", "Hedwig", "Ines", "Jo", "Kim")
    stage.change_table(guests=tuple(Guest(OWN_ID if name == "Eva" else name, name, name == "Finn") for name in names))
    expect(stage.page.locator(".watchers li")).to_have_count(5)


_TURN: Final = asked("play", "classic")

SCREENS: Final[dict[str, Callable[[MockScreen], None]]] = {
    "home": home,
    "lobby": lobby,
    "open lobby": open_lobby,
    "settings": settings,
    "day lobby": day_lobby,
    "day settings": day_settings,
    "day turn": day_turn,
    "write": write,
    "turn": _TURN,
    "watching": watching,
    "clear classic": clear_faces("classic"),
    "clear all wild": clear_faces("all-wild"),
    "clear jackpot": clear_faces("wild-jackpot"),
    "clear tv": clear_faces("classic", tv=True),
    "all wild": asked("play", "all-wild"),
    "hint": hint,
    "advice": advice,
    "drawn": asked("drawn", "classic"),
    "challenge": asked("challenge", "classic"),
    "stack": asked("stack", "classic+stacking=same"),
    "color": asked("color", "classic"),
    "pick a color": picking("W", "classic"),
    "pick a player": picking("Wx", "all-wild"),
    "pull": asked("pull", "wild-jackpot"),
    "perform": asked("perform", *WRITTEN),
    "throw": asked("throw", *WRITTEN),
    "bury": asked("bury", *WRITTEN),
    "choose": asked("choose", *WRITTEN),
    "take": asked("take", *WRITTEN),
    "chat": chat,
    "aim": choose_reaction_target,
    "voice": voice,
    "voice on": voice_on,
    "menu": menu,
    "log": log,
    "keys": keys,
    "between": between,
    "over": over,
    "replay": replay,
    "verify": verify,
    "matches": page("/me"),
    "device code": device_code,
    "join device": join_device,
    "passkeys": passkeys,
    "embedding": embedding,
    "puzzles": page("/puzzles"),
    "puzzle": puzzle,
    "puzzle answer": puzzle_answer,
    "rules": page("/rules/wild-jackpot+harsh"),
    "about": page("/about"),
    "tv lobby": tv_lobby,
    "tv": tv,
}
"""Every screen by name."""
