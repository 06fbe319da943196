"""Refused moves, with the clause that refuses each and the reason in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

DRAW: Final = "B1 B2 B3 B4 B5 B6 B7 B8 B9 Y1 Y2 Y3"


@dataclass(frozen=True)
class RefusedMove:
    """A move that a table refuses."""

    rules: str
    hands: tuple[str, ...]
    """Hands at the start, on a red 9, in All Wild on a Wild."""
    moves: str
    """Moves made first, as in a case."""
    move: str
    """The refused move, with its seat."""
    clause: str
    words: str
    """The end of the reason, without the clause."""
    variant: str = ""
    """The name of words other than the usual ones."""
    more: tuple[tuple[str, Any], ...] = ()
    """Further keys of the position."""

    @property
    def position(self) -> dict[str, Any]:
        """The keys of the position."""
        wild = self.rules.startswith("all-wild")
        start = {"discard": "W" if wild else "R9", "draw": "W*12" if wild else DRAW}
        return {"rules": self.rules, "hands": list(self.hands), **start, **dict(self.more)}


def lever(outcome: str, card: str = "R3", **more: Any) -> tuple[tuple[str, Any], ...]:
    """A lever and a dispenser with this next outcome and this next card."""
    return (("lever", [outcome]), ("rule_cards", [card]), *more.items())


SEVENS: Final = ("R7 R1 B1", "R3 R4", "G1 G2")
SWAPS: Final = ("Wx W@2 W", "W W", "W W W")
FOUR: Final = ("W+4 R1 R2", "R5 W+4", "R5 G2 G3")
TWO: Final = ("R+2 R2 R3", "G1 R+2", "B1 B2")
WILD_TWO: Final = ("W+2 W W", "W W", "W W")
JACKPOT: Final = ("Rj R1 B1", "W R3 R4", "G1 G2")
TURN: Final = ("R1 R2 R3", "G1 G2", "B1 B2")
WAITING_TWO: Final = "the 2 cards that are waiting"
ANSWER: Final = "answer with a card or accept"
NOBODY_ELSE: Final = "only the player who must draw decides on it: seat 1"
NO_SEVENTH: Final = "there is no seat 7; the seats are 0 to 2"
ASKED_COLOR: Final = "seat 1 must decide first: name a color, like color=R"
ONE_CARD: Final = "a player on one card is protected from a Forced Swap"
OTHERS_OF_0: Final = "seat 0 cannot be named here; seats 1, 2 can be named"
OTHERS_OF_1: Final = "seat 1 cannot be named here; seats 0, 2 can be named"
OWN_CARD: Final = "nobody can challenge their own card; every other seat may"
UNANSWERED_TWO: Final = f"W does not answer {WAITING_TWO}: {ANSWER}"
UNANSWERED_FOUR: Final = "R5 does not answer the 4 cards that are waiting: answer with a card, challenge or accept"
CALL_LATER: Final = "with two cards UNO is called before playing, and seat 1 must decide first: challenge or accept"
CALL_IN_TURN: Final = "with two cards UNO is called on your own turn, before playing; it is the turn of seat 0"
STACKED: Final = f"{WAITING_TWO} cannot be challenged; seat 1 is to {ANSWER}"

REFUSED_MOVES: Final = (
    # --- the player or card that a move names
    RefusedMove("classic+seven_zero", SEVENS, "", "0:R7", "6.3", "name another player, like R7>1"),
    RefusedMove("classic+seven_zero", SEVENS, "", "0:R7>0", "6.3", OTHERS_OF_0),
    RefusedMove("classic+seven_zero", SEVENS, "", "0:R7>7", "6.3", NO_SEVENTH, "no-seat"),
    RefusedMove("all-wild", SWAPS, "", "0:Wx", "AW-24", "name another player, like Wx>1"),
    RefusedMove("all-wild", SWAPS, "", "0:Wx>0", "AW-24", OTHERS_OF_0),
    RefusedMove("all-wild", SWAPS, "", "0:W@2", "AW-23", "name another player, like W@2>1"),
    RefusedMove("all-wild", SWAPS, "", "0:W@2>7", "AW-23", NO_SEVENTH, "no-seat"),
    RefusedMove("classic", TURN, "", "0:catch>7", "CO-14", NO_SEVENTH, "no-seat"),
    RefusedMove("wild-jackpot", TURN, "", "0:catch>7", "CO-14", NO_SEVENTH, "no-seat"),
    RefusedMove("wild-jackpot", JACKPOT, "0:Rj 0:pull", "0:choose>7", "WJ-40a", NO_SEVENTH, "no-seat", lever("choose")),
    RefusedMove(
        "wild-jackpot+reshuffle=keep_none",
        JACKPOT,
        "2:draw 2:pass 0:Rj 0:pull",
        "0:choose>7",
        "WJ-40a",
        NO_SEVENTH,
        "no-seat",
        lever("choose", turn=2, discard="R8 R9", draw=""),
    ),
    *(
        RefusedMove("wild-jackpot", hands, "0:Rj 0:pull", tried, "LC-52", OTHERS_OF_1, more=lever("left", card))
        for hands, tried, card in (
            (JACKPOT, "1:choose>1", "swap chosen"),
            (("Rj R1 R2 R3", "R5 R6", "G1 G2 G3"), "1:take>1", "R5"),
        )
    ),
    *(
        RefusedMove("all-wild+forced_swap_target=not_player_with_one_card", hands, "", tried, clause, words)
        for hands, tried, clause, words in (
            (("Wx W", "W", "W W"), "0:Wx", "AW-24", "name another player, like Wx>2"),
            (("Wx W", "W", "W W"), "0:Wx>1", "LC-34", f"{ONE_CARD}; seat 2 can be named"),
            (("Wx W", "W", "W"), "0:Wx>1", "LC-34", f"{ONE_CARD}; nobody can be named"),
        )
    ),
    # --- illegal plays and draws -----
    RefusedMove("classic", TURN, "0:draw", "0:draw", "CL-20", "play the drawn card or pass", more=(("draw", "R5"),)),
    RefusedMove(
        "wild-jackpot", TURN, "0:draw", "0:draw", "CL-20", "play the drawn card or pass", more=(("draw", "R5"),)
    ),
    RefusedMove("all-wild", SWAPS, "0:draw", "0:draw", "AW-11", "play the drawn card or pass"),
    *(
        RefusedMove(f"all-wild+{rules}", (hand, "W W"), "", f"0:{hand}>1", clause, f"{hand} may not be the last card")
        for rules, hand, clause in (
            ("forced_swap_last_card=not_playable_last", "Wx", "AW-45"),
            ("finish_restriction=no_action", "Wx", "LC-15"),
            ("finish_restriction=no_action+forced_swap_last_card=not_playable_last", "W@2", "LC-15"),
        )
    ),
    *(
        RefusedMove(f"wild-jackpot{rules}", ("Rj Wj R1", "R3 R4", "G1 G2"), "", tried, clause, words, more=more)
        for rules, tried, clause, words, more in (
            ("", "0:Rj", "WJ-20", "Rj does not match B5", (("discard", "B5"),)),
            ("", "0:Rj", "WJ-21", "Rj does not match Wj, current color blue", (("discard", "Wj"), ("color", "B"))),
            ("", "0:R1", "CL-15", "R1 does not match B5", (("discard", "B5"),)),
            ("", "0:Wj", "WJ-22", "name a color, like Wj=R", ()),
        )
    ),
    RefusedMove("classic", ("W R1", "R3 R4", "G1 G2"), "", "0:W", "CL-22", "name a color, like W=R"),
    # --- cards waiting to be drawn --------
    RefusedMove("all-wild+stacking=same", WILD_TWO, "0:W+2", "1:W", "LC-40", UNANSWERED_TWO),
    RefusedMove("all-wild+stacking=same", WILD_TWO, "0:W+2", "2:accept", "LC-1", NOBODY_ELSE),
    RefusedMove("all-wild+stacking=same", WILD_TWO, "0:W+2", "1:challenge", "AW-20", STACKED, "stacked"),
    RefusedMove("classic+stacking=same", TWO, "0:R+2", "1:challenge", "LC-40", STACKED, "stacked"),
    RefusedMove("classic+stacking=same", TWO, "0:R+2", "2:accept", "LC-1", NOBODY_ELSE),
    RefusedMove("classic+stacking=same", TWO, "0:R+2", "1:draw", "CO-6", f"seat 1 must decide first: {ANSWER}"),
    RefusedMove("classic+deflect", TWO, "0:R+2", "1:R+2", "LC-45", f"R+2 does not answer {WAITING_TWO}: {ANSWER}"),
    RefusedMove("classic+deflect", TWO, "0:R+2", "1:challenge", "LC-45", STACKED, "stacked"),
    RefusedMove("classic", FOUR, "0:W+4=R", "1:R5", "CL-32", "challenge or accept"),
    RefusedMove("classic", FOUR, "0:W+4=R", "1:W+4=R", "CL-27", "challenge or accept"),
    RefusedMove("classic+deflect", FOUR, "0:W+4=R", "1:R5", "CL-32", "challenge or accept"),
    RefusedMove("classic+stacking=same", FOUR, "0:W+4=R", "1:R5", "LC-40", UNANSWERED_FOUR),
    RefusedMove("classic", FOUR, "0:W+4=R", "2:challenge", "CL-32", NOBODY_ELSE),
    RefusedMove("classic+challenge_by=anyone", FOUR, "0:W+4=R", "0:challenge", "LC-19", OWN_CARD, "accused"),
    RefusedMove("classic+challenge_by=anyone", FOUR, "0:W+4=R", "2:accept", "LC-19", NOBODY_ELSE),
    # --- calls
    RefusedMove("classic", FOUR, "0:W+4=R", "1:uno", "LC-5", CALL_LATER, "undecided"),
    RefusedMove("classic", TURN, "", "1:uno", "CO-13", CALL_IN_TURN, "out-of-turn"),
    RefusedMove("classic", TURN, "", "0:uno", "CO-13", "you hold 3"),
    *(
        RefusedMove(f"classic{rules}", TURN, "", "0:catch>1", clause, "seat 1 cannot be caught now")
        for rules, clause in (
            ("", "CO-20"),
            ("+uno_window=no_penalty", "LC-16"),
            ("+uno_window=automatic_call", "LC-16"),
        )
    ),
    # --- out of turn
    RefusedMove("all-wild+jump_in", ("W W", "Ws W", "W W"), "", "1:Ws", "LC-41", "a card identical to W"),
    RefusedMove("classic+jump_in", ("R1 R2", "W R5", "G1 G2"), "", "1:W=R", "6.2", "wilds never jump in", "wild"),
    RefusedMove("classic+jump_in", ("R1 R2", "W R5", "G1 G2"), "", "1:R5", "LC-41", "a card identical to R9"),
    RefusedMove("classic", TURN, "", "7:draw", "CO-3", NO_SEVENTH),
    # --- a requested color -------
    RefusedMove("wild-jackpot", JACKPOT, "0:Rj 0:pull", "1:R3", "WJ-26", ASKED_COLOR, more=lever("left", "R4")),
    RefusedMove("wild-jackpot", JACKPOT, "0:Rj 0:pull", "2:draw", "CO-3", "not of seat 2", more=lever("left", "R4")),
)
"""Refusals for which the usual clause would be wrong and the usual words would not help."""
