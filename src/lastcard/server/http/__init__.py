"""The doors of the server: routes, pages, the WebSocket."""
