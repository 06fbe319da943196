"""Builds the documentation site, and shows it: ``make docs`` and ``make docs-serve``."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final
from unittest.mock import patch

from lastcard import __version__
from lastcard.bundle.site import write_site
from tools.docs_site.built_site import CONTENT_SECURITY_POLICY, GAME, find_problems
from tools.docs_site.markdown_pages import DOCS, ROOT, write_pages
from tools.docs_site.navigation import nav_toml
from tools.docs_site.reference_pages import reference_pages
from tools.docs_site.versions import add_version
from tools.docs_site.widget_files import write_widget_files

BUILD: Final = ROOT / "build" / "docs"
HERE: Final = Path(__file__).parent
PORT: Final = 8765
HELP_COLUMNS: Final = "100"
_COLORS: Final = re.compile(r"\x1b\[[\d;]*m")


def main() -> int:
    """Build the site into ``--out`` and check it; print what is wrong, and return 1 if anything is."""
    parser = argparse.ArgumentParser(prog="python -m tools.docs_site", description=__doc__)
    parser.add_argument("--out", type=Path, default=BUILD / "site", help="the folder of all versions")
    parser.add_argument("--serve", action="store_true", help="show the site that is there")
    args = parser.parse_args()
    if args.serve:
        return serve(args.out)
    problems = build_site(args.out, __version__)
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{args.out}: {len(problems)} problems")
    return 1 if problems else 0


def build_site(site: Path, version: str) -> list[str]:
    """Build a version of the site beside those that are there; return what is wrong with it."""
    from tools.docs_site.notebooks import run_notebooks  # its libraries come with the group docs

    write_sources(BUILD / "sources")
    run_notebooks(BUILD / "sources")
    config = (HERE / "zensical.toml").read_text(encoding="utf-8")
    config = config.replace("nav = []", f"nav = {nav_toml(BUILD / 'sources')}")
    (BUILD / "zensical.toml").write_text(config, encoding="utf-8")
    shutil.rmtree(BUILD / "pages", ignore_errors=True)
    command = [f"{sysconfig.get_path('scripts')}/zensical", "build", "--clean", "--strict"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}  # for the extension in this folder
    done = subprocess.run(
        command,
        cwd=BUILD,
        env=env,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        return [_COLORS.sub("", done.stdout)]
    for name in ("404.html", "sitemap.xml"):  # they need the address of the host
        (BUILD / "pages" / name).unlink()
    for page in (BUILD / "pages").rglob("*.html"):
        _add_policy(page)
    add_version(site, version, BUILD / "pages", CONTENT_SECURITY_POLICY)
    write_site(site / GAME)
    return find_problems(site)


def write_sources(sources: Path) -> None:
    """Write everything that the pages are built from into an emptied folder."""
    shutil.rmtree(sources, ignore_errors=True)
    write_pages(sources, [DOCS / "README.md", ROOT / "README.md", *sorted(DOCS.rglob("*.md"))])
    with patch.dict(os.environ, COLUMNS=HELP_COLUMNS):
        references = [*reference_pages()]
    for name, text in references:
        page = sources / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    shutil.copytree(HERE / "pages", sources, dirs_exist_ok=True)
    shutil.copytree(HERE / "widgets", sources / "widgets")
    write_widget_files(sources / "widgets" / "files")
    shutil.copyfile(ROOT / "src" / "lastcard" / "web" / "favicon.svg", sources / "favicon.svg")


def _add_policy(page: Path) -> None:
    """Put the content security policy before everything that a page loads."""
    head = '<meta charset="utf-8">'
    text = page.read_text(encoding="utf-8")
    policy = f'{head}<meta http-equiv="content-security-policy" content="{CONTENT_SECURITY_POLICY}">'
    page.write_text(text.replace(head, policy, 1), encoding="utf-8")


def serve(site: Path) -> int:
    """Serve the built site to this machine until Ctrl-C."""
    if not (site / "index.html").is_file():
        print(f"there is no site in {site}: make docs", file=sys.stderr)
        return 1
    with ThreadingHTTPServer(("127.0.0.1", PORT), partial(SimpleHTTPRequestHandler, directory=site)) as host:
        print(f"http://localhost:{PORT}/ (Ctrl-C stops)")
        try:
            host.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
