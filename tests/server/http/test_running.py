"""The way back to one's running matches, as the first page asks for it."""

from __future__ import annotations

from pathlib import Path

from support.serving import serving


def test_whoever_has_a_seat_is_led_back_to_it(tmp_path: Path) -> None:
    """Also who has left the table; nobody else, and nobody to a match that does not go on."""
    with serving(tmp_path) as served:
        ann, bo, cleo = (served.browser(name) for name in ("Ann", "Bo", "Cleo"))
        code = ann.table(settings={"rules": "classic+first_dealer=host", "seats": 2, "pace": "untimed"})
        lines = [ann.join(code), bo.join(code)]
        lines[1].say(type="sit")
        lines[1].hear("table")
        assert ann.get("/api/me/tables").json() == []
        lines[0].say(type="start")
        turn = lines[0].hear("dealt")["game"]["public"]["turn"]
        lines[1].hear("dealt")
        expected = {"table": code, "rules": "classic+first_dealer=host", "turn": ("Ann", "Bo")[turn]}
        lines[1].say(type="stand")
        lines[1].hear("table")
        for seat, browser in enumerate((ann, bo)):
            assert browser.get("/api/me/tables").json() == [{**expected, "yours": seat == turn}]
        assert cleo.get("/api/me/tables").json() == []
        assert served.browser(None).get("/api/me/tables").json() == []
