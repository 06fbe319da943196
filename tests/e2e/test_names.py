"""Names in any script do not change the order of the text beside them."""

from __future__ import annotations

import pytest

from support.mock_screen import MockScreen
from support.page_readiness import import_expression
from support.screens import SCREENS
from support.situations import decides, reach

_ORDER = f"""async (name) => {{
    const {{ t }} = await {import_expression("ui/texts.js")};
    const line = document.body.appendChild(document.createElement("p"));
    line.textContent = t("web.game.holds", {{ player: name, n: 7 }});
    const place = (part) => {{
        const range = document.createRange();
        const at = line.textContent.indexOf(part);
        range.setStart(line.firstChild, at);
        range.setEnd(line.firstChild, at + part.length);
        return range.getBoundingClientRect();
    }};
    const [whose, colon, count] = [name, ":", "7 "].map(place);
    line.remove();
    return [whose.right <= colon.left + 1, colon.right <= count.left + 1];
}}"""
"""Whether a name, a colon and a number follow each other from left to right."""


@pytest.mark.parametrize("name", ["Ada", "דנה", "דנה אב", "سارة 4", "𐤀𐤁"])
def test_a_name_cannot_reverse_a_line_on_the_page(stage: MockScreen, name: str) -> None:
    SCREENS["turn"](stage)
    assert stage.page.evaluate(_ORDER, name) == [True, True]


def test_other_names_are_left_as_they_are(stage: MockScreen) -> None:
    """Announced and compared names contain no unneeded marks; a seat has its player's name."""
    now = reach("classic", 4, decides("play"))
    names = ("Ada", "דנה 77", "Chloé", "Zoë 4")
    stage.show_match(now, names=names, seat=0)
    labels = stage.page.locator(".seats .seat-main").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert [text.partition(":")[0] for text in labels] == ["\u2068דנה 77\u2069", "Chloé", "Zoë 4"]
    assert stage.page.locator(".seats .seat-name").all_inner_texts() == list(names[1:])
