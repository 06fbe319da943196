"""Indices of the weights of the heuristics."""

from typing import Final

# Kinds of cards: number, Skip, Reverse, Draw Two, Jackpot, then the wilds.
KINDS: Final = 11
BASE: Final = 0  # of each kind
FEW: Final = BASE + KINDS  # more of each kind, with three cards or fewer
ATTACK: Final = FEW + KINDS  # of each kind, times the threat of the player it hits
THREAT: Final = ATTACK + KINDS  # by how many cards that player holds, at most 7
SUPPORT: Final = THREAT + 8  # each further card of the color then in force, at most 4
ALONE: Final = SUPPORT + 1  # no further card of it
SAME: Final = SUPPORT + 2  # each further card of the face
BLUFF: Final = SUPPORT + 3  # a Wild Draw Four that could be challenged
TRADE: Final = SUPPORT + 4  # each card the hand gets smaller by
PASS_DRAWN: Final = SUPPORT + 5  # not playing a drawn card
DRAW: Final = SUPPORT + 6  # drawing though a card could be laid
DARE: Final = SUPPORT + 7  # challenging a Wild Draw Four
DARE_HELD: Final = SUPPORT + 8  # more of it for each card its player holds
SELF: Final = SUPPORT + 9  # performing a rule card oneself
SELF_HELD: Final = SUPPORT + 10  # more of it for each card one holds
COUNT: Final = SUPPORT + 11
