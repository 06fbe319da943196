"""Tables at /cards of another ASGI application: http://localhost:8000/cards/"""

import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from lastcard.server import asgi

cards = asgi("http://localhost:8000/cards")
home = Route("/", lambda request: PlainTextResponse("Play at /cards/"))
app = Starlette(routes=[home, Mount("/cards", cards)], lifespan=cards.lifespan)

if __name__ == "__main__":
    uvicorn.run(app)
