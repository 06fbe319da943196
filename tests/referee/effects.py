"""Effects of an accepted move: playing, drawing, challenging, calling, and the effects of the cards."""

from __future__ import annotations

from lastcard.game.cards import (
    REVERSE,
    SKIP,
    W_DRAW_FOUR,
    W_JACKPOT,
    W_REVERSE,
    W_SKIP,
    W_SKIP_TWO,
    W_SWAP,
    W_TARGETED,
    card_face,
)
from referee.agenda import discard, name_color, name_seat, play_in_streak, pull, run_agenda, start_agenda
from referee.legal import color_use, draws, holds, is_number, is_wild, plays
from referee.moves import Move
from referee.round_state import RoundState


def is_skip(card: int) -> bool:
    """Whether a card is a Skip of any kind but Skip Two."""
    return card == W_SKIP or (not is_wild(card) and card_face(card) == SKIP)


def is_reverse(card: int) -> bool:
    """Whether a card is a Reverse of any kind."""
    return card == W_REVERSE or (not is_wild(card) and card_face(card) == REVERSE)


def is_jackpot(card: int) -> bool:
    """Whether a card pulls the lever."""
    return card_face(card) == card_face(W_JACKPOT)


def apply_move(state: RoundState, seat: int, move: Move) -> None:
    """Apply a move that has passed the check."""
    if move.verb == "play":
        play(state, seat, move)
    elif move.verb == "draw":
        voluntary_draw(state, seat)
    elif move.verb == "pass":
        state.stalled_turns = 0
        state.pass_turn(state.seat_after(seat), seat)
    elif move.verb == "uno":
        call_uno(state, seat)
    elif move.verb == "challenge":
        challenge(state, seat)
    elif move.verb == "accept":
        accept(state, seat)
    elif move.verb == "pull":
        pull(state, seat)
    elif move.verb in ("stop", "done"):
        run_agenda(state)
    elif move.verb == "catch" and move.target is not None:
        catch(state, seat, move.target)
    elif move.verb == "color" and move.color is not None:
        name_color(state, move.color)
    elif move.verb in ("choose", "take") and move.target is not None:
        name_seat(state, move.target)
    elif move.verb == "throw" and move.card is not None:
        discard(state, seat, move.card)
    elif move.verb == "bury" and move.card is not None:
        state.bury(seat, move.card)
        run_agenda(state)


# --- laying a card --------------------------------------------------------------------------------


def play(state: RoundState, seat: int, move: Move) -> None:
    """An ordinary play, a jump-in, an answer, or a card of a streak."""
    if state.decision == "streak":
        play_in_streak(state, seat, move)
        return
    assert move.card is not None
    state.stalled_turns = state.stalled_turns + 1 if seat == state.turn and state.decision == "drawn" else 0
    state.supply_exhausted = state.supply_exhausted or state.stalled_turns == 200  # LC-8
    jumps = seat != state.turn
    answering = state.decision in ("challenge", "stack") and not (jumps and state.options.jump_in_stack == "replace")
    if not answering:
        state.total = 0  # canceled by a jump-in (LC-41)
    state.begin_turn(seat)
    state.take_up_call(seat, move.uno)
    before = state.color
    color = move.color if color_use(state, seat, move.card) == "must" else None
    state.lay_card(seat, move.card, color)
    state.drawn = None
    if not state.hands[seat]:
        play_last_card(state, seat, move.card, move.target, answering)
    elif draws(move.card) or answering:
        apply_draw_card(state, seat, move.card, answering, before)
    else:
        apply_effect(state, seat, move.card, move.target)


def play_last_card(state: RoundState, seat: int, card: int, target: int | None, answering: bool) -> None:
    """Apply the last card, with the hand empty (CO-40 to CO-43, AW-41 to AW-45, LC-26, LC-42, LC-45)."""
    options, winner = state.options, seat
    if card == W_SWAP and options.forced_swap_last_card == "swap_wins_other":
        assert target is not None
        state.swap_hands(seat, target)
        winner = target
    elif card == W_TARGETED:
        if options.last_card_draw_counts and options.last_card_targeted_draw == "counts":  # LC-35
            assert target is not None
            state.must_draw(target, 2, last_card=True)
    elif options.seven_zero and options.seven_zero_last == "effect" and is_number(card, 7):
        assert target is not None
        state.swap_hands(seat, target)
        winner = target
    elif options.seven_zero and options.seven_zero_last == "effect" and is_number(card, 0):
        state.pass_hands()
        winner = state.seat_after(seat)
    elif draws(card) or answering:
        if is_reverse(card):
            state.direction = -state.direction
        if options.last_card_draw_counts:
            state.must_draw(state.seat_after(seat), state.total + draws(card), last_card=True)
    elif is_jackpot(card) and options.wj_last_jackpot == "pull":
        start_agenda(state, seat, seat, [("pull", seat)])
        return
    state.end_won(winner)


def apply_effect(state: RoundState, seat: int, card: int, target: int | None) -> None:
    """Apply a card that is neither the last nor makes the next player draw."""
    steps = 1
    if is_reverse(card):
        state.direction = -state.direction
        steps = 2 if state.players == 2 and state.options.two_player_reverse == "skip" else 1
    elif is_skip(card):
        steps = 2
    elif card == W_SKIP_TWO:
        steps = 2 if state.players == 2 and state.options.two_player_skip_two == "same_player" else 3
    elif card == W_TARGETED and target is not None:
        state.must_draw(target, 2)
    elif target is not None and (card == W_SWAP or is_number(card, 7)):
        state.swap_hands(seat, target)
    elif state.options.seven_zero and is_number(card, 0):
        state.pass_hands()
    elif is_jackpot(card):
        start_agenda(state, seat, seat, [("pull", seat)])
        return
    state.pass_turn(state.seat_after(seat, steps), seat)


def apply_draw_card(state: RoundState, seat: int, card: int, answering: bool, before: int) -> None:
    """Apply a draw card, or an answer to one: the next player draws, or may react to it."""
    if answering and is_reverse(card):
        state.direction = -state.direction  # LC-45
    state.total += draws(card)
    if draws(card):
        state.last_draw = card
    challengeable = card == W_DRAW_FOUR and not state.all_wild and state.options.wd4_mode == "challenge"
    if challengeable and not answering:
        state.challenged_seat, state.color_before = seat, before
        state.is_bluff = holds(state, seat, before)
        state.pass_turn(state.seat_after(seat), seat, "challenge")
    elif answering or state.options.stacking != "off" or (state.options.deflect and card != W_DRAW_FOUR):
        state.pass_turn(state.seat_after(seat), seat, "stack")
    else:
        state.must_draw(state.seat_after(seat), state.total)
        state.total = 0
        state.pass_turn(state.after_draw(state.seat_after(seat)), seat)


# --- a pending draw -------------------------------------------------------------------------------


def accept(state: RoundState, seat: int) -> None:
    """Draw all pending cards (CL-33, 6.1)."""
    state.must_draw(seat, state.total)
    state.total = 0
    state.pass_turn(state.after_draw(seat), None)


def challenge(state: RoundState, challenger: int) -> None:
    """Challenge a Wild Draw Four (CL-34 to CL-37, LC-19 to LC-21)."""
    victim, guilty = state.turn, state.is_bluff
    if state.options.challenge_evidence == "hand_now":
        guilty = holds(state, state.challenged_seat, state.color_before)
    if guilty:
        state.must_draw(state.challenged_seat, state.total)
    elif challenger == victim:
        state.must_draw(victim, state.options.challenge_fail_draw)
    elif state.options.stacking != "off":
        state.must_draw(challenger, 2)
        state.wait_for(victim, "stack")
        return
    else:
        state.must_draw(victim, state.total)
        state.must_draw(challenger, 2)
    state.total = 0
    if guilty and state.options.challenge_win_turn == "challenger_plays":
        state.drawn_cards.pop(victim, None)
        state.wait_for(victim, "play")
    else:
        state.pass_turn(state.seat_after(victim) if guilty else state.after_draw(victim), None)


# --- drawing one ----------------------------------------------------------------------------------


def voluntary_draw(state: RoundState, seat: int) -> None:
    """Draw, and play the drawn card or not; or pass if nothing can be drawn (CO-3, CO-34, LC-2, LC-43)."""
    state.begin_turn(seat)
    if not state.can_draw():
        state.passes += 1
        state.stalled_turns = 0
        if state.passes >= state.players:
            state.end_deadlocked()
        else:
            state.pass_turn(state.seat_after(seat), seat)
        return
    playable = False
    while not playable and (card := state.draw_one(seat)) is not None:
        state.decision, state.drawn = "drawn", card
        playable = bool(plays(state, seat, card))
        if state.options.draw_mode != "until_playable":
            break
    if playable and state.options.draw_then_play != "never":
        state.wait_for(seat, "drawn")
    else:
        state.stalled_turns = 0
        state.pass_turn(state.seat_after(seat), seat)


# --- calls and catches ----------------------------------------------------------------------------


def call_uno(state: RoundState, seat: int) -> None:
    """Make a call."""
    kind = state.call_kind(seat)
    if kind == "one":
        state.windows.discard(seat)
        state.called.add(seat)
    elif kind == "early":
        state.early.add(seat)
    else:
        state.must_draw(seat, 2, penalty=True)  # LC-18


def catch(state: RoundState, seat: int, target: int) -> None:
    """Catch a seat, or pay for a false catch."""
    if target in state.windows:
        state.windows.discard(target)
        state.caught.add(target)
        state.must_draw(target, state.options.uno_penalty, penalty=True)  # CO-17
    else:
        state.must_draw(seat, 2, penalty=True)  # LC-18
