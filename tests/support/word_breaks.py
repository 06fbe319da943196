"""Line breaks within words on a page."""

from __future__ import annotations

from typing import Final

FIND_BROKEN_WORDS: Final = """() => {
    const out = [];
    for (const node of document.querySelectorAll("button, .button, thead th, h1, h2, h3")) {
        if (!node.checkVisibility() || getComputedStyle(node).clipPath === "inset(50%)") continue; // only to be heard
        const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s\\u00ad-]{2,}/g)) {
                const range = document.createRange();
                range.setStart(texts.currentNode, index);
                range.setEnd(texts.currentNode, index + word.length);
                const tops = [...range.getClientRects()].map(({ top }) => top);
                if (Math.max(...tops) > Math.min(...tops) + 6) out.push(word);
            }
        }
    }
    return out;
}"""
"""Words on buttons and in headings that are broken within a syllable."""
