"""The lever of Wild Jackpot, rule cards, and opening cards that ask a question.

The agenda is a list of steps. They are executed in order until one has to ask a seat; the answer puts its consequences
in front of the rest.
"""

from __future__ import annotations

from collections.abc import Callable

from lastcard.game.cards import DRAW_TWO, JACKPOT, REVERSE, SKIP, W_DRAW_FOUR, W_JACKPOT, W, card_color, card_face
from referee.legal import can_discard, may_be_last, plays
from referee.moves import Move
from referee.round_state import AgendaStep, RoundState


def start_agenda(state: RoundState, puller: int, origin: int, steps: list[AgendaStep]) -> None:
    """Begin with a lever, a rule card or an opening card."""
    state.puller, state.origin = puller, origin
    state.extra_pulls = 0
    state.color_stays = state.top == W_JACKPOT and state.options.wj_discard_color == "named_color_stays"
    state.skipped_seats.clear()
    state.agenda = steps
    run_agenda(state)


def put_first(state: RoundState, *steps: AgendaStep) -> None:
    """Put steps in front of the agenda."""
    state.agenda[:0] = steps


def run_agenda(state: RoundState) -> None:
    """Execute the agenda until a question is pending, or the turn goes on, or the round is over."""
    asked = False
    while not asked and state.decision != "over":
        if not state.agenda:
            asked = finish_agenda(state)
            continue
        kind, *rest = state.agenda.pop(0)
        asked = STEPS[str(kind)](state, *rest)


def ask(state: RoundState, seat: int, decision: str) -> bool:
    """Wait for an answer."""
    state.wait_for(seat, decision)
    return True


def finish_agenda(state: RoundState) -> bool:
    """All is resolved: pull again, or win, or pass the turn on (WJ-25, WJ-43, LC-26, LC-27, LC-56)."""
    if not state.hands[state.puller]:
        state.end_won(state.puller)
        return True
    if state.extra_pulls:
        state.extra_pulls -= 1
        return ask(state, state.puller, "pull")
    seat = state.seat_after(state.origin)
    while seat in state.skipped_seats:
        seat = state.seat_after(seat)
    state.skipped_seats.clear()
    state.pass_turn(seat, state.puller)
    return True


# --- seats that a card hits -----------------------------------------------------------------------


def next_victim(state: RoundState) -> int:
    """The seat that a discarded card hits (WJ-43, LC-28)."""
    near = state.seat_after(state.origin)
    if state.options.wj_discard_multi == "successive_players":
        for count in range(1, state.players):
            if state.seat_after(state.origin, count) not in state.skipped_seats:
                return state.seat_after(state.origin, count)
    return near


def reverse_direction(state: RoundState) -> None:
    """Apply a discarded Reverse or a rule card ``reverse``: with two players it may mark the other one."""
    state.direction = -state.direction
    if state.players == 2 and state.options.two_player_reverse == "skip":
        state.skipped_seats.add(state.seat_after(state.origin))


# --- steps that ask, and their answers ------------------------------------------------------------


def step_choose(state: RoundState, seat: int) -> bool:
    """A seat names the player who gets a rule card, which may be itself (WJ-8, WJ-40a)."""
    state.candidates = list(range(state.players))
    state.follow = ("performer",)
    return ask(state, seat, "choose")


def step_discard(state: RoundState, seat: int) -> bool:
    """The puller may discard a card if it still can."""
    return any(can_discard(state, seat, card) for card in state.hands[seat]) and ask(state, seat, "throw")


def name_color(state: RoundState, color: int) -> None:
    """The answer to ``color``."""
    state.color = color
    run_agenda(state)


def name_seat(state: RoundState, target: int) -> None:
    """The answer to ``choose`` and ``take``."""
    put_first(state, (*state.follow, target))
    run_agenda(state)


def pull(state: RoundState, seat: int) -> None:
    """Pull the lever (WJ-40)."""
    outcome = state.chance.lever()
    if outcome == "choose":
        put_first(state, ("choose", seat))
    elif outcome == "right":
        put_first(state, ("performer", (seat - 1) % state.players))
    elif outcome == "left":
        put_first(state, ("performer", (seat + 1) % state.players))
    elif outcome == "all":
        put_first(state, *(("performer", state.seat_after(seat, count)) for count in range(state.players)))
    elif outcome == "discard":
        state.discarded_colors.clear()
        put_first(state, ("throw", seat))
    elif outcome == "draw4":
        state.must_draw(seat, 4)
    else:
        raise ValueError(f"the lever has no outcome {outcome!r}")
    run_agenda(state)


def discard(state: RoundState, seat: int, card: int) -> None:
    """Discard a card, which takes effect at once (WJ-40e to WJ-45)."""
    color, face = state.color, card_face(card)
    state.lay_card(seat, card, None)
    state.discarded_colors.add(card_color(card))
    if state.color_stays:
        state.color = color
    if not state.hands[seat]:
        if face == DRAW_TWO and state.options.last_card_draw_counts:
            state.must_draw(next_victim(state), 2, last_card=True)
        state.end_won(seat)
        return
    if face in (DRAW_TWO, SKIP):
        struck = next_victim(state)
        if face == SKIP or state.after_draw(struck) != struck:
            state.skipped_seats.add(struck)
        state.must_draw(struck, 2 if face == DRAW_TWO else 0)
    elif face == REVERSE:
        reverse_direction(state)
    elif face == JACKPOT and state.options.wj_discard_jackpot == "pull":
        state.extra_pulls += 1
    put_first(state, ("throw", seat))
    run_agenda(state)


# --- rule cards -----------------------------------------------------------------------------------


def step_performer(state: RoundState, seat: int) -> bool:
    """A seat gets a rule card (WJ-46, LC-55) and performs it."""
    if not state.dispenser:
        if not state.used:
            return False
        state.dispenser = list(state.chance.rule_stack(state.used, state.dispenser_refills))
        state.dispenser_refills += 1
        state.used = []
    program = state.dispenser.pop(0)
    state.used.append(program)
    if program.lower().startswith("dare:"):
        return ask(state, seat, "perform")
    put_first(state, *(("effect", seat, effect.strip()) for effect in program.split(";")))
    return False


def step_effect(state: RoundState, seat: int, text: str) -> bool:
    """Apply one effect of a rule card (LC-51, LC-52, LC-53)."""
    words = text.lower().split()
    number = next((int(word) for word in words if word.isdigit()), 0)
    held = len(state.hands[seat])
    until = "until" in words
    if words[0] in ("give", "take", "swap"):
        return choose_other(state, seat, words[0], number, words[-1])
    if held:
        put_first(state, ("judge_effect", seat))
    if words[0] == "draw":
        state.must_draw(seat, number - held if until else number)
    elif words[0] == "discard":
        put_first(state, ("bury", seat, held - number if until else number))
    elif words[0] == "everyone":
        for count in range(state.players):
            state.must_draw(state.seat_after(seat, count), number)
    elif words[0] == "streak":
        put_first(state, ("streak", seat))
    elif words[0] == "wilds":
        lay_wilds(state, seat)
    elif words[0] == "skip":
        state.skipped_seats.add(state.seat_after(state.origin))
    elif words[0] == "reverse":
        reverse_direction(state)
    else:
        raise ValueError(f"no rule card has the effect {text!r}")
    return False


def step_check_winner(state: RoundState, *seats: int) -> bool:
    """After an effect: of these seats, which held cards before it, the first without cards has won (LC-54)."""
    for seat in seats:
        if not state.hands[seat]:
            state.end_won(seat)
            break
    return False


def choose_other(state: RoundState, seat: int, verb: str, number: int, who: str) -> bool:
    """Find the other player of a give, take or swap; ask if several are possible."""
    others = state.others(seat)
    sizes = [len(state.hands[s]) for s in others]
    if who == "left":
        found = [(seat + 1) % state.players]
    elif who == "right":
        found = [(seat - 1) % state.players]
    elif who == "most":
        found = [s for s in others if len(state.hands[s]) == max(sizes)]
    elif who == "fewest":
        found = [s for s in others if len(state.hands[s]) == min(sizes)]
    else:
        found = others
    state.follow = ("exchange", verb, number, seat)
    state.candidates = found
    if len(found) == 1:
        put_first(state, (*state.follow, found[0]))
        return False
    return ask(state, seat, "take" if verb == "take" and who in ("most", "fewest") else "choose")


def step_exchange(state: RoundState, verb: str, number: int, seat: int, other: int) -> bool:
    """Cards are given, taken or swapped."""
    held = [s for s in (seat, other) if state.hands[s]]
    if verb == "give":
        state.move_blind(seat, other, number)
    elif verb == "take":
        state.move_blind(other, seat, number)
    else:
        state.swap_hands(seat, other)
    put_first(state, ("judge_effect", *held))
    return False


def step_bury(state: RoundState, seat: int, count: int) -> bool:
    """``count`` more cards are buried; if only one answer is possible, nothing is asked (LC-52)."""
    hand = state.hands[seat]
    if count <= 0 or not hand:
        return False
    put_first(state, ("bury", seat, count - 1))
    if len(set(hand)) == 1:
        state.bury(seat, hand[0])
        return False
    return ask(state, seat, "bury")


def step_streak(state: RoundState, seat: int) -> bool:
    """The performer goes on while it holds a card that may be laid (R2)."""
    state.wait_for(seat, "streak")
    return any(plays(state, seat, card) for card in set(state.hands[seat]))


def play_in_streak(state: RoundState, seat: int, move: Move) -> None:
    """Lay one card of a streak, without effect."""
    assert move.card is not None
    state.take_up_call(seat, move.uno)
    state.lay_card(seat, move.card, move.color if len(state.hands[seat]) > 1 else None)
    put_first(state, ("streak", seat))
    run_agenda(state)


def lay_wilds(state: RoundState, seat: int) -> None:
    """All wilds go on the pile; the last card stays if it may not be last (R4, LC-15)."""
    hand = state.hands[seat]
    wilds = []
    for kind in (W, W_DRAW_FOUR, W_JACKPOT):
        waiting = state.drawn_cards[seat][kind] if seat in state.drawn_cards else 0
        wilds += [kind] * (hand.count(kind) - waiting)
    if len(wilds) == len(hand) and wilds and not may_be_last(state, wilds[-1]):
        wilds.pop()
    if wilds:
        state.take_up_call(seat, False)
    for card in wilds:
        state.lay_card(seat, card, None)
    if wilds and hand:
        put_first(state, ("color", seat))


STEPS: dict[str, Callable[..., bool]] = {
    "color": lambda state, seat: ask(state, seat, "color"),
    "pull": lambda state, seat: ask(state, seat, "pull"),
    "choose": step_choose,
    "throw": step_discard,
    "performer": step_performer,
    "effect": step_effect,
    "judge_effect": step_check_winner,
    "exchange": step_exchange,
    "bury": step_bury,
    "streak": step_streak,
}
"""Handler of each kind of step; True if a seat has been asked."""
