"""Reads a JSON body, strictly: what is not exactly one sound JSON text is refused, never mended."""

import asyncio
import json
from collections.abc import Mapping
from email.message import Message
from functools import lru_cache
from typing import Any, NoReturn

from starlette.requests import ClientDisconnect, Request

from app.api.problems import Problem

MAX_BODY = 64 * 1024
MAX_DEPTH = 32
MAX_CONTENT_TYPE = 200

# Answering while a client still sends makes its system throw the answer away with the connection,
# so what is too large is read to its end and forgotten, within reason.
DRAIN_BYTES = 512 * 1024 * 1024
DRAIN_SECONDS = 10


async def read_json(request: Request, headers: Mapping[str, list[str]]) -> Any:
    """The parsed body; an empty one is an empty object. ``headers`` are the request's, by name.

    Raises Problem: too-large, unsupported-media-type, malformed-request.
    """
    body = await _read(request, headers)
    if not body:
        return {}
    if not _is_json(headers.get("content-type", [""])[0]):
        raise Problem("unsupported-media-type")
    return parse(body)


def parse(body: bytes) -> Any:
    """The value of a JSON text in UTF-8. Raises Problem: malformed-request."""
    if body.count(b"[") + body.count(b"{") > MAX_DEPTH and _depth(body) > MAX_DEPTH:
        raise Problem("malformed-request")
    try:
        return _DECODER.decode(body.decode("utf-8"))
    except json.JSONDecodeError as error:
        raise Problem(
            "malformed-request", form="at", line=error.lineno, column=error.colno
        ) from None
    except (ValueError, RecursionError):
        raise Problem("malformed-request") from None


async def _read(request: Request, headers: Mapping[str, list[str]]) -> bytes:
    length = headers.get("content-length", ["0"])[0]
    if length.isdecimal() and int(length[:20]) > MAX_BODY:
        if "expect" not in headers:
            await _drain(request)
        raise Problem("too-large")
    body = b""
    has_more = True
    # Not request.stream(): of that, the part read before a refusal cannot be given back, nor does
    # it say whether there is anything left to drain.
    while has_more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunk = message.get("body", b"")
        body = body + chunk if body else chunk
        has_more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            if has_more:
                await _drain(request)
            raise Problem("too-large")
    return body


async def _drain(request: Request) -> None:
    drained = 0
    try:
        async with asyncio.timeout(DRAIN_SECONDS):
            while drained < DRAIN_BYTES:
                message = await request.receive()
                drained += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return
    except (TimeoutError, ClientDisconnect):
        return


@lru_cache(maxsize=256)  # every client sends the same one
def _is_json(value: str) -> bool:
    # The parser takes time by the square of the length, and what is not ASCII for no charset.
    if len(value) > MAX_CONTENT_TYPE or not value.isascii():
        return False
    header = Message()
    header["content-type"] = value
    charset = header.get_content_charset("utf-8")
    return header.get_content_type() == "application/json" and charset in ("utf-8", "utf8")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice in an object")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse_constant)


def _depth(body: bytes) -> int:
    """How deep arrays and objects nest, brackets inside strings not counted."""
    depth = deepest = 0
    is_string = is_escaped = False
    for byte in body:
        if is_string:
            if is_escaped:
                is_escaped = False
            elif byte == ord("\\"):
                is_escaped = True
            elif byte == ord('"'):
                is_string = False
        elif byte == ord('"'):
            is_string = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest
