"""The matches of tests/golden: playing them from their seed, and rewriting them.

``python -m tests.support.golden_matches`` writes the files. New files mean that matches recorded so far can no longer
be replayed: do so only with a change of the rules or of chance, and name it in the changelog.
"""

from __future__ import annotations

import random
import textwrap
from pathlib import Path
from typing import Any

from lastcard.game.cards import card_name, cards_text, hand_text
from lastcard.game.rulecards import parse_rule_card
from lastcard.game.rulesets import stored_name, stored_ruleset
from lastcard.match.events import Drew, Event, LeverPulled, Reshuffled, RuleDealt, Took
from lastcard.match.match import Match
from lastcard.match.round import Round

GOLDEN = Path(__file__).parents[1] / "golden"
MATCHES: dict[str, tuple[str, int, list[str]]] = {
    "all-wild": ("all-wild+match_mode=to_target", 4, []),
    "classic": ("classic", 3, []),
    "classic-harsh": ("classic+harsh+winning_score=200", 4, []),
    "wild-jackpot": ("wild-jackpot", 3, []),
    "wild-jackpot-written": (
        "wild-jackpot+wj_rules=written+wj_number_distribution=0-9_random+wj_lever_weights=1/1/1/2/3/1+winning_score=250",
        4,
        ["draw 2; reverse", "give 1 chosen", "take 2 fewest; skip", "swap left", "dare: sing a song", "streak"],
    ),
}
"""File: ruleset as it is stored, players, written rule cards. The name of the file is the seed."""


def new_match(name: str) -> Match:
    """A golden match at its beginning."""
    rules, players, cards = MATCHES[name]
    return Match(
        stored_ruleset(rules), players, seed=name, rule_cards=[parse_rule_card(card) for card in cards] or None
    )


def chance_texts(events: list[Event]) -> list[str]:
    """Outcomes of chance in a move, in words: cards drawn and taken, shuffles, the lever, rule cards."""
    words = []
    for event in events:
        if isinstance(event, Drew):
            words.append(f"{event.seat}<{cards_text(event.cards or ())}")
        elif isinstance(event, Took):
            words.append(f"{event.seat}<{event.giver}:{card_name(event.card or 0)}")
        elif isinstance(event, Reshuffled):
            words.append(f"shuffled {event.count}")
        elif isinstance(event, LeverPulled):
            words.append(event.outcome)
        elif isinstance(event, RuleDealt):
            words.append(f"{event.seat} rule {event.rule}")
    return words


def play_round(match: Match, moves: list[str]) -> dict[str, Any]:
    """Play the round on the table with these moves; returns the result as the file has it."""
    table = match.round
    played: dict[str, Any] = {
        "dealer": table.dealer,
        "first": card_name(table.top),
        "dealt": [hand_text(hand) for hand in table.hands],
    }
    chance: list[str] = []
    for move in moves:
        seat, _, move_text = move.partition(":")
        chance += chance_texts(match.do(int(seat), move_text))
    played["moves"] = ", ".join(moves)
    played["chance"] = ", ".join(chance)
    played["winner"] = -1 if table.winner is None else table.winner
    played["left"] = [hand_text(hand) for hand in table.hands]
    played["scores"] = list(match.scores)
    return played


def choose_move(table: Round, rng: random.Random) -> str:
    """A move of a player who sometimes forgets to call; only ``random()`` gives the same in every Python."""
    for seat in range(table.players):
        catches = [move for move in table.legal(seat) if move.verb == "catch"]
        if table.exposed - {seat} and catches and rng.random() < 0.1:
            return f"{seat}:{catches[int(rng.random() * len(catches))]}"
    seat = table.turn
    moves = [move for move in table.legal() if move.verb not in ("catch", "uno")]
    plays = [move for move in moves if move.verb == "play"]
    if plays and rng.random() < 0.9:
        moves = plays
    move = moves[int(rng.random() * len(moves))]
    call = "!" if move.verb == "play" and len(table.hand(seat)) == 2 and rng.random() < 0.6 else ""
    return f"{seat}:{move}{call}"


def choose_moves(table: Round, rng: random.Random) -> list[str]:
    """All moves of a round, found on a copy."""
    copy, moves = table.copy(), []
    while not copy.over:
        moves.append(choose_move(copy, rng))
        seat, _, move_text = moves[-1].partition(":")
        copy.do(int(seat), move_text)
    return moves


def golden_text(name: str) -> str:
    """The file of a match."""
    match, rng = new_match(name), random.Random(name)
    lines = [f'rules = "{stored_name(match.rules)}"', f"players = {len(match.players)}"]
    while True:
        lines.append("\n[[round]]")
        for key, value in play_round(match, choose_moves(match.round, rng)).items():
            lines.append(f"{key} = {_toml(value)}")
        if match.over:
            return "\n".join(lines) + "\n"
        match.next_round()


def _toml(value: object) -> str:
    if isinstance(value, str) and len(value) > 100:
        return '"""\n' + "\n".join(textwrap.wrap(value, 116, break_on_hyphens=False)) + '"""'
    return f'"{value}"' if isinstance(value, str) else str(value).replace("'", '"')


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for name in MATCHES:
        (GOLDEN / f"{name}.toml").write_text(golden_text(name), encoding="utf-8")


if __name__ == "__main__":
    main()
