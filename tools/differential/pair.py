"""Compares kernel and referee: the same moves on both, with all state compared after each."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from lastcard.errors import IllegalMove
from lastcard.game.cards import (
    NUMBER_COPIES,
    number_copies,
    wild_jackpot_deck,
)
from lastcard.game.options import LEVER_OUTCOMES
from lastcard.game.position import Position
from lastcard.game.rulesets import Ruleset
from lastcard.match.round import Round
from referee import RefusedMove, RoundState, deal, do, is_returned, legal_moves
from support import chacha
from support.random_play import random_deal, random_move, random_short_position
from support.random_states import DECK_BUILDERS


class Streams:
    """The random outcomes of a round, drawn from its seed by the oracle of support/chacha.py."""

    def __init__(self, seed: bytes, number: int, weights: tuple[int, ...], script: tuple[str, ...] = ()) -> None:
        self.seed, self.number, self.weights, self.script = seed, number, weights, script
        self.pulls = self.blinds = self.dispensed = 0

    def _single(self, purpose: int, index: int, n: int) -> int:
        return chacha.Stream(self.seed, purpose, self.number, index).below(n)

    def reshuffle(self, cards: list[int], index: int) -> list[int]:
        """Returns the recycled discards in the order of their stream."""
        return chacha.shuffle(cards, chacha.Stream(self.seed, chacha.RESHUFFLE, self.number, index))

    def lever(self) -> str:
        """Returns the outcome of the next pull: fixed in advance, or by the weights."""
        self.pulls += 1
        if self.pulls <= len(self.script):
            return self.script[self.pulls - 1]
        point = self._single(chacha.LEVER, self.pulls - 1, sum(self.weights))
        for outcome, weight in zip(LEVER_OUTCOMES, self.weights, strict=True):
            if point < weight:
                return outcome
            point -= weight
        raise AssertionError("the weights do not add up")

    def rule_stack(self, cards: list[str], index: int) -> list[str]:
        """Returns the used rule cards in their next order."""
        pool, order = list(cards), list[str]()
        while pool:
            order.append(self._pop(pool))
        return order

    def _pop(self, pool: list[str]) -> str:
        i = self._single(chacha.RULES, self.dispensed, len(pool))
        self.dispensed += 1
        card = pool[i]
        pool[i] = pool[-1]
        pool.pop()
        return card

    def blind(self, count: int) -> int:
        """Returns the index of the card that is taken blindly."""
        self.blinds += 1
        return self._single(chacha.BLIND, self.blinds - 1, count)

    def redraw(self, pile: list[int]) -> int:
        """Never called: the deck below is given with returned cards already back in it."""
        raise AssertionError("a first card was returned")


@dataclass
class Pair:
    """One round on both sides."""

    round_: Round
    referee: RoundState
    seed: int
    log: list[str] = field(default_factory=list)

    def fail(self, what: str, kernel: object, referee: object) -> None:
        """Report a difference with everything needed to reproduce it."""
        raise AssertionError(
            f"{what}: kernel {kernel!r}, referee {referee!r}\nrules {self.round_.rules}, seed {self.seed}, "
            f"dealer {self.round_.dealer}, players {self.round_.players}\nmoves {self.log}\nhands {self.referee.hands}"
        )


@dataclass
class Statistics:
    """Statistics of a differential run."""

    plies: int = 0
    rounds: int = 0
    void: int = 0
    stuck: int = 0
    longest: int = 0
    longest_seed: int = -1
    seen: Counter[str] = field(default_factory=Counter)
    """Counts of decisions and of refusal codes."""

    def add(self, other: Statistics) -> None:
        """Add the statistics of another run."""
        if other.longest > self.longest:
            self.longest, self.longest_seed = other.longest, other.longest_seed
        for name in ("plies", "rounds", "void", "stuck"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.seen += other.seen

    def add_round(self, seed: int, plies: int, *, over: bool, void: bool) -> None:
        """Add a round from a seed that ended, maybe without a winner, or was aborted."""
        self.add(Statistics(plies, 1, int(void), int(not over), plies, seed))


def make_pair(seed: int, rules: Ruleset | None = None) -> Pair:
    """Returns a random round on both sides: a deal for an odd seed without given rules, else a short position."""
    rng = random.Random(seed)
    return deal_pair(seed, rng) if seed % 2 and rules is None else pair_at(*random_short_position(rng, rules), seed)


def deal_pair(seed: int, rng: random.Random) -> Pair:
    """Returns a random deal, the same on both sides."""
    dealt = random_deal(rng)
    streams = Streams(dealt.seed, dealt.number, _weights(dealt.rules))
    dispenser = streams.rule_stack([card.text for card in dealt.rule_cards], 0)
    deck = dealt_order(dealt.rules, dealt.players, dealt.seed, dealt.number)
    referee = deal(dealt.rules, dealt.players, dealt.dealer, deck, dispenser, streams)
    return Pair(dealt.round(), referee, seed)


def pair_at(position: Position, secret: bytes, seed: int = 0) -> Pair:
    """Returns a position on both sides; its rule cards must be given."""
    cards = position.rule_cards or ()
    streams = Streams(secret, 0, _weights(position.rules), position.lever)
    streams.dispensed = len(cards)
    referee = RoundState(
        position.rules,
        list(map(list, position.hands)),
        list(position.discard),
        list(position.draw),
        streams,
        turn=position.turn,
        direction=position.direction,
        dealer=position.dealer,
        color=position.color,
        called=set(position.called),
        dispenser=[card.text for card in cards],
    )
    return Pair(Round.from_position(position, seed=secret), referee, seed)


def _weights(rules: Ruleset) -> tuple[int, ...]:
    weights = rules.options.wj_lever_weights
    return (1,) * 6 if isinstance(weights, str) else weights


def dealt_order(rules: Ruleset, players: int, secret: bytes, number: int) -> list[int]:
    """Returns the deck in deal order, with returned first cards only at their later positions."""
    pool = DECK_BUILDERS[rules.game]()
    if rules.game == "wild-jackpot":  # LC-24
        kind = rules.options.wj_number_distribution
        second = chacha.shuffle(range(1, 10), chacha.Stream(secret, chacha.DECK, 0, 0))[:5]
        pool = wild_jackpot_deck(number_copies(second) if kind == "0-9_random" else NUMBER_COPIES[kind])
    stream = chacha.Stream(secret, chacha.DEAL, number, 0)
    dealt = [chacha.draw_card(pool, stream) for _ in range(players * rules.options.hand_size)]
    first = chacha.draw_card(pool, stream)
    while is_returned(rules, first):
        pool.append(first)
        first = chacha.draw_card(pool, stream)
    return [*dealt, first, *(chacha.draw_card(pool, stream) for _ in range(len(pool)))]


def compare(pair: Pair, compares_moves: bool) -> None:
    """Compare the state of both sides, and with ``compares_moves`` the legal moves of every seat."""
    round_, referee = pair.round_, pair.referee
    checks = (
        ("decision", round_.decision, referee.decision),
        ("hands", [list(h) for h in round_.hands], [sorted(h) for h in referee.hands]),
        ("direction", round_.direction, referee.direction),
        ("top", round_.top, referee.top),
        ("color", round_.color, referee.color),
        ("discard", list(round_.discard), list(referee.discard)),
        ("draw pile", round_.draw_count, len(referee.draw)),
        ("winner", round_.winner, referee.winner),
        ("void", round_.void, referee.void),
    )
    for what, ours, theirs in checks:
        if ours != theirs:
            pair.fail(what, ours, theirs)
    if round_.over:
        if list(round_.held) != list(referee.points()):
            pair.fail("points", round_.held, referee.points())
        return
    if round_.turn != referee.turn:
        pair.fail("turn", round_.turn, referee.turn)
    if set(round_.exposed) != set(referee.exposed):
        pair.fail("exposed", round_.exposed, referee.exposed)
    if round_.rules.options.uno_window != "automatic_call" and set(round_.called) != set(referee.called):
        pair.fail("called", round_.called, referee.called)
    if compares_moves:
        if list(round_.draw_pile()) != list(referee.draw):
            pair.fail("draw order", round_.draw_pile(), referee.draw)
        for seat in range(round_.players):
            kernel, oracle = {str(m) for m in round_.legal(seat)}, legal_moves(referee, seat)
            if kernel != oracle:
                pair.fail(f"legal moves of seat {seat}", sorted(kernel - oracle), sorted(oracle - kernel))


def step(pair: Pair, rng: random.Random, compares_moves: bool) -> str:
    """Make one move on both sides; returns the refusal code, or an empty text if it was accepted."""
    seat, move = random_move(pair.round_, rng)
    before = pair.round_.state_bytes() if compares_moves else b""
    refused = illegal = None
    try:
        pair.round_.do(seat, move)
    except IllegalMove as error:
        refused = error
    try:
        do(pair.referee, seat, move)
    except RefusedMove as error:
        illegal = error
    pair.log.append(f"{'x ' if illegal else ''}{seat}:{move}")
    if (refused is None) != (illegal is None):
        pair.fail(f"{seat}:{move}", refused or "accepted", illegal or "accepted")
    if refused is not None and compares_moves and pair.round_.state_bytes() != before:
        pair.fail(f"{seat}:{move}", "refused and yet changed", "unchanged")
    return refused.code if refused is not None else ""


def play_pair(
    seed: int, limit: int = 3000, every: int = 1, tally: Statistics | None = None, rules: Ruleset | None = None
) -> int:
    """Play a random round of at most ``limit`` plies on both sides; returns the number of attempted moves.

    Legal moves and the order of the draw pile are compared ``every`` some plies; ``rules`` as in ``make_pair``.
    """
    tally = Statistics() if tally is None else tally
    pair = make_pair(seed, rules)
    rng = random.Random(seed + 1)
    compare(pair, True)
    plies = 0
    while not pair.round_.over and plies < limit:
        compares_moves = rng.randrange(every) == 0
        tally.seen[pair.round_.decision] += 1
        tally.seen[step(pair, rng, compares_moves)] += 1
        plies += 1
        compare(pair, compares_moves)
    if pair.round_.over:
        tally.seen["over"] += 1
        tally.seen[step(pair, rng, True)] += 1
    tally.add_round(seed, plies, over=pair.round_.over, void=pair.round_.void)
    return plies
