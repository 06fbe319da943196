"""The lever of Wild Jackpot, rule cards, and opening cards that ask something.

What is still to be done stands on an agenda of steps, worked off in order until a step has to ask
somebody; the answer puts its consequences in front of the rest.
"""

from __future__ import annotations

from collections.abc import Callable

from lastcard.game.cards import DRAW_TWO, JACKPOT, REVERSE, SKIP, W_DRAW_FOUR, W_JACKPOT, W, card_color, card_face
from referee.acts import Act
from referee.legal import may_be_last, plays, throwable
from referee.table import AgendaStep, Table


def start_agenda(table: Table, puller: int, origin: int, steps: list[AgendaStep]) -> None:
    """Begin with a lever, a rule card or an opening card."""
    table.puller, table.origin = puller, origin
    table.extra_pulls = 0
    table.color_stays = table.top == W_JACKPOT and table.options.wj_discard_color == "named_color_stays"
    table.marked.clear()
    table.agenda = steps
    run(table)


def put_first(table: Table, *steps: AgendaStep) -> None:
    """Put steps in front of the agenda."""
    table.agenda[:0] = steps


def run(table: Table) -> None:
    """Work off the agenda until something has to be asked, or the turn goes on, or the round is over."""
    asked = False
    while not asked and table.decision != "over":
        if not table.agenda:
            asked = agenda_done(table)
            continue
        kind, *rest = table.agenda.pop(0)
        asked = STEPS[str(kind)](table, *rest)


def ask(table: Table, seat: int, decision: str) -> bool:
    """Wait for an answer."""
    table.wait(seat, decision)
    return True


def agenda_done(table: Table) -> bool:
    """All is resolved: pull again, or win, or pass the turn on (WJ-25, WJ-43, LC-26, LC-27, LC-56)."""
    if not table.hands[table.puller]:
        table.win(table.puller)
        return True
    if table.extra_pulls:
        table.extra_pulls -= 1
        return ask(table, table.puller, "pull")
    seat = table.step(table.origin)
    while seat in table.marked:
        seat = table.step(seat)
    table.marked.clear()
    table.move_on(seat, table.puller)
    return True


# --- who is struck --------------------------------------------------------------------------------


def next_to_strike(table: Table) -> int:
    """Whom a card thrown off strikes (WJ-43, LC-28)."""
    near = table.step(table.origin)
    if table.options.wj_discard_multi == "successive_players":
        for count in range(1, table.players):
            if table.step(table.origin, count) not in table.marked:
                return table.step(table.origin, count)
    return near


def turn_around(table: Table) -> None:
    """A Reverse thrown off or a rule card ``reverse``: with two players it may mark the other one."""
    table.direction = -table.direction
    if table.players == 2 and table.options.two_player_reverse == "skip":
        table.marked.add(table.step(table.origin))


# --- asking steps and their answers ---------------------------------------------------------------


def step_color(table: Table, seat: int) -> bool:
    """Somebody names the color."""
    return ask(table, seat, "color")


def step_pull(table: Table, seat: int) -> bool:
    """Somebody pulls the lever."""
    return ask(table, seat, "pull")


def step_choose(table: Table, seat: int) -> bool:
    """Somebody names the player who gets a rule card, himself included (WJ-8, WJ-40a)."""
    table.candidates = list(range(table.players))
    table.follow = ("performer",)
    return ask(table, seat, "choose")


def step_throw(table: Table, seat: int) -> bool:
    """The puller may throw off a card, where he still can."""
    return any(throwable(table, seat, card) for card in table.hands[seat]) and ask(table, seat, "throw")


def name_color(table: Table, color: int) -> None:
    """The answer to ``color``."""
    table.color = color
    run(table)


def name_seat(table: Table, target: int) -> None:
    """The answer to ``choose`` and ``take``."""
    put_first(table, (*table.follow, target))
    run(table)


def pull(table: Table, seat: int) -> None:
    """The lever falls (WJ-40)."""
    outcome = table.chance.lever()
    if outcome == "choose":
        put_first(table, ("choose", seat))
    elif outcome == "right":
        put_first(table, ("performer", (seat - 1) % table.players))
    elif outcome == "left":
        put_first(table, ("performer", (seat + 1) % table.players))
    elif outcome == "all":
        put_first(table, *(("performer", table.step(seat, count)) for count in range(table.players)))
    elif outcome == "discard":
        table.thrown.clear()
        put_first(table, ("throw", seat))
    elif outcome == "draw4":
        table.must_draw(seat, 4)
    else:
        raise ValueError(f"the lever has no outcome {outcome!r}")
    run(table)


def throw(table: Table, seat: int, card: int) -> None:
    """A card is thrown off and strikes at once (WJ-40e to WJ-45)."""
    color, face = table.color, card_face(card)
    table.lay(seat, card, None)
    table.thrown.add(card_color(card))
    if table.color_stays:
        table.color = color
    if not table.hands[seat]:
        if face == DRAW_TWO and table.options.last_card_draw_counts:
            table.must_draw(next_to_strike(table), 2, last_card=True)
        table.win(seat)
        return
    if face in (DRAW_TWO, SKIP):
        struck = next_to_strike(table)
        if face == SKIP or table.after_draw(struck) != struck:
            table.marked.add(struck)
        table.must_draw(struck, 2 if face == DRAW_TWO else 0)
    elif face == REVERSE:
        turn_around(table)
    elif face == JACKPOT and table.options.wj_discard_jackpot == "pull":
        table.extra_pulls += 1
    put_first(table, ("throw", seat))
    run(table)


# --- rule cards -----------------------------------------------------------------------------------


def step_performer(table: Table, seat: int) -> bool:
    """A seat gets a rule card (WJ-46, LC-55) and performs it."""
    if not table.dispenser:
        if not table.used:
            return False
        table.dispenser = list(table.chance.rule_stack(table.used, table.stackings))
        table.stackings += 1
        table.used = []
    program = table.dispenser.pop(0)
    table.used.append(program)
    if program.lower().startswith("dare:"):
        return ask(table, seat, "perform")
    put_first(table, *(("effect", seat, effect.strip()) for effect in program.split(";")))
    return False


def step_effect(table: Table, seat: int, text: str) -> bool:
    """One effect of a rule card (LC-51, LC-52, LC-53)."""
    words = text.lower().split()
    number = next((int(word) for word in words if word.isdigit()), 0)
    held = len(table.hands[seat])
    until = "until" in words
    if words[0] in ("give", "take", "swap"):
        return pick_other(table, seat, words[0], number, words[-1])
    if held:
        put_first(table, ("judge_effect", seat))
    if words[0] == "draw":
        table.must_draw(seat, number - held if until else number)
    elif words[0] == "discard":
        put_first(table, ("bury", seat, held - number if until else number))
    elif words[0] == "everyone":
        for count in range(table.players):
            table.must_draw(table.step(seat, count), number)
    elif words[0] == "streak":
        put_first(table, ("streak", seat))
    elif words[0] == "wilds":
        lay_wilds(table, seat)
    elif words[0] == "skip":
        table.marked.add(table.step(table.origin))
    elif words[0] == "reverse":
        turn_around(table)
    else:
        raise ValueError(f"no rule card has the effect {text!r}")
    return False


def step_judge_effect(table: Table, *seats: int) -> bool:
    """After an effect: the first of some seats, which held cards before it, that holds none has won (LC-54)."""
    for seat in seats:
        if not table.hands[seat]:
            table.win(seat)
            break
    return False


def pick_other(table: Table, seat: int, verb: str, number: int, who: str) -> bool:
    """Find the other player of a give, take or swap; ask where several are possible."""
    others = table.others(seat)
    sizes = [len(table.hands[s]) for s in others]
    if who == "left":
        found = [(seat + 1) % table.players]
    elif who == "right":
        found = [(seat - 1) % table.players]
    elif who == "most":
        found = [s for s in others if len(table.hands[s]) == max(sizes)]
    elif who == "fewest":
        found = [s for s in others if len(table.hands[s]) == min(sizes)]
    else:
        found = others
    table.follow = ("exchange", verb, number, seat)
    table.candidates = found
    if len(found) == 1:
        put_first(table, (*table.follow, found[0]))
        return False
    return ask(table, seat, "take" if verb == "take" and who in ("most", "fewest") else "choose")


def step_exchange(table: Table, verb: str, number: int, seat: int, other: int) -> bool:
    """Cards are given, taken or swapped."""
    held = [s for s in (seat, other) if table.hands[s]]
    if verb == "give":
        table.move_blind(seat, other, number)
    elif verb == "take":
        table.move_blind(other, seat, number)
    else:
        table.swap_hands(seat, other)
    put_first(table, ("judge_effect", *held))
    return False


def step_bury(table: Table, seat: int, count: int) -> bool:
    """``count`` more cards are buried; one possible answer asks nothing (LC-52)."""
    hand = table.hands[seat]
    if count <= 0 or not hand:
        return False
    put_first(table, ("bury", seat, count - 1))
    if len(set(hand)) == 1:
        table.bury(seat, hand[0])
        return False
    return ask(table, seat, "bury")


def step_streak(table: Table, seat: int) -> bool:
    """The performer goes on while he holds a card that may be laid (R2)."""
    table.wait(seat, "streak")
    return any(plays(table, seat, card) for card in set(table.hands[seat]))


def lay_in_streak(table: Table, seat: int, act: Act) -> None:
    """One card of a streak: no effect."""
    assert act.card is not None
    table.speak(seat, act.uno)
    table.lay(seat, act.card, act.color if len(table.hands[seat]) > 1 else None)
    put_first(table, ("streak", seat))
    run(table)


def lay_wilds(table: Table, seat: int) -> None:
    """All wilds go on the pile; the last card stays if it may not be last (R4, LC-15)."""
    hand = table.hands[seat]
    wilds = []
    for kind in (W, W_DRAW_FOUR, W_JACKPOT):
        waiting = table.drawn_cards[seat][kind] if seat in table.drawn_cards else 0
        wilds += [kind] * (hand.count(kind) - waiting)
    if len(wilds) == len(hand) and wilds and not may_be_last(table, wilds[-1]):
        wilds.pop()
    if wilds:
        table.speak(seat, False)
    for card in wilds:
        table.lay(seat, card, None)
    if wilds and hand:
        put_first(table, ("color", seat))


STEPS: dict[str, Callable[..., bool]] = {
    "color": step_color,
    "pull": step_pull,
    "choose": step_choose,
    "throw": step_throw,
    "performer": step_performer,
    "effect": step_effect,
    "judge_effect": step_judge_effect,
    "exchange": step_exchange,
    "bury": step_bury,
    "streak": step_streak,
}
"""What each kind of step does; True where somebody has been asked."""
