"""The root of the SVG pictures that notebooks show, and text in them."""

from __future__ import annotations

MAX_LABEL_CHARS = 16
"""Number of characters for which the columns of pictures have space."""


def make_picture(width_px: float, height_px: float, content: str, attributes: str = 'font-size="13"') -> str:
    """Returns an SVG picture on white ground."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width_px:g}" height="{height_px:g}" font-family="sans-serif"'
        f' {attributes}><rect width="100%" height="100%" fill="#fff"/>{content}</svg>'
    )


def as_text(text: str) -> str:
    """Returns text as markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def as_label(text: str) -> str:
    """Returns text as markup, cut to ``MAX_LABEL_CHARS``."""
    return as_text(text if len(text) <= MAX_LABEL_CHARS else text[: MAX_LABEL_CHARS - 1] + "…")
