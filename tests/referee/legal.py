"""What the rules allow: every act is checked here before anything changes; nothing here changes a table."""

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
from referee.acts import Act, Illegal
from referee.table import CALL_PHASES, Table


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


# --- single questions -----------------------------------------------------------------------------


def matches(table: Table, card: int) -> bool:
    """Whether a card goes on the top card (CL-15 to CL-17, WJ-20 to WJ-22, AW-8)."""
    if is_wild(card) or card_color(card) == table.color:
        return True
    if not is_wild(table.top) and card_face(card) == card_face(table.top):
        return True
    on_wild_jackpot = card_face(card) == JACKPOT and table.top == W_JACKPOT
    return on_wild_jackpot and table.options.wj_jackpot_on_wild == "symbol_match"


def holds(table: Table, seat: int, color: int) -> bool:
    """Whether a seat holds a card of a color (CL-30)."""
    return any(card_color(card) == color for card in table.hands[seat])


def may_be_last(table: Table, card: int) -> bool:
    """Whether a card may be the last one laid (CO-41, LC-15, AW-45)."""
    if card == W_SWAP and table.options.forced_swap_last_card == "not_playable_last":
        return False
    rule = table.options.finish_restriction
    if rule == "no_wild":
        return not is_wild(card)
    if rule == "no_action":
        return card == W if table.all_wild else not is_wild(card) and card_face(card) <= 9
    return True


def answers(table: Table, card: int) -> bool:
    """Whether a card answers the pending draw (6.1, 6.7, LC-40, LC-45)."""
    amount, last, stacking = draws(card), draws(table.last_draw), table.options.stacking
    if stacking != "off" and amount and (amount == last or (amount > last and stacking != "same")):
        return True
    if not table.options.deflect or last != 2 or is_wild(table.top) or is_wild(card):
        return False
    if card_face(table.top) == DRAW_TWO:
        return card_face(card) in (SKIP, REVERSE) and card_color(card) == card_color(table.top)
    return card_face(table.top) == SKIP and card_face(card) == SKIP


def color_use(table: Table, seat: int, card: int) -> str:
    """Whether a play ``must`` name a color, names it for nothing (``idle``), or may not (``no``)."""
    if not is_wild(card):
        return "no"
    if table.all_wild:
        return "idle"
    goes_on = card == W_JACKPOT and table.options.wj_last_jackpot == "pull" and table.decision != "streak"
    return "must" if len(table.hands[seat]) > 1 or goes_on else "idle"  # CO-43, LC-6


def target_use(table: Table, seat: int, card: int) -> str:
    """Whether a play ``must`` name a seat, names it for nothing (``idle``), or may not (``no``)."""
    last, options = len(table.hands[seat]) == 1, table.options
    if card == W_TARGETED:
        waived = options.last_card_targeted_draw == "ignored" or not options.last_card_draw_counts  # LC-35
        return "idle" if last and waived else "must"
    if card == W_SWAP:
        return "idle" if last and options.forced_swap_last_card == "player_wins" else "must"
    if options.seven_zero and is_number(card, 7) and table.decision != "streak":
        return "idle" if last and options.seven_zero_last == "wins" else "must"
    return "no"


# --- plays ----------------------------------------------------------------------------------------


def check_play(table: Table, seat: int, act: Act) -> None:
    """Refuse a play that is not allowed."""
    card = act.card
    if card is None or card not in table.hands[seat]:
        raise Illegal("CO-3", "the card is not in the hand")
    check_moment(table, seat, card)
    if len(table.hands[seat]) == 1 and not may_be_last(table, card):
        raise Illegal("LC-15", "this card may not be the last")
    if table.must_wait(seat, card):
        raise Illegal("CO-8", "the card was drawn for another reason than the turn's own draw")
    color, target = color_use(table, seat, card), target_use(table, seat, card)
    if (color == "no" and act.color is not None) or (color == "must" and act.color is None):
        raise Illegal("CL-22", "a color is named with wilds, and only with them")
    if (target == "no" and act.target is not None) or (target == "must" and act.target is None):
        raise Illegal("AW-23", "a seat is named with a card that aims at one, and only then")
    if target == "must":
        check_target(table, seat, card, act.target)


def check_target(table: Table, seat: int, card: int, target: int | None) -> None:
    """Refuse a seat that a card may not aim at."""
    if target not in table.others(seat):
        raise Illegal("AW-23", "the target must be another seat")
    spared = card == W_SWAP and table.options.forced_swap_target == "not_player_with_one_card"
    if spared and len(table.hands[target]) == 1:
        raise Illegal("LC-34", "a player on one card cannot be named")


def check_moment(table: Table, seat: int, card: int) -> None:
    """Refuse a card that cannot be laid at this moment."""
    if table.decision in ("play", "stack") and seat != table.turn:
        check_jump_in(table, card)
    elif seat != table.turn:
        raise Illegal("LC-1", "another seat is on turn")
    elif table.decision in ("play", "drawn", "streak"):
        check_match(table, seat, card)
    elif table.decision not in ("challenge", "stack"):
        raise Illegal("CO-6", "something else has to be decided first")
    elif not answers(table, card):
        raise Illegal("LC-40", "this card is no answer")


def check_match(table: Table, seat: int, card: int) -> None:
    """Refuse a card that does not go on the top card, or is not the one drawn."""
    if table.decision == "drawn" and card != table.drawn:
        raise Illegal("CL-20", "only the drawn card may be played")
    if table.all_wild:
        return
    if not matches(table, card):
        raise Illegal("CL-15", "the card does not match")
    honest = table.decision == "streak" or table.options.wd4_mode == "strict"
    if card == W_DRAW_FOUR and honest and holds(table, seat, table.color):
        raise Illegal("CL-30", "the color in force is in the hand")


def check_jump_in(table: Table, card: int) -> None:
    """Refuse a card laid out of turn that is no jump-in (6.2, LC-41)."""
    if not table.options.jump_in:
        raise Illegal("LC-1", "another seat is on turn")
    if card != table.top or (is_wild(card) and not table.all_wild):
        raise Illegal("LC-41", "only a card identical to the top card jumps in")
    if table.decision == "stack" and not draws(table.top):
        raise Illegal("LC-41", "the top card is no draw card")
    if not table.top_on_pile:
        raise Illegal("LC-41", "the discard pile has no top card")


def plays(table: Table, seat: int, card: int) -> list[Act]:
    """The plays of one card that are allowed now, in the form the list of legal moves shows."""
    colors: tuple[int | None, ...] = COLORS if color_use(table, seat, card) == "must" else (None,)
    aims = target_use(table, seat, card) == "must"
    targets: list[int | None] = [*table.others(seat)] if aims else [None]
    acts = [Act("play", card, color, target) for color in colors for target in targets]
    return [act for act in acts if allows(table, seat, act)]


def has_playable(table: Table, seat: int) -> bool:
    """Whether a seat on turn holds a card that counts as playable (CL-15, 6.5)."""
    return any(counts_as_playable(table, seat, card) for card in set(table.hands[seat]))


def counts_as_playable(table: Table, seat: int, card: int) -> bool:
    """Whether a card can be played and is not a mere bluff."""
    if card == W_DRAW_FOUR and not table.all_wild and table.options.wd4_mode != "free":
        return not holds(table, seat, table.color) and bool(plays(table, seat, card))
    return bool(plays(table, seat, card))


# --- everything else ------------------------------------------------------------------------------


def check_uno(table: Table, seat: int) -> None:
    """Refuse a call that may not even be made at a price."""
    if table.decision not in CALL_PHASES:
        raise Illegal("LC-4", "no calls while this is being resolved")
    if table.call_kind(seat) == "false" and table.options.false_uno_penalty == "none":
        raise Illegal("CO-13", "no call is due")


def check_catch(table: Table, seat: int, target: int) -> None:
    """Refuse a catch that may not even be made at a price."""
    if table.decision not in CALL_PHASES:
        raise Illegal("LC-4", "no catches while this is being resolved")
    if target == seat or not 0 <= target < table.players:
        raise Illegal("CO-14", "only another seat can be caught")
    if target in table.windows:
        return
    if target in table.caught or table.options.false_catch_penalty == "none":
        raise Illegal("CO-20", "there is no open window")


def check_draw(table: Table, seat: int) -> None:
    """Refuse a voluntary draw that is not allowed."""
    if table.decision != "play":
        raise Illegal("CO-6", "there is nothing to draw for now")
    if not has_playable(table, seat):
        return
    if not table.can_draw():
        raise Illegal("CO-34", "nothing can be drawn, a card must be played")
    if table.options.force_play == "always" or table.options.voluntary_draw == "only_if_no_playable":
        raise Illegal("LC-44", "a playable card is held")


def check_pass(table: Table, seat: int) -> None:
    """Refuse to keep a drawn card that must be played."""
    if table.decision != "drawn" or table.drawn is None:
        raise Illegal("CO-4", "there is no pass without drawing")
    forced = table.options.draw_then_play == "must_play_drawn" or table.options.force_play != "off"
    if forced and counts_as_playable(table, seat, table.drawn):
        raise Illegal("LC-44", "the drawn card must be played")


def check_challenge(table: Table, seat: int) -> None:
    """Refuse a challenge of nothing, of oneself, or by somebody who may not."""
    if table.decision != "challenge":
        raise Illegal("CL-32", "there is nothing to challenge")
    if seat == table.suspect or (seat != table.turn and table.options.challenge_by == "victim_only"):
        raise Illegal("LC-19", "this seat may not challenge")


def throwable(table: Table, seat: int, card: int) -> bool:
    """Whether a card may be thrown off now (WJ-40e, WJ-41, LC-15)."""
    if is_wild(card) or card_color(card) in table.thrown or card not in table.hands[seat]:
        return False
    return len(table.hands[seat]) > 1 or may_be_last(table, card)


def check(table: Table, seat: int, act: Act) -> None:
    """Refuse an act that the rules do not allow.

    Raises:
        Illegal: with the clause.
    """
    if table.decision == "over" or not 0 <= seat < table.players:
        raise Illegal("CO-40", "the round is over, or there is no such seat")
    if act.verb == "uno":
        check_uno(table, seat)
    elif act.verb == "catch":
        check_catch(table, seat, -1 if act.target is None else act.target)
    elif act.verb == "play":
        check_play(table, seat, act)
    elif act.verb == "challenge":
        check_challenge(table, seat)
    elif seat != table.turn:
        raise Illegal("LC-1", "another seat is on turn")
    elif act.verb == "draw":
        check_draw(table, seat)
    elif act.verb == "pass":
        check_pass(table, seat)
    elif not fits_decision(table, seat, act):
        raise Illegal("CO-6", "this is not what has to be decided")


def fits_decision(table: Table, seat: int, act: Act) -> bool:
    """Whether an act of the seat on turn answers the pending decision."""
    verb, decision = act.verb, table.decision
    if verb == "accept":
        return decision in ("challenge", "stack")
    if verb in ("choose", "take"):
        return decision == verb and act.target in table.candidates
    if verb == "throw":
        return decision == "throw" and act.card is not None and throwable(table, seat, act.card)
    if verb == "bury":
        return decision == "bury" and act.card in table.hands[seat]
    return decision == {"stop": "throw", "done": "perform"}.get(verb, verb)  # pull, color


def allows(table: Table, seat: int, act: Act) -> bool:
    """Whether an act passes the check."""
    try:
        check(table, seat, act)
    except Illegal:
        return False
    return True


def legal_moves(table: Table, seat: int, false_calls: bool = True) -> set[str]:
    """All acts of a seat in canonical notation, without the ``!`` forms.

    Args:
        seat: whose acts.
        false_calls: with the calls and catches that only cost their maker cards (LC-18).
    """
    verbs = ("uno", "challenge", "draw", "pass", "accept", "pull", "stop", "done")
    hand, seats = sorted(set(table.hands[seat])), range(table.players)
    acts = [Act(verb) for verb in verbs]
    acts += [Act("color", color=color) for color in COLORS]
    acts += [Act(verb, target=s) for verb in ("catch", "choose", "take") for s in seats]
    acts += [Act(verb, card) for verb in ("throw", "bury") for card in hand]
    found = [act for act in acts if allows(table, seat, act)]
    found += [act for card in hand for act in plays(table, seat, card)]
    if not false_calls:
        found = [act for act in found if not is_false(table, seat, act)]
    return {str(act) for act in found}


def is_false(table: Table, seat: int, act: Act) -> bool:
    """Whether an act is a call or a catch without cause."""
    if act.verb == "uno":
        return table.call_kind(seat) == "false"
    return act.verb == "catch" and act.target not in table.windows
