"""Legality: every move is checked here before anything changes; nothing here changes a table."""

from __future__ import annotations

from lastcard.game.cards import (
    COLORS,
    DRAW_TWO,
    JACKPOT,
    REVERSE,
    SKIP,
    W_DRAW_FOUR,
    W_DRAW_TWO,
    W_JACKPOT,
    W_SWAP,
    W_TARGETED,
    WILD,
    W,
    card_color,
    card_face,
)
from referee.moves import Move, RefusedMove
from referee.round_state import CALL_PHASES, RoundState


def is_wild(card: int) -> bool:
    """Whether a card has no color of its own."""
    return card_color(card) == WILD


def draws(card: int) -> int:
    """How many cards a Draw Two or Draw Four makes the next player draw; 0 for any other card."""
    if card == W_DRAW_FOUR:
        return 4
    return 2 if card == W_DRAW_TWO or (not is_wild(card) and card_face(card) == DRAW_TWO) else 0


def is_number(card: int, number: int) -> bool:
    """Whether a card is this number in some color."""
    return not is_wild(card) and card_face(card) == number


# --- predicates -----------------------------------------------------------------------------------


def matches(state: RoundState, card: int) -> bool:
    """Whether a card matches the top card (CL-15 to CL-17, WJ-20 to WJ-22, AW-8)."""
    if is_wild(card) or card_color(card) == state.color:
        return True
    if not is_wild(state.top) and card_face(card) == card_face(state.top):
        return True
    on_wild_jackpot = card_face(card) == JACKPOT and state.top == W_JACKPOT
    return on_wild_jackpot and state.options.wj_jackpot_on_wild == "symbol_match"


def holds(state: RoundState, seat: int, color: int) -> bool:
    """Whether a seat holds a card of a color (CL-30)."""
    return any(card_color(card) == color for card in state.hands[seat])


def may_be_last(state: RoundState, card: int) -> bool:
    """Whether a card may be the last one laid (CO-41, LC-15, AW-45)."""
    if card == W_SWAP and state.options.forced_swap_last_card == "not_playable_last":
        return False
    rule = state.options.finish_restriction
    if rule == "no_wild":
        return not is_wild(card)
    if rule == "no_action":
        return card == W if state.all_wild else not is_wild(card) and card_face(card) <= 9
    return True


def answers(state: RoundState, card: int) -> bool:
    """Whether a card answers the pending draw (6.1, 6.7, LC-40, LC-45)."""
    amount, last, stacking = draws(card), draws(state.last_draw), state.options.stacking
    if stacking != "off" and amount and (amount == last or (amount > last and stacking != "same")):
        return True
    if not state.options.deflect or last != 2 or is_wild(state.top) or is_wild(card):
        return False
    if card_face(state.top) == DRAW_TWO:
        return card_face(card) in (SKIP, REVERSE) and card_color(card) == card_color(state.top)
    return card_face(state.top) == SKIP and card_face(card) == SKIP


def color_use(state: RoundState, seat: int, card: int) -> str:
    """Whether a play ``must`` name a color, names it without effect (``idle``), or may not (``no``)."""
    if not is_wild(card):
        return "no"
    if state.all_wild:
        return "idle"
    goes_on = card == W_JACKPOT and state.options.wj_last_jackpot == "pull" and state.decision != "streak"
    return "must" if len(state.hands[seat]) > 1 or goes_on else "idle"  # CO-43, LC-6


def target_use(state: RoundState, seat: int, card: int) -> str:
    """Whether a play ``must`` name a seat, names it without effect (``idle``), or may not (``no``)."""
    last, options = len(state.hands[seat]) == 1, state.options
    if card == W_TARGETED:
        waived = options.last_card_targeted_draw == "ignored" or not options.last_card_draw_counts  # LC-35
        return "idle" if last and waived else "must"
    if card == W_SWAP:
        return "idle" if last and options.forced_swap_last_card == "player_wins" else "must"
    if options.seven_zero and is_number(card, 7) and state.decision != "streak":
        return "idle" if last and options.seven_zero_last == "wins" else "must"
    return "no"


# --- plays ----------------------------------------------------------------------------------------


def check_play(state: RoundState, seat: int, move: Move) -> None:
    """Refuse a play that is not allowed."""
    card = move.card
    if card is None or card not in state.hands[seat]:
        raise RefusedMove("CO-3", "the card is not in the hand")
    check_moment(state, seat, card)
    if len(state.hands[seat]) == 1 and not may_be_last(state, card):
        raise RefusedMove("LC-15", "this card may not be the last")
    if state.must_wait(seat, card):
        raise RefusedMove("CO-8", "the card was drawn for another reason than the turn's own draw")
    color, target = color_use(state, seat, card), target_use(state, seat, card)
    if (color == "no" and move.color is not None) or (color == "must" and move.color is None):
        raise RefusedMove("CL-22", "a color is named with wilds, and only with them")
    if (target == "no" and move.target is not None) or (target == "must" and move.target is None):
        raise RefusedMove("AW-23", "a seat is named with a card that aims at one, and only then")
    if target == "must":
        check_target(state, seat, card, move.target)


def check_target(state: RoundState, seat: int, card: int, target: int | None) -> None:
    """Refuse a seat that a card may not aim at."""
    if target not in state.others(seat):
        raise RefusedMove("AW-23", "the target must be another seat")
    spared = card == W_SWAP and state.options.forced_swap_target == "not_player_with_one_card"
    if spared and len(state.hands[target]) == 1:
        raise RefusedMove("LC-34", "a player on one card cannot be named")


def check_moment(state: RoundState, seat: int, card: int) -> None:
    """Refuse a card that cannot be laid at this moment."""
    if state.decision in ("play", "stack") and seat != state.turn:
        check_jump_in(state, card)
    elif seat != state.turn:
        raise RefusedMove("LC-1", "another seat is on turn")
    elif state.decision in ("play", "drawn", "streak"):
        check_match(state, seat, card)
    elif state.decision not in ("challenge", "stack"):
        raise RefusedMove("CO-6", "something else has to be decided first")
    elif not answers(state, card):
        raise RefusedMove("LC-40", "this card is no answer")


def check_match(state: RoundState, seat: int, card: int) -> None:
    """Refuse a card that does not match the top card, or is not the drawn one."""
    if state.decision == "drawn" and card != state.drawn:
        raise RefusedMove("CL-20", "only the drawn card may be played")
    if state.all_wild:
        return
    if not matches(state, card):
        raise RefusedMove("CL-15", "the card does not match")
    honest = state.decision == "streak" or state.options.wd4_mode == "strict"
    if card == W_DRAW_FOUR and honest and holds(state, seat, state.color):
        raise RefusedMove("CL-30", "the current color is in the hand")


def check_jump_in(state: RoundState, card: int) -> None:
    """Refuse a card laid out of turn that is no jump-in (6.2, LC-41)."""
    if not state.options.jump_in:
        raise RefusedMove("LC-1", "another seat is on turn")
    if card != state.top or (is_wild(card) and not state.all_wild):
        raise RefusedMove("LC-41", "only a card identical to the top card jumps in")
    if state.decision == "stack" and not draws(state.top):
        raise RefusedMove("LC-41", "the top card is no draw card")
    if not state.top_on_pile:
        raise RefusedMove("LC-41", "the discard pile has no top card")


def plays(state: RoundState, seat: int, card: int) -> list[Move]:
    """The plays of one card that are allowed now, as the list of legal moves has them."""
    colors: tuple[int | None, ...] = COLORS if color_use(state, seat, card) == "must" else (None,)
    aims = target_use(state, seat, card) == "must"
    targets: list[int | None] = [*state.others(seat)] if aims else [None]
    moves = [Move("play", card, color, target) for color in colors for target in targets]
    return [move for move in moves if is_allowed(state, seat, move)]


def has_playable(state: RoundState, seat: int) -> bool:
    """Whether a seat on turn holds a card that counts as playable (CL-15, 6.5)."""
    return any(is_playable(state, seat, card) for card in set(state.hands[seat]))


def is_playable(state: RoundState, seat: int, card: int) -> bool:
    """Whether a card can be played and is not a mere bluff."""
    if card == W_DRAW_FOUR and not state.all_wild and state.options.wd4_mode != "free":
        return not holds(state, seat, state.color) and bool(plays(state, seat, card))
    return bool(plays(state, seat, card))


# --- everything else ------------------------------------------------------------------------------


def check_uno(state: RoundState, seat: int) -> None:
    """Refuse a call that may not even be made as a false one."""
    if state.decision not in CALL_PHASES:
        raise RefusedMove("LC-4", "no calls while this is being resolved")
    if state.call_kind(seat) == "false" and state.options.false_uno_penalty == "none":
        raise RefusedMove("CO-13", "no call is due")


def check_catch(state: RoundState, seat: int, target: int) -> None:
    """Refuse a catch that may not even be made as a false one."""
    if state.decision not in CALL_PHASES:
        raise RefusedMove("LC-4", "no catches while this is being resolved")
    if target == seat or not 0 <= target < state.players:
        raise RefusedMove("CO-14", "only another seat can be caught")
    if target in state.windows:
        return
    if target in state.caught or state.options.false_catch_penalty == "none":
        raise RefusedMove("CO-20", "there is no open window")


def check_draw(state: RoundState, seat: int) -> None:
    """Refuse a voluntary draw that is not allowed."""
    if state.decision != "play":
        raise RefusedMove("CO-6", "there is nothing to draw for now")
    if not has_playable(state, seat):
        return
    if not state.can_draw():
        raise RefusedMove("CO-34", "nothing can be drawn, a card must be played")
    if state.options.force_play == "always" or state.options.voluntary_draw == "only_if_no_playable":
        raise RefusedMove("LC-44", "a playable card is held")


def check_pass(state: RoundState, seat: int) -> None:
    """Refuse to keep a drawn card that must be played."""
    if state.decision != "drawn" or state.drawn is None:
        raise RefusedMove("CO-4", "there is no pass without drawing")
    forced = state.options.draw_then_play == "must_play_drawn" or state.options.force_play != "off"
    if forced and is_playable(state, seat, state.drawn):
        raise RefusedMove("LC-44", "the drawn card must be played")


def check_challenge(state: RoundState, seat: int) -> None:
    """Refuse a challenge of nothing, of oneself, or by somebody who may not."""
    if state.decision != "challenge":
        raise RefusedMove("CL-32", "there is nothing to challenge")
    if seat == state.challenged_seat or (seat != state.turn and state.options.challenge_by == "victim_only"):
        raise RefusedMove("LC-19", "this seat may not challenge")


def can_discard(state: RoundState, seat: int, card: int) -> bool:
    """Whether a card may be discarded now (WJ-40e, WJ-41, LC-15)."""
    if is_wild(card) or card_color(card) in state.discarded_colors or card not in state.hands[seat]:
        return False
    return len(state.hands[seat]) > 1 or may_be_last(state, card)


def check(state: RoundState, seat: int, move: Move) -> None:
    """Raise a ``RefusedMove`` with the clause if the rules do not allow a move."""
    if state.decision == "over" or not 0 <= seat < state.players:
        raise RefusedMove("CO-40", "the round is over, or there is no such seat")
    if move.verb == "uno":
        check_uno(state, seat)
    elif move.verb == "catch":
        check_catch(state, seat, -1 if move.target is None else move.target)
    elif move.verb == "play":
        check_play(state, seat, move)
    elif move.verb == "challenge":
        check_challenge(state, seat)
    elif seat != state.turn:
        raise RefusedMove("LC-1", "another seat is on turn")
    elif move.verb == "draw":
        check_draw(state, seat)
    elif move.verb == "pass":
        check_pass(state, seat)
    elif not fits_decision(state, seat, move):
        raise RefusedMove("CO-6", "this is not what has to be decided")


def fits_decision(state: RoundState, seat: int, move: Move) -> bool:
    """Whether a move of the seat on turn answers the pending decision."""
    verb, decision = move.verb, state.decision
    if verb == "accept":
        return decision in ("challenge", "stack")
    if verb in ("choose", "take"):
        return decision == verb and move.target in state.candidates
    if verb == "throw":
        return decision == "throw" and move.card is not None and can_discard(state, seat, move.card)
    if verb == "bury":
        return decision == "bury" and move.card in state.hands[seat]
    return decision == {"stop": "throw", "done": "perform"}.get(verb, verb)  # pull, color


def is_allowed(state: RoundState, seat: int, move: Move) -> bool:
    """Whether a move passes the check."""
    try:
        check(state, seat, move)
    except RefusedMove:
        return False
    return True


def legal_moves(state: RoundState, seat: int, false_calls: bool = True) -> set[str]:
    """All moves of a seat in canonical notation, without the ``!`` forms.

    ``false_calls`` includes calls and catches that only cost their maker cards (LC-18).
    """
    verbs = ("uno", "challenge", "draw", "pass", "accept", "pull", "stop", "done")
    hand, seats = sorted(set(state.hands[seat])), range(state.players)
    moves = [Move(verb) for verb in verbs]
    moves += [Move("color", color=color) for color in COLORS]
    moves += [Move(verb, target=s) for verb in ("catch", "choose", "take") for s in seats]
    moves += [Move(verb, card) for verb in ("throw", "bury") for card in hand]
    found = [move for move in moves if is_allowed(state, seat, move)]
    found += [move for card in hand for move in plays(state, seat, card)]
    if not false_calls:
        found = [move for move in found if not is_false_call(state, seat, move)]
    return {str(move) for move in found}


def is_false_call(state: RoundState, seat: int, move: Move) -> bool:
    """Whether a move is a call or a catch without cause."""
    if move.verb == "uno":
        return state.call_kind(seat) == "false"
    return move.verb == "catch" and move.target not in state.windows
