"""Tests of a release that need no package index but for requirements: ``make release-check``.

Wheel and sdist are built twice and compared, checked and installed on every Python of this machine; the install lines
of the documents are tried, and the image is built where a builder runs. It prints what was checked and what was not.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
OLDEST_PYTHON: Final = 11
"""The oldest Python 3 that lastcard runs on, as in ``requires-python``."""
NEWEST_PYTHON: Final = 20
"""The newest Python 3 that is looked for."""
START_LIMIT_S: Final = 60
MESSAGE_CHARS: Final = 2_000
"""The longest message of a validator that is printed."""
SIZE_TOLERANCE: Final = 0.1
"""Relative error of the installed size in the README."""
_INSTALLATION: Final = re.compile(r"pip install ('\.\[[a-z0-9,]+\]'|\.)(?=[\s`)]|$)", re.MULTILINE)
_SIZE: Final = re.compile(r"takes (\d+) MB with")
"""The installed size in the README."""


class CheckFailed(Exception):
    """A check of the release failed; the message says what was found and what would be right."""


def run(*command: str | Path, cwd: Path = ROOT, **variables: str) -> str:
    """Run a program and return its output; raises a CheckFailed with all output if it fails."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | variables
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        raise CheckFailed(f"{' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


def succeeds(*command: str | Path) -> bool:
    """Run a program silently; return whether it succeeded."""
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def build_twice(folder: Path) -> tuple[Path, Path]:
    """Build sdist and wheel in two copies of the checkout that differ in path, file times and modes.

    Returns:
        The wheel and the sdist.

    Raises:
        CheckFailed: if the bytes differ.
    """
    outputs = []
    for name, mask in (("a", 0o022), ("another-folder", 0o077)):
        before = os.umask(mask)
        try:
            copy, out = copy_sources(folder / name), folder / f"out-{name}"
            run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, copy)
        finally:
            os.umask(before)
        outputs.append(out)
    first, second = outputs
    for file in first.iterdir():
        if not filecmp.cmp(file, second / file.name, shallow=False):
            raise CheckFailed(f"two builds of {file.name} from the same sources differ; they should be equal")
    return next(first.glob("*.whl")), next(first.glob("*.tar.gz"))


def copy_sources(target: Path) -> Path:
    """Copy the files under version control to a folder; returns it."""
    for name in run("git", "ls-files", "-z").split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)
    return target


def check_contents(wheel: Path, sdist: Path) -> None:
    """Check the metadata, the SBOM and the texts that belong to a release.

    Raises:
        CheckFailed: if one is missing or invalid.
    """
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist)
    with zipfile.ZipFile(wheel) as archive:
        members = {Path(name).name: name for name in archive.namelist() if ".dist-info/" in name}
        readme = str(message_from_bytes(archive.read(members["METADATA"])).get_payload())
        bom = archive.read(members["lastcard.cdx.json"]).decode()
    if relative := re.findall(r"\]\((?![a-z]+:|#)[^)]*\)", readme):
        raise CheckFailed(f"the README of the package has links that lead nowhere on a package index: {relative}")
    if error := JsonStrictValidator(SchemaVersion.V1_7).validate_str(bom):
        raise CheckFailed(f"the SBOM is no CycloneDX 1.7: {str(error)[:MESSAGE_CHARS]}")
    with tarfile.open(sdist) as source:
        names = {Path(name).name for name in source.getnames() if name.count("/") == 1}
    if missing := {"CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "LICENSE", "README.md", "Makefile"} - names:
        raise CheckFailed(f"the sdist lacks {', '.join(sorted(missing))}")


def find_pythons() -> Iterator[Path]:
    """Yield one program for each version of Python on this machine that lastcard supports."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    for minor in range(OLDEST_PYTHON, NEWEST_PYTHON + 1):
        named = shutil.which(f"python3.{minor}")
        for program in (*([Path(named)] if named else []), *sorted(versions.glob(f"3.{minor}.*/bin/python"))):
            if succeeds(program, "-c", "import venv, ensurepip"):
                yield program
                break


def check_installation(python: Path, wheel: Path, folder: Path) -> int:
    """Install the wheel, use it without the checkout, and remove it.

    Returns:
        The size of the installed packages in MB (10^6 bytes), without those of pip.

    Raises:
        CheckFailed: if a command fails.
    """
    home = folder / "home"
    home.mkdir()
    run(python, "-m", "venv", folder / "venv")
    program = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    before = size_mb(folder)
    run(program, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel)
    size = size_mb(folder) - before
    variables = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "LASTCARD_PORT": "8031"}
    for command in (["doctor"], ["rules", "classic"], ["simulate", "--rounds", "2"], ["serve", "--check"]):
        run(program, "-m", "lastcard", *command, cwd=home, **variables)
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    run(program, "-c", code[1], cwd=home, **variables)
    check_table(program, home, variables)
    return size


def check_table(program: Path, home: Path, variables: dict[str, str]) -> None:
    """Start lastcard without a command, open its page, and stop it as a person would.

    Raises:
        CheckFailed: if there is no page within a minute, or it does not stop.
    """
    env = {**os.environ, **variables}
    with subprocess.Popen(
        [program, "-m", "lastcard"], cwd=home, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    ) as served:
        try:
            page = ""
            begun = time.monotonic()
            while "<html" not in page and time.monotonic() - begun < START_LIMIT_S:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{variables['LASTCARD_PORT']}/") as answer:
                        page = answer.read().decode()
                except OSError:
                    time.sleep(0.2)
            served.send_signal(signal.SIGINT)
            if "<html" not in page or served.wait(START_LIMIT_S) != 0:
                raise CheckFailed(f"lastcard without a command showed no page, or did not stop: {served.returncode}")
        finally:
            served.kill()


def size_mb(folder: Path) -> int:
    """Return the size of all files of a folder in MB (10^6 bytes)."""
    return round(sum(file.lstat().st_size for file in folder.rglob("*") if not file.is_dir()) / 1e6)


def check_size(size: int) -> None:
    """Compare the installed size in MB with that of the README; raises a CheckFailed if they differ."""
    said = _SIZE.search((ROOT / "README.md").read_text(encoding="utf-8"))
    if said is None or abs(int(said[1]) - size) > SIZE_TOLERANCE * size:
        raise CheckFailed(f"the installed size is {size} MB; the README says {said and said[1]}")


def check_install_lines() -> list[str]:
    """Resolve the install lines of README and documents in the checkout, without installing anything; returns them."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    lines = sorted({line for page in pages for line in _INSTALLATION.findall(page.read_text(encoding="utf-8"))})
    for line in lines:
        run(sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", line.strip("'"))
    if shutil.which("uvx"):
        run("uvx", "--from", ".", "lastcard", "--version")
        lines.append("uvx --from .")
    return lines


def build_image() -> str:
    """Build the image of ``deploy/`` where a builder runs; returns in words what was done."""
    for builder in ("podman", "docker"):
        if shutil.which(builder) and succeeds(builder, "info"):
            run(builder, "build", "-t", "lastcard-release-check", "-f", "deploy/Containerfile", ".")
            said = run(builder, "run", "--rm", "lastcard-release-check", "--version")
            return f"built by {builder}: {said.strip()}"
    return "not built: neither podman nor docker runs here"


def main() -> int:
    """Run all checks; return 0 if they passed, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.release_check", description=__doc__)
    parser.add_argument("--out", type=Path, metavar="DIR", help="put wheel and sdist there if all checks pass")
    parser.add_argument("--skip-lines", action="store_true", help="do not resolve the install lines: minutes")
    args = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            wheel, sdist = build_twice(folder)
            print(f"built twice, the same bytes: {wheel.name}, {sdist.name}", flush=True)
            check_contents(wheel, sdist)
            print("metadata, links, SBOM and texts are right", flush=True)
            for python in find_pythons():
                with tempfile.TemporaryDirectory(dir=folder) as trial:
                    size = check_installation(python, wheel, Path(trial))
                check_size(size)
                print(f"installed and used by {python}: {size} MB", flush=True)
            if not args.skip_lines:
                print(f"install lines resolve: {', '.join(check_install_lines())}", flush=True)
            print(f"image: {build_image()}")
            if args.out is not None:
                args.out.mkdir(parents=True, exist_ok=True)
                for file in (wheel, sdist):
                    shutil.copy(file, args.out)
    except CheckFailed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
