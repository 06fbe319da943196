"""What hatchling adds to a wheel or an sdist: links of the README that work on a package index, and an SBOM."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.core import ProjectMetadata
from hatchling.metadata.plugin.interface import MetadataHookInterface
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

REPOSITORY: Final = "LASTCARD_REPOSITORY"
"""Variable with the repository's address, as ``https://github.com/OWNER/lastcard``; the release workflow sets it."""
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")
"""A relative link of Markdown, or a picture."""
_MODULE: Final = "src/lastcard/kernel/lastcard.wasm"


class PackageMetadata(MetadataHookInterface):
    """Sets the README of the package and the addresses of the project."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add ``readme`` and ``urls`` to the metadata of the package."""
        address, tag = os.environ.get(REPOSITORY, "").rstrip("/"), f"v{metadata['version']}"
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        linked = make_links_absolute(readme, f"{address}/blob/{tag}", f"{address}/raw/{tag}")
        metadata["readme"] = {"content-type": "text/markdown", "text": linked if address else unlink(readme)}
        metadata["urls"] = project_urls(address, tag) if address else {}


def project_urls(address: str, tag: str) -> dict[str, str]:
    """Return the addresses of the project's pages in a repository, by their usual labels."""
    return {
        "Homepage": address,
        "Documentation": f"{address}/blob/{tag}/docs/README.md",
        "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
        "Issues": f"{address}/issues",
        "Source": address,
    }


def make_links_absolute(markdown: str, pages: str, files: str) -> str:
    """Return Markdown whose relative links begin with the address of pages, and pictures with that of files."""
    return _LINK.sub(lambda link: f"{link[1]}[{link[2]}]({files if link[1] else pages}/{link[3]})", markdown)


def unlink(markdown: str) -> str:
    """Return Markdown with the text of relative links in place of the links, and without pictures."""
    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(lambda link: "" if link[1] else link[2], markdown))


class SbomHook(BuildHookInterface[Any]):
    """Adds a software bill of materials to a wheel (PEP 770, CycloneDX 1.7)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the SBOM into a temporary folder, which ``finalize`` removes."""
        self._folder = tempfile.TemporaryDirectory()
        file = Path(self._folder.name, "lastcard.cdx.json")
        bom = make_sbom(self.metadata, Path(self.root, _MODULE).read_bytes())
        file.write_text(json.dumps(bom, indent=2) + "\n", encoding="utf-8")
        build_data["sbom_files"].append(str(file))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        self._folder.cleanup()


def make_sbom(metadata: ProjectMetadata[Any], module: bytes) -> dict[str, Any]:
    """Return what a wheel has: the package, the compiled module in it, and the packages that it requires outside.

    It has no date and no random number, so that equal sources give equal wheels.
    """
    core, extras = metadata.core, metadata.core.optional_dependencies_complex
    optional = [(requirement, False) for extra in extras.values() for requirement in extra.values()]
    required = [(requirement, True) for requirement in core.dependencies_complex.values()]
    described = [_describe(requirement, is_required) for requirement, is_required in optional + required]
    packages = [package for _, package in sorted({package["name"]: package for package in described}.items())]
    lastcard = {
        "type": "application",
        "bom-ref": "lastcard",
        "name": core.name,
        "version": metadata.version,
        "description": core.description,
        "licenses": [{"license": {"id": core.license_expression}}],
        "purl": f"pkg:pypi/{core.name}@{metadata.version}",
    }
    compiled = {
        "type": "file",
        "bom-ref": "module",
        "name": _MODULE.removeprefix("src/"),
        "description": "The kernel compiled to WebAssembly, of sources in this package alone",
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(module).hexdigest()}],
    }
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.7.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.7",
        "version": 1,
        "metadata": {"component": lastcard},
        "components": [compiled, *packages],
        "dependencies": [{"ref": "lastcard", "dependsOn": ["module", *(package["bom-ref"] for package in packages)]}],
    }


def _describe(requirement: Requirement, is_required: bool) -> dict[str, Any]:
    """Return the component for a package that is installed beside lastcard, or only with an extra."""
    name = canonicalize_name(requirement.name)
    bounds = sorted(requirement.specifier, key=lambda bound: Version(bound.version))
    return {
        "type": "library",
        "bom-ref": name,
        "name": name,
        "scope": "required" if is_required else "optional",
        "isExternal": True,
        "versionRange": f"vers:pypi/{'|'.join(map(str, bounds)) or '*'}",
        "purl": f"pkg:pypi/{name}",
    }
