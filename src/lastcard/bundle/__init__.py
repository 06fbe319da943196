"""What the browser's side is sent as: modules in packs, texts, the page."""
