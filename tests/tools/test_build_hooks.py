"""What hatchling adds to a wheel: the README for a package index, the project's addresses, and the SBOM."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from tools.build_hooks import REPOSITORY, make_links_absolute, make_sbom, unlink

ROOT = Path(__file__).parents[2]
RELATIVE = re.compile(r"\]\((?![a-z]+:|#)[^)]*\)")
MARKDOWN = (
    "See [how](docs/python.md#b), [here](#c) and [there](https://a.example/).\n\n![A picture](docs/p.webp)\n\nEnd.\n"
)


def metadata() -> ProjectMetadata[PluginManager]:
    """The metadata of a package that is built from this checkout."""
    return ProjectMetadata(str(ROOT), PluginManager())


def test_relative_links_lead_to_the_tagged_pages() -> None:
    assert make_links_absolute(MARKDOWN, "https://b.example/blob/v1", "https://b.example/raw/v1") == (
        "See [how](https://b.example/blob/v1/docs/python.md#b), [here](#c) and [there](https://a.example/).\n\n"
        "![A picture](https://b.example/raw/v1/docs/p.webp)\n\nEnd.\n"
    )


def test_without_a_repository_only_the_text_of_links_remains() -> None:
    assert unlink(MARKDOWN) == "See how, [here](#c) and [there](https://a.example/).\n\nEnd.\n"


@pytest.mark.parametrize("address", ["", "https://code.example/a/lastcard/"])
def test_the_readme_of_the_package_has_no_relative_link(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv(REPOSITORY, address)
    core = metadata().core
    assert RELATIVE.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert not RELATIVE.search(core.readme) and core.readme.startswith("# lastcard\n")
    assert core.readme_content_type == "text/markdown"
    assert core.urls.get("Source") == (address.rstrip("/") or None)


def test_the_sbom_names_the_module_and_all_requirements() -> None:
    found, module = metadata(), (ROOT / "src" / "lastcard" / "kernel" / "lastcard.wasm").read_bytes()
    bom = make_sbom(found, module)
    assert bom["metadata"]["component"]["version"] == found.version
    compiled, *packages = bom["components"]
    assert compiled["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(module).hexdigest()}]
    required = (requirement.name for requirement in found.core.dependencies_complex.values())
    scopes = {package["name"]: package["scope"] for package in packages}
    assert len(scopes) == len(packages)
    assert {name for name, scope in scopes.items() if scope == "required"} == set(required)
    assert scopes["numba"] == scopes["ray"] == "optional"
    assert (
        next(package for package in packages if package["name"] == "wasmtime")["versionRange"] == "vers:pypi/>=40|<51"
    )
    assert bom["dependencies"][0]["dependsOn"] == ["module", *scopes]


def test_equal_sources_give_equal_sboms() -> None:
    assert make_sbom(metadata(), b"module") == make_sbom(metadata(), b"module")
