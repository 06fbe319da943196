"""The icons of the site on a home screen."""

from __future__ import annotations

import base64
import json
import re
import struct

import pytest
from playwright.sync_api import Page

from tools.icons import ICONS, WEB, draw_icon

_APART = """async ([one, other]) => {
    const [a, b] = await Promise.all([one, other].map(async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        return canvas.getImageData(0, 0, image.width, image.height).data;
    }));
    return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
}"""
"""The mean difference of two pictures in levels of 256."""


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_the_manifest_says_what_is_there() -> None:
    """Files, types and sizes; large enough to be installed, and one that may be cut to a shape."""
    manifest = json.loads((WEB / "manifest.webmanifest").read_text(encoding="utf-8"))
    for icon in manifest["icons"]:
        path = WEB / icon["src"].removeprefix("/web/")
        assert path.is_file()
        if icon["type"] == "image/png":
            width, height = size_of(path.read_bytes())
            assert icon["sizes"] == f"{width}x{height}"
    plain = {icon["sizes"] for icon in manifest["icons"] if "purpose" not in icon}
    assert plain >= {"192x192", "512x512"}
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])


def test_the_page_names_an_icon_for_apple() -> None:
    """Apple ignores the manifest and uses 180 pixels."""
    page = (WEB / "index.html").read_text(encoding="utf-8")
    (name,) = re.findall(r'<link rel="apple-touch-icon" href="/web/([^"]+)">', page)
    assert size_of((WEB / name).read_bytes()) == (180, 180)


@pytest.mark.parametrize("name", ICONS)
def test_icons_are_those_of_the_picture(page: Page, name: str) -> None:
    """``make icons`` was run after the last change of ``favicon.svg``."""
    stored, drawn = (WEB / name).read_bytes(), draw_icon(page, name)
    assert size_of(stored) == size_of(drawn)
    assert page.evaluate(_APART, [base64.b64encode(picture).decode() for picture in (stored, drawn)]) < 1
