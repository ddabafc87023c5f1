"""Puts the server together: the routes, the layers around them, and the store behind them."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from app import chance, clock
from app.api import advice, fairness, games, meta, players, rulesets, stream, turns
from app.api.cors import Cors
from app.api.describe import document
from app.api.envelope import Envelope, Guard
from app.api.pages import Pages
from app.config import Settings
from app.live import LIFE_SECONDS, PING_SECONDS, Live
from app.store.engine import Database
from app.store.ledger import Ledger
from app.store.reader import Reader
from app.sweep import CLOCK_SECONDS, sweep
from app.thinking import Thinker


def routes() -> list[BaseRoute]:
    """Every route of the server. Moves come first because routes are tried in order."""
    routers = (turns, games, fairness, stream, players, rulesets, advice, meta)
    return [route for module in routers for route in module.router.routes]


@cache
def openapi_document() -> dict[str, Any]:
    """The OpenAPI document, the same for every server of this version."""
    return document(routes())


class YachtApp(FastAPI):
    """FastAPI with our layers alone around its router."""

    def build_middleware_stack(self) -> ASGIApp:
        """The framework's hook: its own five layers are left out.

        They answer what our Guard answers, or serve features that no route uses, and together cost
        a tenth of a move.
        """
        app: ASGIApp = self.router
        for layer, args, kwargs in reversed(self.user_middleware):
            app = layer(app, *args, **kwargs)
        return app

    def openapi(self) -> dict[str, Any]:
        """The framework's hook for its document."""
        return openapi_document()


def create_app(
    settings: Settings,
    database: Database,
    *,
    now: Callable[[], int] = clock.now,
    new_seed: Callable[[], bytes] = chance.new_seed,
    ping_seconds: float = PING_SECONDS,
    life_seconds: float = LIFE_SECONDS,
    sweep_seconds: float = CLOCK_SECONDS,
) -> FastAPI:
    """The server over an open database.

    Time and seeds can be given; how often a silent stream pings and how long one lasts; and how
    often late turns are looked for.
    """
    is_limited = settings.rate_limit > 0
    live = Live(
        settings.streams_per_address if is_limited else None,
        settings.streams if is_limited else None,
        ping_seconds=ping_seconds,
        life_seconds=life_seconds,
    )

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        ledger = Ledger(database.writing, now, chance.new_draw, live.wake)
        thinker = Thinker(ledger)
        reader = Reader(database.reading)
        ledger.start()
        app.state.ledger, app.state.reader, app.state.thinker = ledger, reader, thinker
        app.state.pages = Pages(reader, live)
        sweeping = asyncio.create_task(sweep(thinker, reader, now, settings, sweep_seconds))
        # What is alive now stays alive: the collector need not look at it with every full sweep,
        # which would stop all games for tens of milliseconds.
        gc.collect()
        gc.freeze()
        try:
            yield
        finally:  # also where the server itself has failed
            live.close()
            sweeping.cancel()
            await asyncio.wait([sweeping])
            await ledger.stop()
            reader.stop()
            thinker.stop()

    app = YachtApp(
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},
        middleware=[
            Middleware(Envelope, new_request_id=chance.new_request_id),
            Middleware(Cors, origins=settings.origins),
            Middleware(Guard, quota=settings.rate_limit),
        ],
    )
    app.state.settings = settings
    app.state.live = live
    app.state.new_seed = new_seed
    app.state.now = now
    # The routes themselves, not the routers around them: those are searched twice a request.
    app.router.routes.extend(routes())
    return app
