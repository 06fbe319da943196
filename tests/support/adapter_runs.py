"""What a bot wins against *sharp* in *all-wild*, for runs of a model that plays like it through an adapter."""

from __future__ import annotations

from lastcard.agents.text_round import TextRound

RULES = "all-wild"
OPPONENT = "sharp"


def play_known(bot: str, bots: tuple[str, ...], seed: str | int) -> TextRound:
    """The round in which a bot has the seats of a model (empty texts)."""
    return TextRound(RULES, [name or bot for name in bots], seed)
