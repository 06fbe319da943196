"""Whole matches under random rules, as the store has them and as the browser gets them."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec

from lastcard.errors import Refused
from lastcard.game.actions import move_action, parse_move
from lastcard.game.rulecards import parse_rule_card
from lastcard.game.rulesets import Ruleset, ruleset
from lastcard.game.seeds import mix_seed
from lastcard.play.match import Match
from lastcard.server.http.replays import replay_text
from lastcard.server.store.rows import MatchRow, MoveRow
from support.differential import random_move
from support.tables import WRITTEN, random_options

NAMES = ("Ada", "Błażej", "Chloé", "Davi", "Eva", "Felipe", "Gal", "Hugo", "Ines", "Jan")
BEGAN = 1_767_225_600_000
"""When matches began, in milliseconds since 1970."""


def random_rules(game: str, rng: random.Random) -> Ruleset:
    """A game under random options, or under a preset."""
    preset = rng.choice(("", "", "", "+harsh", "+living-room"))
    return ruleset(game + preset) if preset else Ruleset(game, random_options(game, rng))


def random_match(
    seed: int, rules: Ruleset, *, players: int | None = None, plies: int = 500, live: bool = False
) -> bytes:
    """A match played at random to its end, or as far as ``plies``: the JSON of its replay, as everybody may see it."""
    rng = random.Random(seed)
    seats = players or (4 if rules.options.team_play else rng.choice((2, 3, 4, 5, 7, 10)))
    written = tuple(rng.sample(WRITTEN, 8)) if rules.options.wj_rules == "written" else None
    secret = rng.randbytes(32)
    numbers = tuple(rng.randbytes(16).hex() if rng.random() < 0.8 else "" for _ in range(seats))
    row = MatchRow(
        id=f"m{seed}",
        table="ABCDEF",
        rules=str(rules),
        names=NAMES[:seats],
        players=(None,) * seats,
        bots=(None,) * seats,
        host=rng.randrange(seats),
        secret=secret,
        numbers=numbers,
        seed=mix_seed(secret, numbers),
        rule_cards=written,
        started=BEGAN,
        finished=None if live else BEGAN + 3_600_000,
        winners=None,
    )
    cards = None if written is None else [parse_rule_card(text) for text in written]
    match = Match(rules, row.names, seed=row.seed, host=row.host, rule_cards=cards)
    return replay_text(row, _played(row.id, match, rng, plies))


def _played(name: str, match: Match, rng: random.Random, plies: int) -> list[MoveRow]:
    """The log of a match that is played at random."""
    log: list[MoveRow] = []

    def note(seat: int, action: int) -> None:
        log.append(MoveRow(name, len(log), f"command{len(log)}", seat, action, BEGAN + 1500 * len(log)))

    while not match.over and len(log) < plies:
        if match.round.over:
            match.next_round()
            note(-1, -1)
            continue
        seat, move = random_move(match.round, rng)
        try:
            match.do(seat, move)
        except Refused:
            continue
        note(seat, move_action(parse_move(move)))
    return log


@cache
def _matches(game: str, count: int) -> tuple[bytes, ...]:
    return tuple(random_match(seed, random_rules(game, random.Random(seed))) for seed in range(count))


def replays(game: str, count: int) -> list[dict[str, Any]]:
    """Random matches of a game, anew each time so that they can be changed."""
    return [msgspec.json.decode(text) for text in _matches(game, count)]
