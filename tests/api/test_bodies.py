"""Bodies as bytes: what is one JSON text in UTF-8, of which type, and how long it may be."""

import socket
import time
from collections.abc import Iterator

import pytest

from tests.table import ME, Visitor, assert_problem, faults, friend, success

JSON = {"Content-Type": "application/json"}
LIMIT = 64 * 1024
GOOD_NAME = b'{"name": "Ada"}'


def nested(depth: int, before: str = "[", after: str = "]") -> bytes:
    return (before * depth + after * depth).encode()


NOT_JSON = {
    "white space only": b" \t\r\n ",
    "cut short": b'{"name": "Ada"',
    "two texts": b'{"name": "Ada"} {}',
    "single quotes": b"{'name': 'Ada'}",
    "a comment": b'{"name": "Ada"} // me',
    "a trailing comma": b'{"name": "Ada",}',
    "a byte order mark": b"\xef\xbb\xbf" + GOOD_NAME,
    "a byte order mark alone": b"\xef\xbb\xbf",
    "bytes that are not UTF-8": b'{"name": "\xff\xfe"}',
    "UTF-16": GOOD_NAME.decode().encode("utf-16"),
    "half a surrogate pair in UTF-8": b'{"name": "\xed\xa0\x80"}',
    "an overlong NUL": b'{"name": "\xc0\x80"}',
    "a PNG": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "a raw NUL": b'{"name": "a\x00b"}',
    "a raw line feed in a string": b'{"name": "a\nb"}',
    "NaN": b'{"name": NaN}',
    "Infinity": b'{"name": Infinity}',
    "minus Infinity": b'{"name": -Infinity}',
    "a duplicate key": b'{"name": "Ada", "name": "Bo"}',
    "a duplicate key far inside": b'{"name": [{"a": 1, "\\u0061": 2}]}',
    "a number of 5,000 digits": b'{"name": ' + b"9" * 5000 + b"}",
    "an unquoted word": b"name",
    "depth 1,000": nested(1_000),
    "depth 20,000": nested(20_000),
    "depth 1,000 in objects": nested(1_000, '{"a":', "}").replace(b":}", b":1}"),
    "depth 5,000 in objects": nested(5_000, '{"a":', "}").replace(b":}", b":1}"),
    "depth 20,000 never closed": b"[" * 20_000,
    "depth 1,000 within a known member": b'{"name": ' + nested(1_000) + b"}",
    "depth 20,000 within a known member": b'{"name": ' + nested(20_000) + b"}",
}


@pytest.mark.parametrize("content", NOT_JSON.values(), ids=NOT_JSON.keys())
def test_what_is_no_json_is_malformed(guest: Visitor, content: bytes) -> None:
    response = guest.send("POST", "/v1/players", content=content, headers=JSON)
    assert_problem(response, 400, "malformed-request")


@pytest.mark.parametrize("method_and_path", ["POST /v1/games", "PATCH /v1/players/me"])
def test_it_is_malformed_wherever_a_body_is_read(guest: Visitor, method_and_path: str) -> None:
    method, path = method_and_path.split()
    response = guest.player().send(method, path, content=b"{]", headers=JSON)
    assert_problem(response, 400, "malformed-request")


def test_a_depth_of_200_000_is_too_large(guest: Visitor) -> None:
    response = guest.send("POST", "/v1/players", content=nested(200_000), headers=JSON)
    assert_problem(response, 413, "too-large")


def test_brackets_in_a_string_are_no_depth(guest: Visitor) -> None:
    name = "[" * 20 + "{" * 20
    assert success(guest.post("/v1/players", {"name": name}))["name"] == name


@pytest.mark.parametrize(
    "content",
    [b"null", b"[]", b"1", b"1.5", b'"x"', b"true", b'[{"name": "Ada"}]'],
    ids=["null", "array", "number", "fraction", "string", "true", "array of one"],
)
def test_json_that_is_no_object_is_invalid(guest: Visitor, content: bytes) -> None:
    response = guest.send("POST", "/v1/players", content=content, headers=JSON)
    assert faults(response) == {("#", "wrong-type")}


def test_an_empty_body_is_an_empty_object(guest: Visitor) -> None:
    ada = guest.player()
    assert success(ada.send("POST", "/v1/games"))["seats"][0]["name"] == "Ada"
    assert success(ada.send("POST", "/v1/games", content=b"", headers=JSON))["seats"]
    for media_type in ("text/plain", "application/json; charset=latin-1", "nonsense"):
        headers = {"Content-Type": media_type}
        assert ada.send("POST", "/v1/games", content=b"", headers=headers).status_code == 201
    assert faults(guest.send("POST", "/v1/players")) == {("#/name", "required")}


@pytest.mark.parametrize(
    ("content", "media_type", "status"),
    [
        (b"{" * LIMIT + b"}", "application/json", 413),
        (b"<all/>", "application/xml", 415),
        (b"all", "application/json", 400),
        (b'{"all": true}', "application/json", 422),
        (b"{}", "application/json", 204),
    ],
)
def test_the_body_of_a_delete_is_a_body_like_any_other(
    guest: Visitor, content: bytes, media_type: str, status: int
) -> None:
    ada = guest.player()
    headers = {"Content-Type": media_type}
    response = ada.send("DELETE", "/v1/players/me", content=content, headers=headers)
    assert response.status_code == status
    assert ada.get("/v1/players/me").status_code == (401 if status == 204 else 200)


def test_white_space_around_json_is_fine(guest: Visitor) -> None:
    content = b" \r\n\t" + GOOD_NAME + b"\n"
    assert guest.send("POST", "/v1/players", content=content, headers=JSON).status_code == 201


@pytest.mark.parametrize(
    "media_type",
    [
        "application/json",
        "Application/JSON",
        "application/json;charset=utf-8",
        "application/json; charset=UTF-8",
        'application/json; charset="utf-8"',
    ],
)
def test_json_in_utf_8_is_read(guest: Visitor, media_type: str) -> None:
    headers = {"Content-Type": media_type}
    response = guest.send("POST", "/v1/players", content=GOOD_NAME, headers=headers)
    assert response.status_code == 201


@pytest.mark.parametrize(
    "media_type",
    [
        "text/plain",
        "text/json",
        "application/xml",
        "application/jsonp",
        "application/json-patch+json",
        "application/problem+json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/octet-stream",
        "application",
        "json",
        "*/*",
        ";",
        "application/json; charset=latin-1",
        "application/json; charset=utf-16",
        "application/json; charset=nonsense",
        b"application/json; charset=\xff",
        'application/json; "' + ";" * 64_000,
        'application/json; "' + '\\";' * 20_000,
    ],
)
def test_another_content_type_or_charset_is_unsupported(
    guest: Visitor, media_type: str | bytes
) -> None:
    headers = {"Content-Type": media_type}
    response = guest.send("POST", "/v1/players", content=GOOD_NAME, headers=headers)
    assert_problem(response, 415, "unsupported-media-type")


def test_a_body_without_a_content_type_is_unsupported(guest: Visitor) -> None:
    response = guest.send("POST", "/v1/players", content=GOOD_NAME)
    assert "Content-Type" not in response.request.headers
    assert_problem(response, 415, "unsupported-media-type")


def test_a_form_is_unsupported(guest: Visitor) -> None:
    response = guest.http.post("/v1/players", data={"name": "Ada"})
    assert_problem(response, 415, "unsupported-media-type")


def test_a_file_upload_is_unsupported(guest: Visitor) -> None:
    response = guest.http.post("/v1/players", files={"name": b"\x89PNG"})
    assert_problem(response, 415, "unsupported-media-type")


def padded(length: int) -> bytes:
    return GOOD_NAME + b" " * (length - len(GOOD_NAME))


def in_chunks(content: bytes) -> Iterator[bytes]:
    for start in range(0, len(content), 10_000):
        yield content[start : start + 10_000]


@pytest.mark.parametrize("is_chunked", [False, True], ids=["with a length", "in chunks"])
@pytest.mark.parametrize(
    ("length", "status"),
    [(LIMIT, 201), (LIMIT + 1, 413), (2_000_000, 413)],
    ids=["64 KiB", "one byte more", "2 MB"],
)
def test_bodies_end_at_64_kib(
    guest: Visitor, length: int, status: int, *, is_chunked: bool
) -> None:
    content = in_chunks(padded(length)) if is_chunked else padded(length)
    response = guest.send("POST", "/v1/players", content=content, headers=JSON)
    assert response.status_code == status
    if status == 413:
        assert_problem(response, 413, "too-large")


def test_what_is_too_large_by_its_last_piece_is_refused_at_once(guest: Visitor) -> None:
    """Where nothing more comes, nothing more is waited for."""
    url = guest.http.base_url
    head = b"POST /v1/players HTTP/1.1\r\nHost: yacht\r\nContent-Type: application/json\r\n"
    with socket.create_connection((url.host, url.port), timeout=5) as raw:
        raw.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk(LIMIT))
        time.sleep(0.2)  # so that the rest comes by itself, its end with it
        raw.sendall(chunk(1) + b"0\r\n\r\n")
        assert raw.recv(4096).startswith(b"HTTP/1.1 413 ")


def chunk(length: int) -> bytes:
    return b"%x\r\n%b\r\n" % (length, b" " * length)


def test_too_large_a_body_has_no_effect(guest: Visitor) -> None:
    ada = guest.player()
    content = b'{"name": "Bo"}' + b" " * LIMIT
    response = ada.send("PATCH", "/v1/players/me", content=content, headers=JSON)
    assert_problem(response, 413, "too-large")
    assert success(ada.get("/v1/players/me"))["name"] == "Ada"


def test_answers_are_json_in_utf_8(guest: Visitor) -> None:
    ada = guest.player("Zoë 🎲")
    response = ada.get("/v1/players/me")
    assert response.headers["Content-Type"] == "application/json"
    assert "Zoë 🎲".encode() in response.content
    game = ada.open(ME, friend("Åsa"))
    assert game["seats"][1]["name"] == "Åsa"
