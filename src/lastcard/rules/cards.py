"""Properties of cards, compiled from ``game/cards.py``."""

from lastcard.game import cards
from lastcard.kernel.jit import inlined

is_wild = inlined(cards.is_wild)
is_number = inlined(cards.is_number)
card_color = inlined(cards.card_color)
card_face = inlined(cards.card_face)
