"""Matches played at random, with their records."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

from lastcard.formats.record_files import Record, RoundRecord
from lastcard.game.moves import Move, seat_move_text
from lastcard.game.rulecards import parse_rule_card
from lastcard.game.seeds import Shuffle, mix_seed
from lastcard.match.match import Match

WRITTEN = tuple(
    parse_rule_card(text) for text in ("draw 2; reverse", "swap left", 'dare: sing "la la" – now', "take 1 most")
)
GAME_CONFIGS = (
    ("all-wild", 2),
    ("all-wild+harsh", 4),
    ("all-wild+match_mode=to_target+winning_score=100", 3),
    ("classic+winning_score=100", 2),
    ("classic+scoring=tally+winning_score=100+next_dealer=redraw", 3),
    ("classic+living-room+winning_score=100", 10),
    ("classic+harsh+team_play+winning_score=100", 4),
    ("wild-jackpot+winning_score=100", 3),
    ("wild-jackpot+wj_rules=written+winning_score=100", 5),
    ("classic+scoring=tally+winning_score=100", 3),
)
SERVER_CONFIG = len(GAME_CONFIGS) - 1
"""The table among ``GAME_CONFIGS`` whose seed is derived from a secret and from numbers (docs/fairness.md)."""


def random_move(match: Match, rng: random.Random) -> tuple[int, Move]:
    """A legal move of any seat: now and then a call or a catch, and random colors."""
    table = match.round
    if rng.random() < 0.2:
        others = [(seat, move) for seat in range(table.players) for move in table.legal(seat)]
        calls = [(seat, move) for seat, move in others if move.verb in ("uno", "catch")]
        if calls:
            return rng.choice(calls)
    moves = [move for move in table.legal() if move.verb not in ("uno", "catch")]
    plays = [move for move in moves if move.verb == "play"]
    move = rng.choice(plays if plays and rng.random() < 0.8 else moves)
    return table.turn, replace(move, uno=rng.random() < 0.5) if move.verb == "play" else move


def shuffle(seed: int) -> Shuffle:
    """The secret and the numbers of three seats; the last is a bot."""
    return Shuffle.of(bytes([seed]) * 32, (f"{seed:032x}", "0123456789abcdef" * 2, ""))


@cache
def random_record(config: int, seed: int, max_moves: int = 4000) -> tuple[Match, Record]:
    """A match played at random, to its end or for ``max_moves``, and its record."""
    rules, players = GAME_CONFIGS[config]
    rng = random.Random(f"{rules} {seed}")
    cards = WRITTEN if "written" in rules else None
    names = [f"Pläyer “{i}”" for i in range(players)]
    shuffled = shuffle(seed) if config == SERVER_CONFIG else None
    mixed = mix_seed(shuffled.secret, shuffled.numbers) if shuffled and shuffled.secret else seed
    match = Match(rules, names, seed=mixed, host=players - 1, rule_cards=cards)
    rounds: list[RoundRecord] = []
    while max_moves > 0 and not match.over:
        moves: list[str] = []
        dealer = match.dealer
        while not match.round.over and max_moves > 0:
            seat, move = random_move(match, rng)
            match.do(seat, move)
            moves.append(seat_move_text(seat, move))
            max_moves -= 1
        done = match.round
        ended: dict[str, Any] = {"winner": done.winner, "void": done.void, "held": done.held, "scores": match.scores}
        rounds.append(RoundRecord(dealer=dealer, moves=tuple(moves), **(ended if done.over else {})))
        if done.over and not match.over:
            match.next_round()
    record = Record(
        rules=match.rules,
        players=match.players,
        commitment=match.commitment,
        host=match.host,
        seed=match.seed,
        shuffle=shuffled,
        rule_cards=match.rule_cards if match.has_written_rule_cards else None,
        rounds=tuple(rounds),
        winners=match.winners,
    )
    return match, record
