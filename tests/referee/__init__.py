"""A slow, plain implementation of ``docs/rules.md``: the oracle of the differential tests.

Written from the clauses alone; it shares nothing with the compiled kernel but the cards and the options. A
``RoundState`` holds the state; ``legal`` checks moves, ``effects`` applies them, and ``agenda`` executes the remaining
steps of a lever or a rule card.
"""

from __future__ import annotations

from collections.abc import Iterable

from lastcard.game.cards import DRAW_TWO, JACKPOT, REVERSE, SKIP, W_DRAW_FOUR, W_JACKPOT, W, card_face
from lastcard.game.rulesets import Ruleset
from referee.agenda import start_agenda
from referee.effects import apply_move
from referee.legal import check, legal_moves
from referee.moves import RefusedMove, parse_move
from referee.round_state import BUILTIN, CALL_PHASES, Chance, RoundState

__all__ = ["BUILTIN", "CALL_PHASES", "Chance", "RefusedMove", "RoundState", "deal", "do", "is_returned", "legal_moves"]


def deal(
    rules: Ruleset, players: int, dealer: int, deck: Iterable[int], dispenser: Iterable[str], chance: Chance
) -> RoundState:
    """Deal a round and apply the effect of its first card.

    Args:
        rules: ruleset of the round.
        players: number of seats.
        dealer: seat that deals.
        deck: shuffled deck, next card first.
        dispenser: rule cards as text, next first.
        chance: source of all further chance.
    """
    pile = list(deck)
    hands: list[list[int]] = [[] for _ in range(players)]
    for number in range(players * rules.options.hand_size):
        hands[(dealer + 1 + number) % players].append(pile.pop(0))
    first = pile.pop(0)
    while is_returned(rules, first) and any(not is_returned(rules, card) for card in pile):
        pile.append(first)
        first = pile.pop(chance.redraw(pile))
    left = (dealer + 1) % players
    state = RoundState(rules, hands, [first], pile, chance, turn=left, dealer=dealer, dispenser=list(dispenser))
    apply_first_card(state, first)
    state.end_if_exhausted()
    return state


def is_returned(rules: Ruleset, card: int) -> bool:
    """Whether a first card is returned and another turned over (AW-6, CL-10, CL-11, LC-22)."""
    options = rules.options
    if rules.game == "all-wild":
        return options.first_card_action == "redraw_until_wild" and card != W
    if card == W_DRAW_FOUR and options.first_card_wd4 == "return_and_redraw":
        return True
    return card in (W, W_DRAW_FOUR) and options.first_card_wild == "redraw"


def apply_first_card(state: RoundState, card: int) -> None:
    """The effect of the first card (AW-6, AW-7, CL-6 to CL-12, WJ-8, WJ-9)."""
    left, face = state.seat_after(state.dealer), card_face(card)
    if state.all_wild:
        return
    if card in (W, W_DRAW_FOUR):
        start_agenda(state, left, state.dealer, [("color", left)])
    elif face == JACKPOT:
        lever = state.options.wj_first_jackpot == "lever"
        asks = [("color", left)] if card == W_JACKPOT else []
        start_agenda(state, left, state.dealer, [*asks, ("pull" if lever else "choose", left)])
    elif face == SKIP:
        state.turn = state.seat_after(left)
    elif face == DRAW_TWO:
        state.must_draw(left, 2)
        state.turn = state.after_draw(left)
        state.drawn_cards.pop(state.turn, None)
    elif face == REVERSE:
        state.direction = -1
        right_first = state.options.first_card_reverse == "player_right_of_dealer_first"
        state.turn = state.seat_after(state.dealer) if right_first else state.dealer


def do(state: RoundState, seat: int, text: str) -> None:
    """Make a move of a seat.

    Args:
        state: round state, which changes.
        seat: seat that moves.
        text: move in notation, without ``SEAT:``.

    Raises:
        RefusedMove: if the rules do not allow it; nothing has changed then.
    """
    move = parse_move(text)
    check(state, seat, move)
    apply_move(state, seat, move)
    state.end_if_exhausted()
