"""Answers measured by the OpenAPI document: what it does not declare, no server may answer.

Schemas are read strictly: an object has the members that are declared and no others.
"""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from typing import Any, NoReturn

import httpx
from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.validators import extend

from app.main import openapi_document, routes

PROBLEM = "application/problem+json"
# Declared headers that an answer may lack: where limits are off, where nothing is replayed, and
# where waiting alone does not help.
_OPTIONAL = {"Idempotent-Replayed", "Retry-After", "RateLimit", "RateLimit-Policy"}
_FORMATS = FormatChecker(formats=())


@_FORMATS.checks("date-time", raises=ValueError)
def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


# Parts that fitted before: most of a game is the same from one move to the next.
_FITTING: set[tuple[str, str]] = set()


def _refer(validator: Any, reference: str, part: Any, schema: Any) -> Iterator[ValidationError]:
    seen = (reference, json.dumps(part))
    if seen in _FITTING:
        return
    errors = list(Draft202012Validator.VALIDATORS["$ref"](validator, reference, part, schema))
    if not errors:
        _FITTING.add(seen)
    yield from errors


Validator = extend(Draft202012Validator, {"$ref": _refer})  # type: ignore[no-untyped-call]


class Contract:
    """The OpenAPI document, as a judge of responses."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._validators: dict[tuple[str, str, int], Any] = {}

    @cached_property
    def _templates(self) -> list[tuple[re.Pattern[str], str]]:
        # What is written out goes before what is a parameter: /players/me is no player's id.
        ordered = sorted(self.document["paths"], key=lambda path: path.count("{"))
        return [(_pattern(path), path) for path in ordered]

    @cached_property
    def _components(self) -> Any:
        return _closed(self.document["components"])

    def check(self, response: httpx.Response) -> None:
        """Raise AssertionError where the answer is not one that the document declares."""
        request = response.request
        response.read()
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            return
        path = request.url.raw_path.decode().partition("?")[0]
        template = next((t for pattern, t in self._templates if pattern.fullmatch(path)), None)
        if template is None:
            if not any(pattern.fullmatch(path) for pattern in _UNDOCUMENTED):
                assert response.status_code in {404, 429}, f"{path} is no route and answers"
            return
        method = "get" if request.method == "HEAD" else request.method.lower()
        where = f"{request.method} {template} -> {response.status_code}"
        operation = self.document["paths"][template].get(method)
        if operation is None:
            assert response.status_code in {405, 429}, f"{where} is not in the document"
            return
        declared = operation["responses"].get(str(response.status_code))
        assert declared is not None, f"{where} is not declared: {response.text}"
        _check_headers(response, set(declared.get("headers", {})), where)
        self._check_body(response, declared, (template, method, response.status_code))

    def validator(self, schema: Any) -> Any:
        """A validator for a schema that may refer to those of the document."""
        root = {**_closed(schema), "components": self._components}
        return Validator(root, format_checker=_FORMATS)

    def _check_body(
        self, response: httpx.Response, declared: Any, place: tuple[str, str, int]
    ) -> None:
        if "content" not in declared:
            assert response.content == b"", f"{place} has a body"
            return
        media_type, *parameters = response.headers["Content-Type"].split("; ")
        content = declared["content"].get(media_type)
        assert content is not None, f"{place} is {media_type}, which is not declared"
        is_text = media_type.startswith("text/")
        assert parameters == (["charset=utf-8"] if is_text else []), place
        if response.request.method == "HEAD":
            assert response.content == b"", f"{place} has a body"
            return
        if is_text:
            assert response.text, f"{place} is empty"
            return
        body = json.loads(response.content, parse_constant=_refuse)
        if place not in self._validators:
            self._validators[place] = self.validator(content["schema"])
        errors = [f"{e.json_path}: {e.message}" for e in self._validators[place].iter_errors(body)]
        assert not errors, f"{place}: {errors}"
        if media_type == PROBLEM:
            assert body["code"] in content["examples"], f"{place}: {body['code']} is not declared"


def _check_headers(response: httpx.Response, declared: set[str], where: str) -> None:
    missing = {name for name in declared - _OPTIONAL if name not in response.headers}
    assert not missing, f"{where} lacks {missing}"
    notable = {"ETag", "Location", "Idempotent-Replayed", "WWW-Authenticate", "Retry-After"}
    extra = {name for name in notable - declared if name in response.headers}
    assert not extra, f"{where} has undeclared {extra}"


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template)))


def _closed(schema: Any) -> Any:
    """The schema with every object closed to members that it does not list."""
    match schema:
        case {"oneOf": _, "discriminator": {"propertyName": name, "mapping": mapping}}:
            return _told_apart(name, mapping)
        case {"anyOf": [{"type": str() as kind, **rest}, {"type": "null"}]} if "enum" not in rest:
            # The same with fewer steps, and most of an empty card is of this kind.
            return _closed({**rest, "type": [kind, "null"]})
        case {"properties": dict()}:
            return {"additionalProperties": False} | {k: _closed(v) for k, v in schema.items()}
        case dict():
            return {key: _closed(value) for key, value in schema.items()}
        case list():
            return [_closed(entry) for entry in schema]
        case _:
            return schema


def _told_apart(name: str, mapping: dict[str, str]) -> Any:
    """As `oneOf`, but trying only the alternative that the discriminator names."""
    return {
        "required": [name],
        "properties": {name: {"enum": list(mapping)}},
        "allOf": [
            {"if": {"properties": {name: {"const": value}}}, "then": {"$ref": reference}}
            for value, reference in mapping.items()
        ],
    }


def _refuse(constant: str) -> NoReturn:
    raise AssertionError(f"{constant} is not JSON")


_UNDOCUMENTED = [
    _pattern(getattr(route, "path_format", ""))
    for route in routes()
    if not getattr(route, "include_in_schema", True)
]

CONTRACT = Contract(openapi_document())
