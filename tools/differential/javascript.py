"""Compares random matches of ``lastcard.js`` in Node and of the Python library in everything that they return.

``python -m tools.differential.javascript 5000``; ``make differential-js`` calls it.
"""

from __future__ import annotations

import argparse
import base64
import random
from dataclasses import dataclass
from typing import Any

from lastcard.errors import IllegalMove, LastcardError
from lastcard.formats.values import card_names, event_values, public_values
from lastcard.game.cards import CARD_NAMES
from lastcard.game.position import parse_position
from lastcard.game.rulecards import parse_rule_card
from lastcard.game.rulesets import GAMES, Ruleset
from lastcard.match.events import Event
from lastcard.match.match import Match
from support.node import Node, as_json
from support.random_play import random_move, random_short_position
from support.random_states import RULE_CARD_TEXTS, random_options


def error_values(error: LastcardError) -> dict[str, Any]:
    """Returns the values of an error to compare."""
    clause, variant = (error.clause, error.variant) if isinstance(error, IllegalMove) else (None, "")
    return {"code": error.code, "clause": clause, "variant": variant}


# --- matches ----------------------------------------------------------------------------------------


@dataclass
class PlayedMatch:
    """A match played in Python."""

    setup: dict[str, Any]
    """Arguments of the match, as in a task."""
    moves: list[dict[str, Any]]
    """Attempted moves, in order."""
    expected: dict[str, Any]
    """Expected results in Node."""
    rounds: int


def views(match: Match) -> list[dict[str, Any]]:
    """Returns all views of a match: the spectator's first."""
    return [_view(match, seat) for seat in (None, *range(len(match.players)))]


def _view(match: Match, seat: int | None) -> dict[str, Any]:
    view = match.round.view(seat)
    return {
        "view": public_values(view)
        | {
            "rules": view.rules,
            "seat": view.seat,
            "hand": None if view.hand is None else card_names(view.hand),
            "hands": None if view.hands is None else [card_names(hand) for hand in view.hands],
            "discard": card_names(view.discard),
            "drawn": None if view.drawn is None else CARD_NAMES[view.drawn],
            "legal": [str(move) for move in view.legal],
            "points": view.points,
        },
        "known": base64.b64encode(view.information_state).decode(),
        "past": base64.b64encode(view.history).decode(),
    }


def play_match(seed: int, plies: int = 300, every: int = 20) -> PlayedMatch:
    """Play a match by random rules: mostly sensible moves, and mistakes; every third starts from a position.

    It ends after a number of plies, and all views are recorded ``every`` some moves.
    """
    rng = random.Random(seed)
    setup, match = _position_match(rng) if seed % 3 == 0 else _dealt_match(rng)
    moves: list[dict[str, Any]] = []
    steps: list[dict[str, Any]] = []
    while len(moves) < plies and not match.over:
        reads_views = rng.randrange(every) == 0
        seen = views(match) if reads_views else None
        if match.round.over:
            if match.position is not None:
                break
            match.next_round()
            moves.append({"move": "next", "look": reads_views})
            steps.append({"seen": seen, "dealer": match.dealer, "events": _event_values(match, match.round.events())})
            continue
        seat, move = random_move(match.round, rng)
        moves.append({"seat": seat, "move": move, "look": reads_views})
        steps.append({"seen": seen, **_apply_move(match, seat, move)})
    record = None if match.position else match.record().text()
    expected = {
        "commitment": match.commitment,
        "dealer": match.dealer,
        "steps": steps,
        "seen": views(match),
        "record": record,
    }
    return PlayedMatch(setup, moves, expected, match.number + 1)


def _apply_move(match: Match, seat: int, move: str) -> dict[str, Any]:
    events: Any
    seen = None
    try:
        done = match.do(seat, move)
    except LastcardError as error:
        events = error_values(error)
    else:
        events = _event_values(match, done)
        others = (None, *range(len(match.players)))
        seen = [_event_values(match, [event.seen_by(other) for event in done]) for other in others]
    return {"events": events, "redacted": seen, "scores": match.scores, "winners": match.winners}


def _event_values(match: Match, events: list[Event]) -> list[dict[str, Any]]:
    return [event_values(event, match.round.rule_cards) for event in events]


def _dealt_match(rng: random.Random) -> tuple[dict[str, Any], Match]:
    game = rng.choice(GAMES)
    rules = Ruleset(game, random_options(game, rng))
    players = 4 if rules.options.team_play else rng.choice((2, 2, 3, 4, 5, 7, 10))
    names = [f"Zoë {i}" for i in range(players)]
    cards = rng.sample(RULE_CARD_TEXTS, 8) if rules.options.wj_rules == "written" else None
    seed, host = rng.choice((rng.randbytes(32).hex(), str(rng.randrange(1000)))), rng.randrange(players)
    setup = {"rules": str(rules), "players": names, "seed": seed, "host": host, "ruleCards": cards}
    written = [parse_rule_card(card) for card in cards] if cards else None
    return setup, Match(rules, names, seed=seed, host=host, rule_cards=written)


def _position_match(rng: random.Random) -> tuple[dict[str, Any], Match]:
    position, secret = random_short_position(rng)
    players = [f"P{i}" for i in range(len(position.hands))]
    setup = {"rules": str(position.rules), "players": players, "seed": secret.hex(), "position": str(position)}
    return setup, Match(position.rules, players, seed=secret, position=parse_position(str(position)))


def differences(played: PlayedMatch, answer: Any) -> list[str]:
    """Returns the first difference of a match in Node, in words."""
    for i, (ours, theirs) in enumerate(zip(played.expected["steps"], answer["steps"], strict=True)):
        for key in ours:
            if as_json(ours[key]) != as_json(theirs[key]):
                return [f"move {i} {played.moves[i]}: {key}", *map(as_json, (ours[key], theirs[key], played.setup))]
    for key, ours in played.expected.items():
        if as_json(ours) != as_json(answer[key]):
            return [key, *map(as_json, (ours, answer[key], played.setup))]
    return []


def run_differential(node: Node, first: int, rounds: int) -> int:
    """Play matches of at least some rounds on both sides, from a first seed on; a difference raises an AssertionError.

    Returns the number of moves.
    """
    seed, played, move_count = first, 0, 0
    while played < rounds:
        match = play_match(seed)
        wrong = differences(match, node.ask("match", setup=match.setup, acts=match.moves))
        assert not wrong, "\n".join([f"match {seed}", *wrong])
        seed, played, move_count = seed + 1, played + match.rounds, move_count + len(match.moves)
    return move_count


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.differential.javascript", description=__doc__)
    parser.add_argument("rounds", type=int, help="how many rounds to play at least")
    rounds, node = parser.parse_args().rounds, Node()
    move_count = run_differential(node, random.SystemRandom().randrange(1 << 40), rounds)
    print(f"{move_count:,} moves in {rounds:,} rounds and more, no difference")
    node.close()


if __name__ == "__main__":
    main()
