"""Whole matches under random rules, as rows of the store and as replays for the browser."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec

from lastcard.errors import IllegalMove
from lastcard.game.moves import move_to_action, parse_move
from lastcard.game.rulecards import parse_rule_card
from lastcard.game.rulesets import Ruleset, ruleset
from lastcard.game.seeds import mix_seed
from lastcard.match.match import Match
from lastcard.server.http.replays import replay_text
from lastcard.session.match_rows import MatchRow, MoveRow
from support.random_play import random_move
from support.random_states import RULE_CARD_TEXTS, random_options

NAMES = ("Ada", "Błażej", "Chloé", "Davi", "Eva", "Felipe", "Gal", "Hugo", "Ines", "Jan")
STARTED_MS = 1_780_000_000_000
"""Start of matches, in milliseconds since 1970."""
NUMBERS = ("00112233445566778899aabbccddeeff", "f" * 32)
"""Numbers of the persons in the first two seats; bots sit in the others."""
RULE_CARDS = ("draw 2; reverse", "dare: whistle a tune")


def random_rules(game: str, rng: random.Random) -> Ruleset:
    """A game under random options, or under a preset."""
    preset = rng.choice(("", "", "", "+harsh", "+living-room"))
    return ruleset(game + preset) if preset else Ruleset(game, random_options(game, rng))


def random_match(
    seed: int,
    rules: Ruleset,
    *,
    players: int | None = None,
    max_plies: int = 500,
    live: bool = False,
    number_probability: float = 0.8,
) -> bytes:
    """A match played at random to its end, or up to ``max_plies``: the JSON of its public replay.

    ``number_probability`` is the probability that a player has given a number.
    """
    rng = random.Random(seed)
    seats = players or (4 if rules.options.team_play else rng.choice((2, 3, 4, 5, 7, 10)))
    written = tuple(rng.sample(RULE_CARD_TEXTS, 8)) if rules.options.wj_rules == "written" else None
    secret = rng.randbytes(32)
    numbers = tuple(rng.randbytes(16).hex() if rng.random() < number_probability else "" for _ in range(seats))
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
        started=STARTED_MS,
        finished=None if live else STARTED_MS + 3_600_000,
        winners=None,
    )
    return replay_text(row, _play_randomly(row, rng, max_plies)[1])


def wild_jackpot_replay(*, players: int = 4, live: bool = False, number_probability: float = 0.8) -> dict[str, Any]:
    """The beginning of a match of Wild Jackpot, as a replay for the browser."""
    replay: dict[str, Any] = msgspec.json.decode(_wild_jackpot_replay_text(players, live, number_probability))
    return replay


@cache
def _wild_jackpot_replay_text(players: int, live: bool, number_probability: float) -> bytes:
    return random_match(
        7, ruleset("wild-jackpot"), players=players, max_plies=160, live=live, number_probability=number_probability
    )


def random_log(rules: str, players: int, seed: int, max_rows: int = 5000) -> tuple[MatchRow, list[MoveRow]]:
    """A match played at random, to its end or until its log has ``max_rows``; ``finished`` if it was won."""
    rng = random.Random(f"{rules} {seed}")
    secret = hashlib.sha256(f"secret {seed}".encode()).digest()
    numbers = (*NUMBERS, *[""] * (players - 2))
    row = MatchRow(
        id=hashlib.sha256(secret).hexdigest()[:22],
        table="ABCDEF",
        rules=rules,
        names=tuple(f"Player {i}" for i in range(players)),
        players=("p-ann", "p-bo", *[None] * (players - 2)),
        bots=(None, None, *["casual"] * (players - 2)),
        host=0,
        secret=secret,
        numbers=numbers,
        seed=mix_seed(secret, numbers),
        rule_cards=RULE_CARDS if "wj_rules=written" in rules else None,
        started=STARTED_MS,
        finished=None,
        winners=None,
    )
    match, moves = _play_randomly(row, rng, max_rows)
    if match.over:
        row = replace(row, finished=row.started + 1000 * len(moves), winners=match.winners)
    return row, moves


def _play_randomly(row: MatchRow, rng: random.Random, max_rows: int) -> tuple[Match, list[MoveRow]]:
    """Play a match at random, to its end or until its log has ``max_rows``; returns both."""
    written = None if row.rule_cards is None else [parse_rule_card(card) for card in row.rule_cards]
    match = Match(row.rules, row.names, seed=row.seed, host=row.host, rule_cards=written)
    log: list[MoveRow] = []
    while not match.over and len(log) < max_rows:
        seat, action = -1, -1
        if match.round.over:
            match.next_round()
        else:
            seat, text = random_move(match.round, rng)
            try:
                match.do(seat, text)
            except IllegalMove:
                continue
            action = move_to_action(parse_move(text))
        ply = len(log)
        log.append(MoveRow(row.id, ply, f"command-{ply}", seat, action, row.started + 1000 * ply))
    return match, log


@cache
def _random_replay_text(game: str, seed: int) -> bytes:
    return random_match(seed, random_rules(game, random.Random(seed)))


def random_replays(game: str, count: int) -> list[dict[str, Any]]:
    """Random matches of a game, made anew each time so that a test can change them."""
    return [msgspec.json.decode(_random_replay_text(game, seed)) for seed in range(count)]
