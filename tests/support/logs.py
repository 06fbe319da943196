"""Matches as the store keeps them: a head, and a log of moves made at random."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace

from lastcard.errors import Refused
from lastcard.game.actions import move_action, parse_move
from lastcard.game.rulecards import parse_rule_card
from lastcard.game.seeds import mix_seed
from lastcard.play.match import Match
from lastcard.server.store.rows import MatchRow, MoveRow
from support.differential import random_move

NUMBERS = ("00112233445566778899aabbccddeeff", "f" * 32)
"""Of the persons in the first two seats; bots sit in the others."""
CARDS = ("draw 2; reverse", "dare: whistle a tune")


def random_log(rules: str, players: int, seed: int, limit: int = 5000) -> tuple[MatchRow, list[MoveRow]]:
    """A match played at random, to its end or until its log has so many rows; ``finished`` where it was won.

    Args:
        rules: the ruleset.
        players: how many.
        seed: of the shuffle and of the moves.
        limit: on the rows of the log.
    """
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
        rule_cards=CARDS if "wj_rules=written" in rules else None,
        started=1_780_000_000_000,
        finished=None,
        winners=None,
    )
    written = None if row.rule_cards is None else [parse_rule_card(card) for card in row.rule_cards]
    match = Match(rules, list(row.names), seed=row.seed, rule_cards=written)
    moves: list[MoveRow] = []
    while not match.over and len(moves) < limit:
        seat, action = -1, -1
        if match.round.over:
            match.next_round()
        else:
            seat, text = random_move(match.round, rng)
            try:
                match.do(seat, text)
            except Refused:
                continue
            action = move_action(parse_move(text))
        ply = len(moves)
        moves.append(MoveRow(row.id, ply, f"command-{ply}", seat, action, row.started + 1000 * ply))
    if match.over:
        row = replace(row, finished=row.started + 1000 * len(moves), winners=match.winners)
    return row, moves
