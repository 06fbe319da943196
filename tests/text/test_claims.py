"""The explained rules of a table match the engine: every checkable line is checked under every option.

A line of ``lastcard rules NAME`` is a text with a key; ``CLAIMS`` proves that key by a few moves. These tests find a
line that another option makes untrue: then the text needs to change, or another one is used.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import pytest

from lastcard.errors import RulesError
from lastcard.game.cards import COLORS, parse_card
from lastcard.game.options import OPTIONS, value_text
from lastcard.game.position import parse_position
from lastcard.game.rulesets import GAMES, Ruleset, ruleset
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.text.explanation import make_rules_page
from lastcard.text.locale import Catalog, catalog
from support.arranged_decks import deal_arranged, play_moves
from support.rulesets import ruleset_variants

Claim = Callable[[Ruleset], object]
CLAIMS: Final[dict[str, Claim]] = {}

ELSEWHERE: Final = (
    "rules.aim", "rules.players", "rules.team", "rules.deal", "rules.deck", "rules.start", "rules.new_round",
    "rules.lever.", "rules.pile.", "rules.score.", "rules.uno.swap", "rules.uno.last", "rules.first.jackpot",
    "rules.first.wild_jackpot", "rules.first.no_answer", "rules.challenge.shown", "rules.head.", "rules.title",
    "rules.line", "rules.card_line", "rules.options.", "rules.name", "rules.turn.later",
)  # fmt: skip
"""Keys with these beginnings claim nothing that a few moves show; cases and tests prove their clauses."""

TOGETHER: Final = tuple(
    map(
        ruleset,
        (
            "classic+challenge_by=anyone+stacking=same",
            "classic+challenge_by=anyone+stacking=cross+draw_keeps_turn",
            "classic+deadlock=lowest_hand_wins+scoring=tally",
            "classic+jump_in+reshuffle=keep_none",
            "wild-jackpot+wj_last_jackpot=pull+wj_rules=written",
        ),
    )
)
"""Tables with lines that depend on two options, one of which is no house rule."""

USUAL: Final = frozenset(
    f"option.{name}.{value_text(option.choices[0])}" for name, option in OPTIONS.items() if option.is_house_rule
)
"""House rules that are off; other lines describe the default."""


def claims(*keys: str) -> Callable[[Claim], Claim]:
    """Register a play as the proof of some texts."""

    def add(claim: Claim) -> Claim:
        for key in keys:
            assert key not in CLAIMS
            CLAIMS[key] = claim
        return claim

    return add


def ends_with_a_draw(key: str, drawer: int) -> Callable[[Callable[[Ruleset], Round]], Callable[[Ruleset], Round]]:
    """Register a play that proves a text about drawing: the next seat draws, and loses the turn or not."""

    def add(play: Callable[[Ruleset], Round]) -> Callable[[Ruleset], Round]:
        def lost(rules: Ruleset) -> None:
            assert play(rules).turn == drawer + 1

        def plays_on(rules: Ruleset) -> None:
            assert play(rules).turn == drawer

        claims(key)(lost)
        claims(f"{key}.under.draw_keeps_turn")(plays_on)
        return play

    return add


def at(rules: Ruleset, first: str, *others: str, discard: str = "R3", draw: str = "B5 B6 B8 B9 Y5 Y6 Y8 Y9") -> Round:
    """Four players; seat 0 is on turn. In All Wild, missing hands are plain Wilds."""
    wild = rules.game == "all-wild"
    usual = ("W W W",) * 4 if wild else ("", "G1 G2 G4", "B1 B2 B4", "Y1 Y2 Y4")
    hands = [first, *(hand or usual[seat] for seat, hand in enumerate((*others, "", "", "")[:3], start=1))]
    piles = {"discard": "W", "draw": "W*20"} if wild else {"discard": discard, "draw": draw}
    return Round.from_position(parse_position({"rules": str(rules), "hands": hands, **piles}))


def take(table: Round) -> None:
    """The seat with a pending draw accepts it."""
    if table.decision in ("stack", "challenge"):
        table.do(table.turn, "accept")


def draw_card(rules: Ruleset) -> str:
    """A Draw Two of the game."""
    return "W+2" if rules.game == "all-wild" else "R+2"


# --- draws -----------------------------------------------------------------------------------------


@ends_with_a_draw("rules.effect.draw", 1)
def drawn_two(rules: Ruleset) -> Round:
    """Seat 0 lays a Draw Two and seat 1 accepts it."""
    table = play_moves(at(rules, f"{draw_card(rules)} W W"), f"0:{draw_card(rules)}")
    take(table)
    assert table.counts == (2, 5, 3, 3)
    return table


@claims("option.draw_keeps_turn.true")
def _draw_without_losing_turn(rules: Ruleset) -> None:
    assert drawn_two(rules).turn == 1


@ends_with_a_draw("rules.first.draw_two", 1)
def _first_draw_two(rules: Ruleset) -> Round:
    table = deal_arranged(str(rules), 4, "R+2")
    assert table.counts[1] == rules.options.hand_size + 2
    return table


@claims("rules.effect.answer")
def _answer(rules: Ruleset) -> None:
    answered(rules)


@ends_with_a_draw("rules.stack.how", 2)
def _taken(rules: Ruleset) -> Round:
    return deflected(rules) if rules.options.stacking == "off" else answered(rules)


def answered(rules: Ruleset) -> Round:
    """Seat 1 adds two to a Draw Two, and seat 2 accepts all."""
    card = draw_card(rules)
    answer = card if card == "W+2" else "Y+2"
    table = at(rules, f"{card} W W", f"{answer} W W" if card == "W+2" else "Y+2 G1 G2")
    play_moves(table, f"0:{card}", f"1:{answer}", "2:accept")
    assert table.counts == (2, 2, 7, 3)
    return table


@claims("rules.effect.deflect", "option.deflect.true")
def _deflect(rules: Ruleset) -> None:
    """A Skip of any color answers a Skip; nothing deflects a Reverse, and a Draw Two needs its own color."""
    deflected(rules)
    for played, seat, answer, possible in (
        ("Rs", 2, "Gs", True), ("Rs", 2, "Rr", False), ("Rr", 0, "Gs", False), ("Rr", 0, "Rs", False),
        ("Rr", 0, "Gr", False),
    ):  # fmt: skip
        held = f"{answer} B1 B2"
        table = play_moves(at(rules, f"R+2 {held}", f"{played} Ys G2", held), "0:R+2")
        assert not table.can(1, "Ys")
        table.do(1, played)
        assert table.turn == seat and table.can(seat, answer) == possible


def deflected(rules: Ruleset) -> Round:
    """Seat 1 answers a Draw Two with a Skip, and seat 2 accepts it."""
    table = play_moves(at(rules, "R+2 R1 R2", "Rs G1 G2"), "0:R+2", "1:Rs", "2:accept")
    assert table.counts == (2, 2, 5, 3)
    return table


@claims("rules.stack.all_wild")
def _never_answers(rules: Ruleset) -> None:
    table = play_moves(at(rules, "W+2 W W", "W@2 Wx W"), "0:W+2")
    assert table.decision == "stack" and not table.can(1, "W@2>2") and not table.can(1, "Wx>2")


@claims("rules.stack.wild_draw_four")
def _answering_four(rules: Ruleset) -> None:
    table = play_moves(at(rules, "W+4 G3 G5", "W+4 R1 R2"), "0:W+4=R", "1:W+4=G")
    assert table.decision == "stack" and not table.can(2, "challenge")


def answers(rules: Ruleset, card: str) -> bool:
    """Whether a card is an answer to a Draw Two."""
    held = card.partition("=")[0]
    table = play_moves(at(rules, f"{draw_card(rules)} W W", f"{held} W W"), f"0:{draw_card(rules)}")
    return table.decision == "stack" and table.can(1, card)


@claims("option.stacking.same")
def _same(rules: Ruleset) -> None:
    four = "W+4" if rules.game == "all-wild" else "W+4=G"
    assert answers(rules, draw_card(rules)) and not answers(rules, four)


@claims("option.stacking.cross", "option.stacking.equal_or_higher")
def _cross(rules: Ruleset) -> None:
    four = "W+4" if rules.game == "all-wild" else "W+4=G"
    assert answers(rules, draw_card(rules)) and answers(rules, four)


def jumped(rules: Ruleset) -> Round:
    """Seat 2 jumps in on the Draw Two of seat 0; seat 3 accepts the pending cards."""
    card = draw_card(rules)
    table = play_moves(at(rules, f"{card} W W", "", f"{card} W W"), f"0:{card}", f"2:{card}")
    take(table)
    return table


@claims("option.jump_in_stack.add")
def _jump_adds(rules: Ruleset) -> None:
    assert jumped(rules).counts == (2, 3, 2, 7)


@claims("option.jump_in_stack.replace")
def _jump_replaces(rules: Ruleset) -> None:
    assert jumped(rules).counts == (2, 3, 2, 5)


# --- Wild Draw Four and challenges -----------------------------------------------------------------


@claims("option.wd4_mode.challenge")
@ends_with_a_draw("rules.effect.wild_draw_four.challenge", 1)
def _bluff(rules: Ruleset) -> Round:
    table = play_moves(at(rules, "W+4 R1 R2"), "0:W+4=G")
    assert table.decision == "challenge" and table.turn == 1
    table.do(1, "accept")
    assert table.counts[1] == 7
    return table


@claims("option.wd4_mode.strict")
@ends_with_a_draw("rules.effect.wild_draw_four.strict", 1)
def _strict(rules: Ruleset) -> Round:
    assert not at(rules, "W+4 R1 R2").can(0, "W+4=G")
    return _four(rules, "W+4 G1 G2")


@claims("option.wd4_mode.free")
@ends_with_a_draw("rules.effect.wild_draw_four.free", 1)
def _free(rules: Ruleset) -> Round:
    return _four(rules, "W+4 R1 R2")


def _four(rules: Ruleset, hand: str, move: str = "W+4=G") -> Round:
    """No challenge: the next player draws four."""
    table = play_moves(at(rules, hand), f"0:{move}")
    assert not table.can(1, "challenge")
    take(table)
    assert table.counts[1] == 7
    return table


@claims("rules.effect.draw_four_any")
def _four_any(rules: Ruleset) -> None:
    _four(rules, "W+4 W W", "W+4")


def challenged(rules: Ruleset, hand: str, seat: int) -> Round:
    """A Wild Draw Four of seat 0 is challenged."""
    return play_moves(at(rules, hand), "0:W+4=G", f"{seat}:challenge")


@ends_with_a_draw("rules.challenge.innocent", 1)
def _innocent(rules: Ruleset) -> Round:
    table = challenged(rules, "W+4 G3 G5", 1)
    assert table.counts == (2, 9, 3, 3)
    return table


@claims("rules.challenge.guilty.challenger_plays")
def _bluff_challenged(rules: Ruleset) -> None:
    table = challenged(rules, "W+4 R1 R2", 1)
    assert table.counts == (6, 3, 3, 3) and table.turn == 1


@claims("rules.challenge.guilty.challenger_skipped")
def _bluff_challenged_skipped(rules: Ruleset) -> None:
    table = challenged(rules, "W+4 R1 R2", 1)
    assert table.counts == (6, 3, 3, 3) and table.turn == 2


@claims("rules.challenge.outsider")
def _outsider(rules: Ruleset) -> None:
    assert challenged(rules, "W+4 G3 G5", 3).counts == (2, 7, 3, 5)


@claims("rules.challenge.outsider.stacking")
def _outsider_stacking(rules: Ruleset) -> None:
    table = challenged(rules, "W+4 G3 G5", 3)
    assert table.counts == (2, 3, 3, 5) and table.turn == 1 and table.decision == "stack"
    table.do(1, "accept")
    assert table.counts == (2, 7, 3, 5)


@claims("rules.effect.jackpot_color")
def _jackpot_color(rules: Ruleset) -> None:
    table = at(rules, "W+4 Rj G1")
    if rules.options.wd4_mode == "strict":
        assert not table.can(0, "W+4=G")
    else:
        assert play_moves(table, "0:W+4=G", "1:challenge").counts[0] == 6


# --- other cards -----------------------------------------------------------------------------------


@claims("rules.effect.skip", "rules.effect.reverse", "rules.effect.skip_two")
def _skip(rules: Ruleset) -> None:
    color = "W" if rules.game == "all-wild" else "R"
    for card, turn in (("s", 2), ("r", 3), ("ss", 3))[: 3 if color == "W" else 2]:
        assert play_moves(at(rules, f"{color}{card} W W"), f"0:{color}{card}").turn == turn


@claims("rules.effect.swap")
def _swap(rules: Ruleset) -> None:
    table = play_moves(at(rules, "Wx Ws Ws"), "0:Wx>2")
    assert table.turn == 1 and table.counts == (3, 3, 2, 3)


@claims("rules.effect.targeted")
def _targeted(rules: Ruleset) -> None:
    table = play_moves(at(rules, "W@2 W W"), "0:W@2>2")
    assert table.turn == 1 and table.counts == (2, 3, 5, 3)


@claims("rules.effect.wild", "rules.effect.wild_any")
def _wild(rules: Ruleset) -> None:
    table = at(rules, "W Ws Ws" if rules.game == "all-wild" else "W R1 R2")
    table.do(0, "W" if rules.game == "all-wild" else "W=G")
    assert table.turn == 1 and (rules.game == "all-wild" or table.color == COLORS[2])


@claims("rules.effect.jackpot", "rules.effect.wild_jackpot")
def _jackpot(rules: Ruleset) -> None:
    for card, play in (("Rj", "Rj"), ("Wj", "Wj=G")):
        assert play_moves(at(rules, f"{card} R1 R2"), f"0:{play}").decision == "pull"


@claims("option.seven_zero.true")
def _seven_zero(rules: Ruleset) -> None:
    assert play_moves(at(rules, "R7 R1 R2", "G1 G2 G4 G5"), "0:R7>1").counts == (4, 2, 3, 3)
    assert play_moves(at(rules, "R0 R1 R2"), "0:R0").counts == (3, 2, 3, 3)


# --- turns -----------------------------------------------------------------------------------------


@claims("rules.first.number", "rules.first.skip")
def _first(rules: Ruleset) -> None:
    assert deal_arranged(str(rules), 4, "R5").turn == 1
    assert deal_arranged(str(rules), 4, "Rs").turn == 2


@claims("rules.turn.match", "rules.turn.all_wild")
def _match(rules: Ruleset) -> None:
    if rules.game == "all-wild":
        table = at(rules, "W Ws Wr W+2")
        assert all(table.can(0, card) for card in ("W", "Ws", "Wr", "W+2"))
    else:
        table = at(rules, "R1 G3 B2 W")
        assert all(table.can(0, move) for move in ("R1", "G3", "W=B")) and not table.can(0, "B2")


@claims("rules.turn.draw.one")
def _draw_one(rules: Ruleset) -> None:
    wild = rules.game == "all-wild"
    table = stuck(rules) if wild else at(rules, "G1 G2 G4")
    held = table.counts[0]
    table.do(0, "draw")
    assert table.counts[0] == held + 1 and (wild or table.turn == 1)


def stuck(rules: Ruleset) -> Round:
    """All Wild: seat 0 holds Forced Swaps that some option forbids to play now (LC-3)."""
    tries = (at(rules, hand, "W", "W", "W") for hand in ("Wx", "Wx Wx"))
    return next(table for table in tries if not any(table.can(0, move) for move in ("Wx", "Wx>1")))


@claims("rules.turn.draw.until_playable", "rules.turn.voluntary.until_playable", "option.draw_mode.until_playable")
def _draw_until(rules: Ruleset) -> None:
    for hand in ("G1 G2 G4", "R1 G2 G4") if at(rules, "R1 G2 G4").can(0, "draw") else ("G1 G2 G4",):
        table = play_moves(at(rules, hand, draw="B5 B6 R9 B8"), "0:draw")
        assert table.counts[0] == 6 and table.decision == "drawn"


@claims("rules.turn.voluntary", "rules.turn.draw_all_wild")
def _voluntary(rules: Ruleset) -> None:
    assert at(rules, "W W W" if rules.game == "all-wild" else "R1 R2 R4").can(0, "draw")


@claims("rules.turn.must_play", "option.force_play.always", "option.force_play.always.all-wild")
def _must_play(rules: Ruleset) -> None:
    assert not at(rules, "W W W" if rules.game == "all-wild" else "R1 R2 R4").can(0, "draw")


@claims("rules.turn.no_pass")
def _no_pass(rules: Ruleset) -> None:
    assert not at(rules, "W W W" if rules.game == "all-wild" else "G1 G2 G4").can(0, "pass")


def drew_playable(rules: Ruleset) -> Round | None:
    """Seat 0 has just drawn a card that fits; None in All Wild where nobody who can play may draw."""
    table = at(rules, "W W W" if rules.game == "all-wild" else "G1 G2 G4", draw="R9 B5")
    return play_moves(table, "0:draw") if table.can(0, "draw") else None


@claims("rules.drawn.may")
def _may(rules: Ruleset) -> None:
    table = drew_playable(rules)
    assert table is not None and table.decision == "drawn" and table.can(0, "pass")


@claims("rules.drawn.must", "option.force_play.drawn", "option.force_play.drawn.all-wild")
def _must(rules: Ruleset) -> None:
    table = drew_playable(rules)
    assert table is None or (table.decision == "drawn" and not table.can(0, "pass"))


@claims("rules.drawn.must.bluff")
def _must_not_bluff(rules: Ruleset) -> None:
    """A drawn Wild Draw Four need not be played as a bluff; an honest one must be."""
    _must(rules)
    honest = play_moves(at(rules, "G1 G2 G4", draw="W+4 B5"), "0:draw")
    assert not honest.can(0, "pass")
    if rules.options.force_play == "always" or rules.options.voluntary_draw == "only_if_no_playable":
        return  # a player who holds the current color may not draw
    bluff = play_moves(at(rules, "R1 G2 G4", draw="W+4 B5"), "0:draw")
    assert bluff.can(0, "W+4=G") and bluff.can(0, "pass")


@claims("rules.drawn.never")
def _never(rules: Ruleset) -> None:
    table = drew_playable(rules)
    assert table is not None and table.turn == 1


@claims("rules.jump_in.colored", "rules.jump_in.all_wild", "option.jump_in.true")
def _jump_in(rules: Ruleset) -> None:
    card = "Wr" if rules.game == "all-wild" else "R1"
    assert play_moves(at(rules, f"{card} W W", "", f"{card} W W"), f"0:{card}", f"2:{card}").turn == 3


# --- options that are no house rules ---------------------------------------------------------------


def with_empty_pile(rules: Ruleset, first: str, *others: str, discard: str = "R7", **more: object) -> Round:
    """A round with an empty draw pile; ``more`` are further keys of the position."""
    rows = {"rules": str(rules), "hands": [first, *others], "discard": discard, "draw": "", **more}
    return Round.from_position(parse_position(rows))


@claims("option.short_draw.end_round", "option.short_draw.end_round.all-wild")
def _end_round(rules: Ruleset) -> None:
    card = draw_card(rules)
    discard = "W" if rules.game == "all-wild" else "R7"
    table = play_moves(with_empty_pile(rules, f"{card} W W", "W W W", "W W W", discard=discard), f"0:{card}")
    take(table)
    assert table.decision == "over" and table.winner is None
    assert play_moves(with_empty_pile(rules, card, "W W W", "W W W", discard=discard), f"0:{card}").winner == 0


@claims("option.deadlock.lowest_hand_wins")
def _lowest_hand_wins(rules: Ruleset) -> None:
    for second, winner in (("Y1 G2", 1), ("G5 G6", None)):
        table = play_moves(with_empty_pile(rules, "G5 G6", second, "Y9 Y2"), "0:draw", "1:draw", "2:draw")
        assert table.decision == "over" and table.winner == winner
    match = Match(rules, 3, seed=1)
    match.round = with_empty_pile(rules, "G5 G6", "Y1 G2", "Y9 Y2")
    play_moves(match, "0:draw", "1:draw", "2:draw")
    assert match.scores == ((11, 0, 11) if rules.options.scoring == "tally" else (0, 22, 0))


@claims("option.reshuffle.keep_none")
def _keep_none(rules: Ruleset) -> None:
    table = play_moves(with_empty_pile(rules, "G5 G6", "G1 R2 Y7", "Y1 Y2"), "0:draw", "0:pass")
    assert table.discard_count == 0
    assert [table.can(1, card) for card in ("G1", "R2", "Y7")] == [False, True, True]
    table = play_moves(with_empty_pile(rules, "G5 G6", "G1 R2 Y7", "R7 Y2"), "0:draw", "0:pass")
    assert not table.can(2, "R7")
    table = play_moves(with_empty_pile(rules, "R+2 R1 R2", "G1 G2", "Y1 Y2"), "0:R+2")
    take(table)
    assert table.discard_count == 1 and table.counts[1] == 3


@claims("option.reshuffle.keep_none.all-wild")
def _keep_none_all_wild(rules: Ruleset) -> None:
    table = play_moves(with_empty_pile(rules, "W W W", "W W W", discard="Ws"), "0:draw")
    assert table.discard_count == 0 and table.hand(0).count(parse_card("Ws")) == 1


def discarded(rules: Ruleset, *cards: str) -> Round:
    """Seat 0 discards cards through the lever; four players."""
    hand = f"Rj {' '.join(cards)} R1 R2"
    table = with_empty_pile(
        rules, hand, "G1 G2", "Y1 Y2", "B1 B2", draw="B3 B4 B5 B6 B7 B8", lever=["discard", "draw4"]
    )
    play_moves(table, "0:Rj", "0:pull", *(f"0:throw {card}" for card in cards))
    return play_moves(table, "0:stop") if table.decision == "throw" else table


@claims("option.wj_discard_multi.same_next_player_one_turn")
def _one_turn(rules: Ruleset) -> None:
    """A Skip and two Draw Twos cost the same player four cards and one turn."""
    table = discarded(rules, "Gs", "Y+2", "B+2")
    assert table.counts[1:] == (6, 2, 2) and table.turn == 2
    assert discarded(rules, "Gs", "Br", "Y+2").counts[1:] == (2, 2, 4)


@claims("option.wj_discard_multi.successive_players")
def _successive_players(rules: Ruleset) -> None:
    table = discarded(rules, "Gs", "Y+2")
    assert table.counts[1:] == (2, 4, 2) and table.turn == 3
    table = discarded(rules, "Gs", "Ys", "Bs", "R+2")
    assert table.counts[1:] == (4, 2, 2)


@claims("option.wj_discard_jackpot.pull")
def _one_more_pull(rules: Ruleset) -> None:
    assert discarded(rules, "Gj").decision == "pull"


@claims("option.wj_discard_colour.named_colour_stays")
def _named_color_stays(rules: Ruleset) -> None:
    assert discarded(rules, "G5").color == COLORS[2]
    table = with_empty_pile(rules, "Wj G5 R1 R2", "G1 G2", "Y1 Y2", draw="B3 B4", lever=["discard"])
    assert play_moves(table, "0:Wj=B", "0:pull", "0:throw G5", "0:stop").color == COLORS[3]


@claims("option.wj_last_jackpot.pull")
def _last_jackpot(rules: Ruleset) -> None:
    """The lever may leave the puller without cards, or not."""
    for lever, winner in (("discard", 0), ("draw4", None)):
        table = with_empty_pile(rules, "Rj", "G1 G2", "Y1 Y2", draw="B3 B4 B5 B6 B7", lever=[lever])
        assert play_moves(table, "0:Rj").decision == "pull"
        assert play_moves(table, "0:pull").winner == winner
    played = with_empty_pile(rules, "Rj", "R1", "Y1 Y2", draw="B3 B4 B5 B6 B7", lever=["choose"], rule_cards=["streak"])
    assert play_moves(played, "0:Rj", "0:pull", "0:choose>1", "1:R1").winner == 1


@claims("option.false_uno_penalty.2", "option.false_uno_penalty.none")
def _false_call(rules: Ruleset) -> None:
    wild = rules.game == "all-wild"
    table = at(rules, "W W W" if wild else "R1 R2 R4")
    fined = rules.options.false_uno_penalty == "2"
    assert table.can(0, "uno") == fined
    if fined:
        assert play_moves(table, "0:uno").counts[0] == 5
    play = "W!" if wild else "R1!"
    for hand, fine in ("W W W", 2), ("W W", 0), ("W", 0):
        table = at(rules, hand if wild else hand.replace("W", "R1"))
        if table.can(0, play[:-1]):
            assert play_moves(table, f"0:{play}").counts[0] == len(hand.split()) - 1 + (fine if fined else 0)


@claims("option.false_catch_penalty.2", "option.false_catch_penalty.none")
def _false_catch(rules: Ruleset) -> None:
    table = at(rules, "W W W" if rules.game == "all-wild" else "R1 R2 R4")
    fined = rules.options.false_catch_penalty == "2"
    assert table.can(2, "catch>1") == fined
    if fined:
        assert play_moves(table, "2:catch>1").counts[2] == 5
    assert not play_moves(down_to_one(rules), "2:catch>0").can(3, "catch>0")


# --- UNO and going out -----------------------------------------------------------------------------


def down_to_one(rules: Ruleset) -> Round:
    """Seat 0 lays its last but one card without a call."""
    hand = "W W" if rules.game == "all-wild" else "R1 R2"
    return play_moves(at(rules, hand), f"0:{hand.split()[0]}")


@claims("rules.uno.automatic")
def _automatic(rules: Ruleset) -> None:
    assert 0 in down_to_one(rules).called


@claims("rules.uno.duty")
def _duty(rules: Ruleset) -> None:
    table = down_to_one(rules)
    assert 0 not in table.called and table.can(0, "uno")


@claims("rules.uno.catch")
def _catch(rules: Ruleset) -> None:
    table = play_moves(down_to_one(rules), "2:catch>0")
    assert table.counts[0] == 1 + rules.options.uno_penalty and table.turn == 1


def last(rules: Ruleset, card: str) -> Round | None:
    """Seat 0 lays its last card; None if it may not."""
    table = at(rules, card.partition("=")[0].partition(">")[0])
    return play_moves(table, f"0:{card}") if table.can(0, card) else None


@claims("rules.out")
def _out(rules: Ruleset) -> None:
    table = last(rules, "W" if rules.game == "all-wild" else "R1")
    restricted = rules.options.finish_restriction == "no_wild" and rules.game == "all-wild"
    assert restricted or (table is not None and table.winner == 0)


@claims("rules.out.no_effect", "rules.out.no_effect.no_wild", "rules.out.no_effect.all_wild")
def _no_effect(rules: Ruleset) -> None:
    for card in ("Wr", "Ws", "Wss") if rules.game == "all-wild" else ("Rr", "Rs"):
        table = last(rules, card)
        assert table is not None and table.winner == 0 and table.counts == (0, 3, 3, 3)
    wild = last(rules, "W")
    assert (wild is None) == (rules.options.finish_restriction == "no_wild")


@claims("rules.out.deflect")
def _out_deflect(rules: Ruleset) -> None:
    table = play_moves(at(rules, "R+2 R1 R2", "Rs"), "0:R+2", "1:Rs")
    assert table.winner == 1 and table.counts == (2, 0, 5, 3)


@claims("option.finish_restriction.no_wild", "option.finish_restriction.no_action")
def _no_wild_last(rules: Ruleset) -> None:
    assert last(rules, "W") is None and last(rules, "R1") is not None
    assert (last(rules, "Rs") is None) == (rules.options.finish_restriction == "no_action")


@claims("option.finish_restriction.no_action.all-wild")
def _plain_wild_last(rules: Ruleset) -> None:
    assert last(rules, "W") is not None and last(rules, "Ws") is None


@claims("option.seven_zero_last.wins", "option.seven_zero_last.effect")
def _last_seven(rules: Ruleset) -> None:
    effect = rules.options.seven_zero_last == "effect"
    table = last(rules, "R7>2" if effect else "R7")
    assert table is not None and table.winner == (2 if effect else 0)


@claims("option.team_play.true")
def _team(rules: Ruleset) -> None:
    with pytest.raises(RulesError):
        Round.deal(rules, 3)


# --- every table -----------------------------------------------------------------------------------


class Listening(Catalog):
    """The English texts; records which are used, up to the list of options."""

    def __init__(self) -> None:
        super().__init__("en", catalog("en").texts)
        self.said: set[str] = set()
        self.open = True

    def text(self, key: str, /, **values: object) -> str:
        """The text, recorded."""
        self.open = self.open and key != "rules.head.options"
        if self.open:
            self.said.add(key)
        return super().text(key, **values)


@cache
def said(rules: Ruleset) -> frozenset[str]:
    """The keys of a table's explanation: lines, and house rules that are on."""
    texts = Listening()
    make_rules_page(rules, texts)
    house_rules = {f"option.{name}" for name, option in OPTIONS.items() if option.is_house_rule}
    keys = {key for key in texts.said if key.startswith("rules.") or key.rpartition(".")[0] in house_rules}
    keys |= {key for key in texts.said if key.startswith("option.") and key.endswith(".all-wild")}
    keys |= texts.said & CLAIMS.keys()
    return frozenset(key for key in keys - USUAL if not key.startswith(ELSEWHERE))


@pytest.mark.parametrize("game", GAMES)
def test_explanations_match_the_engine(game: str) -> None:
    wrong: list[str] = []
    for rules in (*ruleset_variants(game), *(rules for rules in TOGETHER if rules.game == game)):
        for key in sorted(said(rules) & CLAIMS.keys()):
            try:
                CLAIMS[key](rules)
            except Exception as error:
                wrong.append(f"{rules}: the text {key} is not true: {catalog('en').texts[key]!r} ({error!r:.80})")
    assert not wrong, "\n".join(wrong[:20])


def test_every_line_claims_something_or_is_proved_elsewhere() -> None:
    every = (*TOGETHER, *(rules for game in GAMES for rules in ruleset_variants(game)))
    unclaimed = {key for rules in every for key in said(rules)} - CLAIMS.keys()
    assert not unclaimed, f"add a play that proves them to CLAIMS in {__name__}: {', '.join(sorted(unclaimed))}"
