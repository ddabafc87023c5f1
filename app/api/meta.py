"""The server about itself: health, readiness, its OpenAPI document and pages about it."""

from functools import cache
from importlib.util import find_spec
from mimetypes import guess_type
from pathlib import Path

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from app.api.answers import json_response
from app.api.call import Call, StrictRoute
from app.api.describe import TITLE, VERSION, operation
from app.api.problem_pages import index_page, problem_page
from app.api.problems import STATUS
from app.locale import DEFAULT_LANGUAGE
from app.schemas.meta import HealthView
from app.store.command import NotFound, Unavailable
from app.store.engine import is_migrated

router = APIRouter(tags=["server"], route_class=StrictRoute)

# The browser gets these from here and from nowhere else; the page works without the internet.
_ASSETS = ("swagger-ui-bundle.js", "swagger-ui.css", "favicon.png")
_DOCS_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
_DOCS = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Yacht: the API</title>
<link rel="icon" href="/docs/favicon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<body>
<noscript><p>This page needs JavaScript. What it shows is at
<a href="/v1/openapi.json">/v1/openapi.json</a>.</p></noscript>
<div id="ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
_START = """SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#ui",
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis],
});
"""
_PROBLEM_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)


@router.get(
    "/healthz",
    **operation("getHealth", "Is the process alive", 200, HealthView, example={"status": "ok"}),
)
async def healthz(_call: Call) -> Response:
    """Whether the process is alive."""
    return json_response({"status": "ok"})


@router.get(
    "/readyz",
    **operation("getReadiness", "Can the server play", 200, HealthView, example={"status": "ok"}),
)
async def readyz(call: Call) -> Response:
    """Whether the server can play: the store answers and its tables are up to date."""
    if call.live.is_closing or not await call.reader.read(is_migrated):
        raise Unavailable
    return json_response({"status": "ok"})


@router.get(
    "/v1/openapi.json",
    **operation(
        "getOpenApi",
        "Read this document",
        200,
        dict[str, object],
        example={"openapi": "3.1.0", "info": {"title": TITLE, "version": VERSION}, "paths": {}},
    ),
)
async def openapi(call: Call) -> Response:
    """This document."""
    return json_response(call.app.openapi())


@router.get("/problems", include_in_schema=False)
async def problems(_call: Call) -> Response:
    """A page that lists all problem codes."""
    return _problem_page(index_page())


@router.get("/problems/{code}", include_in_schema=False)
async def problem(_call: Call, code: str) -> Response:
    """A page about one problem code, for whoever follows a problem's `type`."""
    if code not in STATUS:
        raise NotFound
    return _problem_page(problem_page(code))


def _problem_page(page: str) -> Response:
    headers = {
        "Content-Security-Policy": _PROBLEM_POLICY,
        "Content-Language": DEFAULT_LANGUAGE,
        "Vary": "Accept-Language",
    }
    return HTMLResponse(page, headers=headers)


@router.get("/docs", include_in_schema=False)
async def docs(_call: Call) -> Response:
    """The page on which the API can be read and tried."""
    return HTMLResponse(_DOCS, headers={"Content-Security-Policy": _DOCS_POLICY})


@router.get("/docs/{asset}", include_in_schema=False)
async def docs_asset(_call: Call, asset: str) -> Response:
    """What that page is made of."""
    if asset == "start.js":
        return Response(_START, media_type="text/javascript")
    if asset not in _ASSETS:
        raise NotFound
    media_type, _ = guess_type(asset)
    content = (_asset_folder() / asset).read_bytes()
    return Response(content, 200, {"Cache-Control": "max-age=86400"}, media_type)


@cache
def _asset_folder() -> Path:
    # Only the package's files are wanted; importing it would run it.
    spec = find_spec("fastapi_offline")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "static"
