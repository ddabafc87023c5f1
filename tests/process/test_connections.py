"""What holds of every connection: offers of other protocols, halves closed, refusals in JSON."""

import json
import socket
from collections.abc import Iterator

import pytest

from tests.process.client import Client, connect, heard
from tests.process.server import Server

OFFERS = {
    "h2c": b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
    "websocket": b"Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n",
    "another": b"Connection: Upgrade\r\nUpgrade: TLS/1.0\r\n",
}


@pytest.fixture
def client(plain: Server) -> Iterator[Client]:
    with plain.client() as client:
        yield client


def request(method: bytes, path: str, body: bytes, *headers: bytes, token: str = "") -> bytes:
    head = b"%b %b HTTP/1.1\r\nHost: yacht\r\n" % (method, path.encode())
    head += b"Authorization: Bearer %b\r\nContent-Type: application/json\r\n" % token.encode()
    return head + b"".join(headers) + b"Content-Length: %d\r\n\r\n" % len(body) + body


def answers(connection: socket.socket) -> list[tuple[int, dict[str, str], bytes]]:
    """All answers until the server closes the connection."""
    found = []
    rest = heard(connection)
    while rest:
        head, _, rest = rest.partition(b"\r\n\r\n")
        line, *lines = head.decode().split("\r\n")
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines)}
        length = int(headers["content-length"])
        found.append((int(line.split()[1]), headers, rest[:length]))
        rest = rest[length:]
    return found


@pytest.mark.parametrize("offer", OFFERS.values(), ids=OFFERS)
@pytest.mark.parametrize("pieces", [1, 2, 1000], ids=["at once", "in two", "byte by byte"])
def test_an_offer_of_another_protocol_is_declined_and_the_request_served(
    plain: Server, client: Client, offer: bytes, pieces: int
) -> None:
    """The body is read as a body; the next request on the connection is served as well."""
    token = client.register()
    seats = [{"type": "me"}, {"type": "guest", "name": "Kid"}]
    game = client.expect(201, "POST", "/v1/games", {"seats": seats}, token=token)
    path = f"/v1/games/{game['id']}/resignation"
    said = request(b"POST", path, b'{"seat": 1}', offer, token=token)
    said += request(b"POST", path, b"no JSON", offer, b"Connection: close\r\n", token=token)
    with connect(plain.port) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        step = -(-len(said) // pieces)
        for at in range(0, len(said), step):
            connection.sendall(said[at : at + step])
        first, second = answers(connection)
    assert first[0] == 201
    assert [seat["state"] for seat in json.loads(first[2])["seats"]] == ["playing", "resigned"]
    assert (second[0], json.loads(second[2])["code"]) == (400, "malformed-request")


def test_a_body_is_never_taken_for_a_request(plain: Server) -> None:
    hidden = b"GET /healthz HTTP/1.1\r\nHost: yacht\r\n\r\n"
    with connect(plain.port) as connection:
        said = request(b"POST", "/v1/players", hidden, OFFERS["h2c"], b"Connection: close\r\n")
        connection.sendall(said)
        [(status, _, body)] = answers(connection)
    assert (status, json.loads(body)["code"]) == (400, "malformed-request")


@pytest.mark.parametrize("count", [1, 3])
def test_a_client_that_says_no_more_is_answered(plain: Server, client: Client, count: int) -> None:
    token = client.register()
    with connect(plain.port) as connection:
        connection.sendall(request(b"POST", "/v1/games", b"{}", token=token) * count)
        connection.shutdown(socket.SHUT_WR)
        assert [status for status, *_ in answers(connection)] == [201] * count


def test_half_a_request_before_the_end_has_no_effect(plain: Server, client: Client) -> None:
    token = client.register()
    with connect(plain.port) as connection:
        connection.sendall(request(b"POST", "/v1/games", b"{}", token=token)[:-1])
        connection.shutdown(socket.SHUT_WR)
        answers(connection)
    assert client.expect(200, "GET", "/v1/games?mine=true", token=token)["items"] == []


@pytest.mark.parametrize(
    "said",
    [
        b"NONSENSE\r\n\r\n",
        b"FOO /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
        b"CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nIdempotency-Key: a\x01b\r\n\r\n",
        b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
    ids=["no HTTP", "method", "path", "CONNECT", "control", "long"],
)
def test_what_cannot_be_read_is_refused_like_everything_else(plain: Server, said: bytes) -> None:
    with connect(plain.port) as connection:
        connection.sendall(said)
        [(status, headers, body)] = answers(connection)
    problem = json.loads(body)
    assert (status, problem["status"], problem["code"]) == (400, 400, "malformed-request")
    assert headers["content-type"] == "application/problem+json"
    assert headers["x-request-id"] == problem["instance"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["connection"] == "close"
