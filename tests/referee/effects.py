"""What an accepted act does: playing, drawing, challenging, calling, and the effects of the cards."""

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
from referee.acts import Act
from referee.agenda import lay_in_streak, name_color, name_seat, pull, run, start_agenda, throw
from referee.legal import color_use, draws, holds, is_number, is_wild, plays
from referee.table import Table


def is_skip(card: int) -> bool:
    """Whether a card is a Skip of any kind but Skip Two."""
    return card == W_SKIP or (not is_wild(card) and card_face(card) == SKIP)


def is_reverse(card: int) -> bool:
    """Whether a card is a Reverse of any kind."""
    return card == W_REVERSE or (not is_wild(card) and card_face(card) == REVERSE)


def is_jackpot(card: int) -> bool:
    """Whether a card pulls the lever."""
    return card_face(card) == card_face(W_JACKPOT)


def carry_out(table: Table, seat: int, act: Act) -> None:
    """Do what an act says that has passed the check."""
    if act.verb == "play":
        play(table, seat, act)
    elif act.verb == "draw":
        voluntary_draw(table, seat)
    elif act.verb == "pass":
        table.circles = 0
        table.move_on(table.step(seat), seat)
    elif act.verb == "uno":
        uno(table, seat)
    elif act.verb == "challenge":
        challenge(table, seat)
    elif act.verb == "accept":
        accept(table, seat)
    elif act.verb == "pull":
        pull(table, seat)
    elif act.verb in ("stop", "done"):
        run(table)
    elif act.verb == "catch" and act.target is not None:
        catch(table, seat, act.target)
    elif act.verb == "color" and act.color is not None:
        name_color(table, act.color)
    elif act.verb in ("choose", "take") and act.target is not None:
        name_seat(table, act.target)
    elif act.verb == "throw" and act.card is not None:
        throw(table, seat, act.card)
    elif act.verb == "bury" and act.card is not None:
        table.bury(seat, act.card)
        run(table)


# --- laying a card --------------------------------------------------------------------------------


def play(table: Table, seat: int, act: Act) -> None:
    """An ordinary play, a jump-in, an answer, or a card of a streak."""
    if table.decision == "streak":
        lay_in_streak(table, seat, act)
        return
    assert act.card is not None
    table.circles = table.circles + 1 if seat == table.turn and table.decision == "drawn" else 0
    table.short = table.short or table.circles == 200  # LC-8
    jumps = seat != table.turn
    answering = table.decision in ("challenge", "stack") and not (jumps and table.options.jump_in_stack == "replace")
    if not answering:
        table.total = 0  # canceled by a jump-in (LC-41)
    table.begin(seat)
    table.speak(seat, act.uno)
    before = table.color
    color = act.color if color_use(table, seat, act.card) == "must" else None
    table.lay(seat, act.card, color)
    table.drawn = None
    if not table.hands[seat]:
        last_card(table, seat, act.card, act.target, answering)
    elif draws(act.card) or answering:
        aim_draw(table, seat, act.card, answering, before)
    else:
        effect(table, seat, act.card, act.target)


def last_card(table: Table, seat: int, card: int, target: int | None, answering: bool) -> None:
    """The hand is empty (CO-40 to CO-43, AW-41 to AW-45, LC-26, LC-42, LC-45)."""
    options, winner = table.options, seat
    if card == W_SWAP and options.forced_swap_last_card == "swap_wins_other":
        assert target is not None
        table.swap_hands(seat, target)
        winner = target
    elif card == W_TARGETED:
        if options.last_card_draw_counts and options.last_card_targeted_draw == "counts":  # LC-35
            assert target is not None
            table.must_draw(target, 2, last_card=True)
    elif options.seven_zero and options.seven_zero_last == "effect" and is_number(card, 7):
        assert target is not None
        table.swap_hands(seat, target)
        winner = target
    elif options.seven_zero and options.seven_zero_last == "effect" and is_number(card, 0):
        table.pass_hands()
        winner = table.step(seat)
    elif draws(card) or answering:
        if is_reverse(card):
            table.direction = -table.direction
        if options.last_card_draw_counts:
            table.must_draw(table.step(seat), table.total + draws(card), last_card=True)
    elif is_jackpot(card) and options.wj_last_jackpot == "pull":
        start_agenda(table, seat, seat, [("pull", seat)])
        return
    table.win(winner)


def effect(table: Table, seat: int, card: int, target: int | None) -> None:
    """What a card does that is neither the last nor makes the next player draw."""
    steps = 1
    if is_reverse(card):
        table.direction = -table.direction
        steps = 2 if table.players == 2 and table.options.two_player_reverse == "skip" else 1
    elif is_skip(card):
        steps = 2
    elif card == W_SKIP_TWO:
        steps = 2 if table.players == 2 and table.options.two_player_skip_two == "same_player" else 3
    elif card == W_TARGETED and target is not None:
        table.must_draw(target, 2)
    elif target is not None and (card == W_SWAP or is_number(card, 7)):
        table.swap_hands(seat, target)
    elif table.options.seven_zero and is_number(card, 0):
        table.pass_hands()
    elif is_jackpot(card):
        start_agenda(table, seat, seat, [("pull", seat)])
        return
    table.move_on(table.step(seat, steps), seat)


def aim_draw(table: Table, seat: int, card: int, answering: bool, before: int) -> None:
    """A draw card, or an answer to one: the next player draws, or may do something about it."""
    if answering and is_reverse(card):
        table.direction = -table.direction  # LC-45
    table.total += draws(card)
    if draws(card):
        table.last_draw = card
    challengeable = card == W_DRAW_FOUR and not table.all_wild and table.options.wd4_mode == "challenge"
    if challengeable and not answering:
        table.suspect, table.suspect_color = seat, before
        table.suspect_guilty = holds(table, seat, before)
        table.move_on(table.step(seat), seat, "challenge")
    elif answering or table.options.stacking != "off" or (table.options.deflect and card != W_DRAW_FOUR):
        table.move_on(table.step(seat), seat, "stack")
    else:
        table.must_draw(table.step(seat), table.total)
        table.total = 0
        table.move_on(table.after_draw(table.step(seat)), seat)


# --- facing a draw --------------------------------------------------------------------------------


def accept(table: Table, seat: int) -> None:
    """The whole pending draw (CL-33, 6.1)."""
    table.must_draw(seat, table.total)
    table.total = 0
    table.move_on(table.after_draw(seat), None)


def challenge(table: Table, challenger: int) -> None:
    """A Wild Draw Four is doubted (CL-34 to CL-37, LC-19 to LC-21)."""
    victim, guilty = table.turn, table.suspect_guilty
    if table.options.challenge_evidence == "hand_now":
        guilty = holds(table, table.suspect, table.suspect_color)
    if guilty:
        table.must_draw(table.suspect, table.total)
    elif challenger == victim:
        table.must_draw(victim, table.options.challenge_fail_draw)
    elif table.options.stacking != "off":
        table.must_draw(challenger, 2)
        table.wait(victim, "stack")
        return
    else:
        table.must_draw(victim, table.total)
        table.must_draw(challenger, 2)
    table.total = 0
    if guilty and table.options.challenge_win_turn == "challenger_plays":
        table.drawn_cards.pop(victim, None)
        table.wait(victim, "play")
    else:
        table.move_on(table.step(victim) if guilty else table.after_draw(victim), None)


# --- drawing one ----------------------------------------------------------------------------------


def voluntary_draw(table: Table, seat: int) -> None:
    """Draw, and play what was drawn or not; or pass where nothing can be drawn (CO-3, CO-34, LC-2, LC-43)."""
    table.begin(seat)
    if not table.can_draw():
        table.passes += 1
        table.circles = 0
        if table.passes >= table.players:
            table.end_dead()
        else:
            table.move_on(table.step(seat), seat)
        return
    playable = False
    while not playable and (card := table.draw_one(seat)) is not None:
        table.decision, table.drawn = "drawn", card
        playable = bool(plays(table, seat, card))
        if table.options.draw_mode != "until_playable":
            break
    if playable and table.options.draw_then_play != "never":
        table.wait(seat, "drawn")
    else:
        table.circles = 0
        table.move_on(table.step(seat), seat)


# --- calls and catches ----------------------------------------------------------------------------


def uno(table: Table, seat: int) -> None:
    """Make a call."""
    kind = table.call_kind(seat)
    if kind == "one":
        table.windows.discard(seat)
        table.called.add(seat)
    elif kind == "early":
        table.early.add(seat)
    else:
        table.must_draw(seat, 2, penalty=True)  # LC-18


def catch(table: Table, seat: int, target: int) -> None:
    """Catch a seat, or pay for the mistake."""
    if target in table.windows:
        table.windows.discard(target)
        table.caught.add(target)
        table.must_draw(target, table.options.uno_penalty, penalty=True)  # CO-17
    else:
        table.must_draw(seat, 2, penalty=True)  # LC-18
