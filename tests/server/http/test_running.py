"""Links on the first page to a person's running matches."""

from __future__ import annotations

from pathlib import Path

from support.threaded_server import run_threaded_server


def test_a_player_is_led_back_to_their_seat(tmp_path: Path) -> None:
    """A person who has left the table is led back, too; nobody else is, and nobody to a match that has ended."""
    with run_threaded_server(tmp_path) as served:
        ann, bo, cleo = (served.new_client(name) for name in ("Ann", "Bo", "Cleo"))
        code = ann.create_table(settings={"rules": "classic+first_dealer=host", "seats": 2, "pace": "untimed"})
        lines = [ann.join(code), bo.join(code)]
        lines[1].send(type="sit")
        lines[1].receive("table")
        assert ann.get("/api/me/tables").json() == []
        lines[0].send(type="start")
        turn = lines[0].receive("dealt")["game"]["public"]["turn"]
        lines[1].receive("dealt")
        expected = {"table": code, "rules": "classic+first_dealer=host", "turn": ("Ann", "Bo")[turn]}
        lines[1].send(type="stand")
        lines[1].receive("table")
        for seat, browser in enumerate((ann, bo)):
            assert browser.get("/api/me/tables").json() == [
                {**expected, "due": None, "closes": 0, "yours": seat == turn}
            ]
        assert cleo.get("/api/me/tables").json() == []
        assert served.new_client(None).get("/api/me/tables").json() == []
