"""A site for any web host: its files, its names, and refused folders."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from lastcard.bots.weights import GAMES_WITH_HABITS
from lastcard.bundle.site import MODEL_TEXT, make_site, read_web, write_site
from lastcard.cli.main import main
from lastcard.game.rulesets import GAMES
from lastcard.server.security.security import security_headers

ROOT = Path(__file__).parents[2]
web = cache(read_web)
site = cache(lambda: make_site(web()))


def site_files(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_site_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build-site", "--out", str(tmp_path / "public")]) == 0
    assert site_files(tmp_path / "public") == site()
    assert f"http.server --directory {tmp_path / 'public'}" in capsys.readouterr().out


def test_models_read_the_same_text_everywhere() -> None:
    assert site()["llms.txt"] == MODEL_TEXT.read_bytes() == (ROOT / "llms.txt").read_bytes()


def test_the_page_names_nothing_outside_of_its_folder() -> None:
    page = site()["index.html"].decode()
    named = re.findall(r'(?:href|src)="([^"]+)"', page)
    assert named
    assert all(name.startswith("./") and name[2:] in site() for name in named)


def test_a_site_has_only_the_networks_it_needs() -> None:
    """Luck is measured on a server alone, so its network is not included."""
    nets = {name.rpartition("/")[2] for name in site() if name.endswith(".npy")}
    asked = {f"{kind}-{game}.npy" for kind in ("value", "policy", "prior") for game in GAMES}
    assert nets == asked | {f"habits-{game}.npy" for game in GAMES_WITH_HABITS}


def test_the_policy_is_as_strict_as_that_of_a_server() -> None:
    """The policy names no other host."""
    [policy] = re.findall(r'http-equiv="content-security-policy" content="([^"]+)"', site()["index.html"].decode())
    own, others = parse_policy(policy), parse_policy(security_headers(None)["content-security-policy"])
    assert others.pop("frame-ancestors") == {"'none'"}, "a page cannot say this of itself"
    assert others.pop("worker-src") == {"'self'"}, "as its scripts are"
    assert own == others


def parse_policy(policy: str) -> dict[str, set[str]]:
    """The sources that a policy allows, by directive."""
    directives = [directive.split() for directive in policy.split(";")]
    return {name: set(allowed) for name, *allowed in directives}


def test_the_manifest_can_lie_anywhere() -> None:
    [place] = re.findall(r'rel="manifest" href="\./([^"]+)"', site()["index.html"].decode())
    manifest = json.loads(site()[place])
    assert normpath(join(dirname(place), manifest["start_url"])) == "."
    assert {normpath(join(dirname(place), icon["src"])) for icon in manifest["icons"]} <= site().keys()
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"] if icon["type"] == "image/png"}


def test_the_service_worker_caches_a_whole_version() -> None:
    text = site()["service.js"].decode()
    manifest = json.loads(text.partition(";\n")[0].removeprefix("self.site = "))
    assert set(manifest["files"]) == {name for name in site() if name.startswith("web/")}
    assert site()[manifest["page"]] == site()["index.html"]


def test_the_previous_version_stays_for_open_pages(tmp_path: Path) -> None:
    """The version before that is removed."""
    version = write_site(tmp_path, web())
    for old in ("0" * 16, "1" * 16):
        (tmp_path / "web" / version).rename(tmp_path / "web" / old)
        assert write_site(tmp_path, web()) == version
    assert {path.name for path in (tmp_path / "web").iterdir()} == {version, "1" * 16}
    assert write_site(tmp_path, web()) == version
    assert {path.name for path in (tmp_path / "web").iterdir()} == {version, "1" * 16}


def test_other_files_of_the_host_stay(tmp_path: Path) -> None:
    write_site(tmp_path, web())
    (tmp_path / "CNAME").write_text("cards.example")
    write_site(tmp_path, web())
    assert (tmp_path / "CNAME").read_text() == "cards.example"


def test_a_folder_with_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing in it is deleted or added."""
    (tmp_path / "thesis.txt").write_text("years of work")
    assert main(["build-site", "--out", str(tmp_path)]) == 2
    assert "has thesis.txt in it and no site of lastcard; name a new or an empty folder" in capsys.readouterr().err
    assert site_files(tmp_path) == {"thesis.txt": b"years of work"}


def test_a_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "site").write_text("a file")
    assert main(["build-site", "--out", str(tmp_path / "site")]) == 2
    assert "is a file; name a folder" in capsys.readouterr().err
    assert main(["build-site", "--out", str(tmp_path / "site" / "below")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_a_folder_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build-site"]) == 2
    assert "--out" in capsys.readouterr().err
