"""A slow, plain reading of ``docs/rules.md``: the oracle of the differential tests.

Written from the clauses alone; it shares nothing with the compiled kernel but the cards and the options. A ``Table``
is what lies there; ``legal`` says what may be done, ``effects`` does it, and ``agenda`` works off what a lever or a
rule card still has to do.
"""

from __future__ import annotations

from collections.abc import Iterable

from lastcard.game.cards import DRAW_TWO, JACKPOT, REVERSE, SKIP, W_DRAW_FOUR, W_JACKPOT, W, card_face
from lastcard.game.rulesets import Ruleset
from referee.acts import Illegal, read_act
from referee.agenda import start_agenda
from referee.effects import carry_out
from referee.legal import check, legal_moves
from referee.table import BUILTIN, CALL_PHASES, Chance, Table

__all__ = ["BUILTIN", "CALL_PHASES", "Chance", "Illegal", "Table", "deal", "do", "goes_back", "legal_moves"]


def deal(
    rules: Ruleset, players: int, dealer: int, deck: Iterable[int], dispenser: Iterable[str], chance: Chance
) -> Table:
    """Deal a round and carry out what its first card asks for.

    Args:
        rules: what the round is played by.
        players: seats.
        dealer: the seat that deals.
        deck: shuffled, next card first.
        dispenser: rule cards as text, next first.
        chance: the source of all further chance.
    """
    pile = list(deck)
    hands: list[list[int]] = [[] for _ in range(players)]
    for number in range(players * rules.options.hand_size):
        hands[(dealer + 1 + number) % players].append(pile.pop(0))
    first = pile.pop(0)
    while goes_back(rules, first) and any(not goes_back(rules, card) for card in pile):
        pile.append(first)
        first = pile.pop(chance.redraw(pile))
    left = (dealer + 1) % players
    table = Table(rules, hands, [first], pile, chance, turn=left, dealer=dealer, dispenser=list(dispenser))
    open_round(table, first)
    table.settle()
    return table


def goes_back(rules: Ruleset, card: int) -> bool:
    """Whether a first card is returned and another turned over (AW-6, CL-10, CL-11, LC-22)."""
    options = rules.options
    if rules.game == "all-wild":
        return options.first_card_action == "redraw_until_wild" and card != W
    if card == W_DRAW_FOUR and options.first_card_wd4 == "return_and_redraw":
        return True
    return card in (W, W_DRAW_FOUR) and options.first_card_wild == "redraw"


def open_round(table: Table, card: int) -> None:
    """The effect of the first card (AW-6, AW-7, CL-6 to CL-12, WJ-8, WJ-9)."""
    left, face = table.step(table.dealer), card_face(card)
    if table.all_wild:
        return
    if card in (W, W_DRAW_FOUR):
        start_agenda(table, left, table.dealer, [("color", left)])
    elif face == JACKPOT:
        lever = table.options.wj_first_jackpot == "lever"
        asks = [("color", left)] if card == W_JACKPOT else []
        start_agenda(table, left, table.dealer, [*asks, ("pull" if lever else "choose", left)])
    elif face == SKIP:
        table.turn = table.step(left)
    elif face == DRAW_TWO:
        table.must_draw(left, 2)
        table.turn = table.after_draw(left)
        table.drawn_cards.pop(table.turn, None)
    elif face == REVERSE:
        table.direction = -1
        right_first = table.options.first_card_reverse == "player_right_of_dealer_first"
        table.turn = table.step(table.dealer) if right_first else table.dealer


def do(table: Table, seat: int, move: str) -> None:
    """Take one act of a seat.

    Args:
        table: where.
        seat: who acts.
        move: the act in notation, without ``SEAT:``.

    Raises:
        Illegal: where the rules do not allow it; nothing has changed then.
    """
    act = read_act(move)
    check(table, seat, act)
    carry_out(table, seat, act)
    table.settle()
