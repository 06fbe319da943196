"""Invariants of every table at every moment, for all rules and moves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from lastcard.errors import IllegalMove
from lastcard.game.cards import CARD_SLOTS, W_SWAP, W_TARGETED, card_color, card_face
from lastcard.game.moves import COLOR_CARDS, Move, move_to_action
from lastcard.game.rulesets import GAMES, Ruleset
from lastcard.game.seeds import parse_seed
from lastcard.match.round import Round
from lastcard.rules import exports, layout, phases, random_policy, refusal_reasons
from support.clauses import proves
from support.random_play import all_cards, all_moves, random_round, seeded, seeds, try_random_move, walk
from support.random_states import random_options

MOVES = [(move, move_to_action(move)) for move in all_moves()]
PRESETS = [f"{game}{preset}" for game in GAMES for preset in ("", "+living-room", "+harsh")]


@pytest.mark.parametrize("block", range(8))
@proves("CO-36")
def test_cards_are_conserved(block: int) -> None:
    """Hands, draw pile and discard pile always hold the cards they began with, and the masks are right."""
    for seed in seeds(20, block):
        with seeded(seed) as rng:
            cards = None
            for table in walk(seed, rng):
                cards = all_cards(table) if cards is None else cards
                assert all_cards(table) == cards
                check_masks(table)


def check_masks(table: Round) -> None:
    """Counts, sizes and masks of the hands agree; nothing is stored behind the ends of the piles."""
    record = table._states[0]
    for seat in range(table.players):
        counts = record["counts"][seat].tolist()
        held = [card for card in range(CARD_SLOTS) if counts[card]]
        assert min(counts) >= 0 and sum(counts) == record["held"][seat]
        assert sum(1 << card for card in held if card < 64) == record["colored"][seat]
        assert sum(1 << card - 64 for card in held if card >= 64) == record["wilds"][seat]
    assert 0 <= record["ordered_n"] <= record["pile_n"]
    assert record["discard_n"] + record["pile_n"] + record["held"].sum() <= layout.MAX_DECK
    assert record["dispenser_n"] + record["used_n"] <= layout.MAX_RULE_CARDS


def is_idle(table: Round, seat: int, move: Move) -> bool:
    """Whether the color or seat that a play names has no effect and is ignored (LC-6)."""
    if move.verb != "play" or move.card is None or (move.color is None and move.target is None):
        return False
    if move.card in COLOR_CARDS and table.rules.game == "all-wild":
        return True
    seven = table.rules.options.seven_zero and card_color(move.card) < 4 and card_face(move.card) == 7
    return len(table.hand(seat)) == 1 and (move.card in COLOR_CARDS or move.card in (W_SWAP, W_TARGETED) or seven)


@pytest.mark.parametrize("block", range(8))
@proves("CO-5")
def test_legal_moves_are_exactly_those_accepted(block: int) -> None:
    """Every move that can be written is tried: the listed ones are accepted, all others refused without a trace."""
    for seed in seeds(5, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 60):
                if rng.random() < 0.2 or table.over:
                    try_everything(table, table.turn)
                    try_everything(table, rng.randrange(table.players))


def try_everything(table: Round, seat: int) -> None:
    """Try every move of a seat on a table; accepted ones are made on a copy."""
    listed = table.legal(seat)
    assert len(listed) == len(set(listed))
    wanted, accepted = set(listed), set()
    tables = table._states
    before = tables.tobytes()
    for move, action in MOVES:
        if exports.check_action(tables, 0, seat, action) == refusal_reasons.OK:
            accepted.add(move)
        else:
            assert exports.apply_action(tables, 0, seat, action) != refusal_reasons.OK
    assert tables.tobytes() == before, "asking and refusing changed the table"
    for move in accepted:
        bare = (
            Move("play", move.card)
            if is_idle(table, seat, move)
            else Move(move.verb, move.card, move.color, move.target)
        )
        assert bare in wanted, f"{seat}:{move} is accepted and not listed"
        assert exports.apply_action(tables.copy(), 0, seat, move_to_action(move)) == refusal_reasons.OK
    assert wanted <= accepted, f"listed and refused: {wanted - accepted}"


def test_nothing_is_possible_at_seats_that_do_not_exist() -> None:
    """Moves of no seat are refused like any other."""
    table = Round.deal("classic", 3, seed=1)
    before = table.state_bytes()
    for seat in (-1, 3, 9, 10, 64, 1 << 40):
        with pytest.raises(IllegalMove, match="seat"):
            table.do(seat, "draw")
    assert table.state_bytes() == before


def test_every_decision_has_a_legal_move() -> None:
    """During a round the seat on turn has a move besides calls and catches."""
    for seed in seeds(250):
        with seeded(seed) as rng:
            for table in walk(seed, rng):
                moves = [m for m in table.legal() if m.verb not in ("uno", "catch")]
                assert bool(moves) != table.over
                assert table.decision in phases.NAMES and 0 <= table.turn < table.players


def test_replay_equals_play() -> None:
    """The same seed and the same moves give the same table, byte for byte, and the same events."""
    for seed in seeds(100):
        with seeded(seed) as rng:
            one, two = random_round(seed), random_round(seed)
            dice = random.Random(seed)
            for _ in range(300):
                if one.over:
                    break
                legal = one.legal()
                move = legal[dice.randrange(len(legal))]
                seat = one.turn
                assert one.do(seat, move) == two.do(seat, str(move))
                if rng.random() < 0.1:
                    try_random_move(one.copy(), rng)
            assert one.state_bytes() == two.state_bytes()


def test_a_copy_is_independent() -> None:
    for seed in seeds(50):
        with seeded(seed) as rng:
            for table in walk(seed, rng, 30):
                copied = table.copy()
                assert copied.state_bytes() == table.state_bytes() and copied.events() == table.events()
                before, drawn = table.state_bytes(), table.draw_pile()
                for _ in range(5):
                    try_random_move(copied, rng)
                assert table.state_bytes() == before and table.draw_pile() == drawn


@proves("LC-16", "uno_window=automatic_call", "uno_window=no_penalty")
def test_nobody_is_exposed_where_the_table_calls() -> None:
    """With automatic calls, or without penalties, nobody can ever be caught."""
    for seed in seeds(60):
        with seeded(seed) as rng:
            window = rng.choice(("automatic_call", "no_penalty"))
            game = rng.choice(GAMES)
            table = Round.deal(f"{game}+uno_window={window}", rng.choice((2, 3, 6)), seed=seed)
            for _ in range(200):
                assert not table.exposed
                ones = {seat for seat, held in enumerate(table.counts) if held == 1}
                if window == "automatic_call" and table.decision in phases.NAMES[:4]:
                    assert table.called == ones
                if table.over:
                    break
                try_random_move(table, rng)


@pytest.mark.parametrize("block", range(4))
@proves("LC-4", "CO-19")
def test_every_seat_that_is_shown_as_catchable_can_be_caught(block: int) -> None:
    """An exposed seat holds one card and can be caught by every other; a seat that has called holds one card, too."""
    for seed in seeds(40, block):
        with seeded(seed) as rng:
            for table in walk(seed, rng):
                for seat in table.exposed:
                    others = [other for other in range(table.players) if other != seat]
                    assert table.counts[seat] == 1
                    assert all(table.can(other, Move("catch", target=seat)) for other in others)
                assert all(table.counts[seat] == 1 for seat in table.called)


# --- whole rounds -------------------------------------------------------------------------------------


def batch_state(rules: Ruleset | str, players: int, seed: int, number: int = 0) -> Round:
    """A table for rounds in compiled code, where it is dealt anew."""
    table = Round.deal(rules, players, seed=seed, dealer=number % players, number=number)
    table._states[0]["record_events"] = 0
    return table


def play(table: Round, first: int, rounds: int, dice: list[int], limit: int = 100_000) -> list[int]:
    """Play rounds with a policy that plays whenever it can; returns the tally."""
    tally = np.zeros(random_policy.TALLY_NUMBERS, np.int64)
    out = np.array([0] * layout.MAX_ACTIONS + list(dice), np.int64)
    random_policy.play_rounds(table._states, first, rounds, out, tally, limit)
    return tally.tolist()


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("players", [2, 4, 9, 10])
def test_every_random_round_ends(rules: str, players: int, record_property: Callable[[str, object], None]) -> None:
    """Rounds in which everybody plays whenever possible come to an end or are void."""
    tally = play(batch_state(rules, players, 7), 0, 1_500, [1, 2, 3, 4])
    longest, void = tally[random_policy.TALLY_LONGEST], tally[random_policy.TALLY_VOID]
    print(f"{rules}, {players} players: longest round {longest} plies, {void} void")
    record_property("longest_round", longest)
    assert tally[random_policy.TALLY_STUCK] == 0
    assert sum(tally[random_policy.TALLY_WINS : random_policy.TALLY_WINS + players]) + void == 1_500


def test_rounds_end_under_random_rules(record_property: Callable[[str, object], None]) -> None:
    longest = void = 0
    for seed in seeds(150):
        with seeded(seed) as rng:
            game = rng.choice(GAMES)
            rules = Ruleset(game, random_options(game, rng))
            players = 4 if rules.options.team_play else rng.randrange(2, 11)
            if players * rules.options.hand_size > 100:
                continue
            tally = play(batch_state(rules, players, seed), 0, 200, [rng.getrandbits(32) for _ in range(4)])
            assert tally[random_policy.TALLY_STUCK] == 0, f"{rules}, {players} players"
            longest, void = max(longest, tally[random_policy.TALLY_LONGEST]), void + tally[random_policy.TALLY_VOID]
    print(f"random rules: longest round {longest} plies, {void} void")
    record_property("longest_round", longest)


def plain_bytes(table: Round) -> bytes:
    """The state without the event log, and without its flag."""
    copied = table.copy()
    copied._states[0]["record_events"] = 0
    return copied.state_bytes()


@pytest.mark.parametrize("rules", PRESETS)
def test_batch_play_is_ordinary_play(rules: str) -> None:
    """Each ply of a round in compiled code is a listed move of the seat on turn, with the same result as ``Round``."""
    for seed in seeds(4):
        with seeded(seed) as rng:
            players, number, dice = rng.choice((2, 3, 5)), rng.randrange(9), [rng.getrandbits(32) for _ in range(4)]
            checked = Round.deal(rules, players, seed=parse_seed(seed), dealer=number % players, number=number)
            for limit in range(150):
                table = batch_state(rules, players, seed, number)
                play(table, number, 1, dice, limit)
                if limit:
                    follow(checked, plain_bytes(table))
                assert plain_bytes(checked) == plain_bytes(table)
                if table.over:
                    break


def follow(checked: Round, wanted: bytes) -> None:
    """Make the one listed move that leads to the wanted state."""
    tried = []
    for move in checked.legal():
        copied = checked.copy()
        copied.do(copied.turn, move)
        if plain_bytes(copied) == wanted:
            drew = move.verb == "draw"
            assert not drew or not any(m.verb == "play" for m in checked.legal()), "it drew and could have played"
            assert move.verb != "pass", "it kept a card that could be played"
            checked.do(checked.turn, move)
            return
        tried.append(str(move))
    pytest.fail(f"no listed move leads to the state of compiled play: {tried}")


def test_points_are_the_cards_held() -> None:
    """CO-40: when a round has been won, the winner holds nothing, or a swap gave the round away."""
    ends: Counter[int] = Counter()
    for seed in seeds(150):
        with seeded(seed) as rng:
            for table in walk(seed, rng):
                if table.over and table.winner is not None:
                    ends[table.counts[table.winner]] += 1
                    lowest = table.rules.options.deadlock == "lowest_hand_wins"
                    assert table.held[table.winner] == 0 or lowest
    assert ends[0] > 50
