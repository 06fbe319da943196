"""Random round states for the tests: consistent options, deals, and short positions near the end."""

from __future__ import annotations

import random

from lastcard.errors import RulesError
from lastcard.game.cards import W, all_wild_deck, card_color, classic_deck, wild_jackpot_deck
from lastcard.game.options import LEVER_OUTCOMES, OPTIONS, RuleOptions, check_options, with_options
from lastcard.game.rulesets import GAME_DEFAULTS, Ruleset
from referee import BUILTIN, RoundState, deal

DECK_BUILDERS = {"all-wild": all_wild_deck, "classic": classic_deck, "wild-jackpot": wild_jackpot_deck}
RULE_CARD_TEXTS = (
    *BUILTIN,
    "draw 2; reverse",
    "skip; skip",
    "discard 3; draw 1",
    "give 2 most",
    "give 1 chosen",
    "take 3 fewest",
    "take 1 chosen; swap left",
    "swap most",
    "swap right; discard until 1",
    "everyone draws 2",
    "streak; wilds",
)
"""Rule cards with every effect (LC-51)."""


class RandomChance:
    """All chance from one seeded generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def reshuffle(self, cards: list[int], index: int) -> list[int]:
        return self.rng.sample(cards, len(cards))

    def lever(self) -> str:
        return self.rng.choice(LEVER_OUTCOMES)

    def rule_stack(self, cards: list[str], index: int) -> list[str]:
        return self.rng.sample(cards, len(cards))

    def blind(self, count: int) -> int:
        return self.rng.randrange(count)

    def redraw(self, pile: list[int]) -> int:
        return self.rng.randrange(len(pile))


def random_options(game: str, rng: random.Random) -> RuleOptions:
    """Consistent options of a game, some of them changed."""
    options = GAME_DEFAULTS[game]
    for name in rng.sample(list(OPTIONS), rng.choice((0, 3, 10, len(OPTIONS), len(OPTIONS)))):
        try:
            changed = with_options(options, **{name: _random_value(name, rng)})
            check_options(changed, game, GAME_DEFAULTS[game])
        except RulesError:
            continue
        options = changed
    return options


def _random_value(name: str, rng: random.Random) -> object:
    """A random value of an option; weights of the lever may leave outcomes out (LC-25)."""
    if name == "wj_lever_weights" and rng.random() < 0.7:
        weights = [rng.choice((0, 0, 1, 2, 99)) for _ in LEVER_OUTCOMES]
        return tuple(weights) if any(weights) else "uniform"
    return rng.choice(OPTIONS[name].choices)


def random_deal(rng: random.Random) -> tuple[RoundState, list[int]]:
    """A round just dealt, and its deck in order."""
    game = rng.choice(list(DECK_BUILDERS))
    options = random_options(game, rng)
    players = 4 if options.team_play else rng.choice((2, 2, 3, 4, 4, 6, 10))
    deck = DECK_BUILDERS[game]()
    rng.shuffle(deck)
    dispenser = rng.sample(RULE_CARD_TEXTS, len(RULE_CARD_TEXTS))
    table = deal(Ruleset(game, options), players, rng.randrange(players), deck, dispenser, RandomChance(rng))
    return table, sorted(deck)


def random_position(rng: random.Random, rules: Ruleset | None = None) -> tuple[RoundState, list[int]]:
    """A position with short hands and piles, near ends of rounds and empty supplies; and its cards in order."""
    if rules is None:
        game = rng.choice(list(DECK_BUILDERS))
        options = random_options(game, rng)
    else:
        game, options = rules.game, rules.options
    players = 4 if options.team_play else rng.choice((2, 2, 3, 4, 5))
    deck = DECK_BUILDERS[game]()
    rng.shuffle(deck)
    few = [card for card in deck if card_color(card) in (0, 4)] if rng.random() < 0.5 else deck  # many plays are legal
    if game == "all-wild" and rng.random() < 0.5:
        few = [card for card in deck if card != W or rng.random() < 0.2]  # mostly action cards
    hands = [[few.pop() for _ in range(rng.choice((1, 1, 2, 2, 3)))] for _ in range(players)]
    discard = [few.pop() for _ in range(rng.choice((1, 1, 2, 4)))]
    draw = [few.pop() for _ in range(rng.choice((0, 0, 1, 3, 8)))]
    color = -1 if game == "all-wild" else rng.randrange(4)
    dispenser = [rng.choice(RULE_CARD_TEXTS) for _ in range(3)]
    table = RoundState(
        Ruleset(game, options),
        hands,
        discard,
        draw,
        RandomChance(rng),
        turn=rng.randrange(players),
        direction=rng.choice((1, -1)),
        color=color,
        called={seat for seat in range(players) if len(hands[seat]) == 1 and rng.random() < 0.5},
        dispenser=dispenser,
    )
    return table, sorted([card for hand in hands for card in hand] + discard + draw)
