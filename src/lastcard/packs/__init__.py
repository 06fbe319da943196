"""What the browser's side is sent as: modules in packs, texts, the page; and all of it as a site without a server."""
