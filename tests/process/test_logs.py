"""What the log tells, and what it must never tell."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from signal import SIGTERM

import pytest

from tests.process.client import Client, connect, heard
from tests.process.server import Server, serving

KEY = "an-idempotency-key-of-mine"
QUERY = "a-word-of-the-query"


@pytest.fixture(scope="module")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, list[str]]]:
    """A server that logs all it can as JSON, after calls of every kind, and what is secret."""
    folder = tmp_path_factory.mktemp("eventful")
    with serving(folder, log_level="debug", log_format="json", access_log="1") as server:
        with server.client() as client:
            tokens = [live(client)]
        say_rough_things(server, tokens[0])
        with closing(sqlite3.connect(folder / "yacht.db")) as connection:
            seeds = [row[0] for row in connection.execute("SELECT seed FROM games")]
        hashes = [sha256(token.encode()).hexdigest() for token in tokens]
        texts = [seed.hex() for seed in seeds] + [repr(seed)[2:-1] for seed in seeds]
        yield server, [*tokens, *hashes, *texts, KEY, sha256(KEY.encode()).hexdigest(), QUERY]


def live(client: Client) -> str:
    """Play a little, well and badly; gives the token."""
    token = client.register()
    game = client.expect(201, "POST", "/v1/games", {}, token=token, idempotency_key=KEY)
    path = f"/v1/games/{game['id']}"
    for status in (201, 201):
        client.expect(status, "POST", f"{path}/rolls", token=token, idempotency_key=f"{KEY}-2")
    client.expect(422, "POST", f"{path}/rolls", {"held": [1]}, token=token, idempotency_key=KEY)
    client.expect(403, "POST", f"{path}/rolls", token=client.register("Bo"))
    client.expect(422, "GET", f"/v1/games?{QUERY}={token}")
    client.expect(404, "GET", f"/v1/nowhere?token={token}&{QUERY}=1")
    client.expect(401, "GET", "/v1/players/me", token=f"{token}x")
    client.expect(200, "GET", f"{path}/fairness")
    client.expect(201, "POST", f"{path}/resignation", token=token)
    for address, status in ((f"{path}/stream", 200), (f"{path}/stream?token={token}", 422)):
        assert client.call("GET", address, token=token, last_event_id="1").status == status
    client.expect(200, "GET", f"{path}/fairness")
    new = str(client.expect(201, "POST", "/v1/players/me/token", token=token)["token"])
    client.expect(200, "GET", "/v1/players/me", token=new)
    return new


def say_rough_things(server: Server, token: str) -> None:
    for said in (
        f"GET /v1/players/me?{QUERY} HTTP/1.1\r\nAuthorization: Bearer {token}\r\nBad\0: x\r\n\r\n",
        f"GET /v1/players/me?{QUERY}={token} HTTP/9.9\r\n\r\n",
        f"POST /v1/games HTTP/1.1\r\nAuthorization: Bearer {token}\r\nContent-Length: x\r\n\r\n",
    ):
        with connect(server.port) as connection:
            connection.sendall(said.encode())
            heard(connection)


def test_no_secret_is_in_the_log(eventful: tuple[Server, list[str]]) -> None:
    """No token, key, seed or query, nor a hash of one, at debug level with the access log on."""
    server, secrets = eventful
    assert len(server.log) > 1000
    assert "/stream" in server.log
    assert [secret for secret in secrets if secret in server.log] == []


def test_json_lines_are_json_line_by_line(eventful: tuple[Server, list[str]]) -> None:
    server, _ = eventful
    lines = [json.loads(line) for line in server.log.splitlines()]
    assert all({"at", "level", "logger", "message"} <= line.keys() for line in lines)
    assert {"debug", "info"} <= {line["level"] for line in lines}
    assert {"app.access", "app.server", "uvicorn.error"} <= {line["logger"] for line in lines}


def test_the_access_line_has_the_request_id_and_no_query(shared: Server, client: Client) -> None:
    reply = client.call("GET", f"/healthz?{QUERY}=1", x_request_id="my.own-request_1")
    assert (reply.status, reply.headers["x-request-id"]) == (422, "my.own-request_1")
    assert "GET /healthz 422 " in shared.wait_for_log("my.own-request_1")
    assert QUERY not in shared.log


def test_a_made_up_request_id_is_in_the_access_line_too(shared: Server, client: Client) -> None:
    made = client.call("GET", "/healthz", x_request_id="not allowed").headers["x-request-id"]
    assert "GET /healthz 200 " in shared.wait_for_log(made)


def test_a_path_cannot_forge_a_line_of_the_log(shared: Server, client: Client) -> None:
    client.expect(404, "GET", "/v1/games/x%0a2030-01-01%20ERROR%20forged%20line")
    assert "GET /v1/games/x%0A2030-01-01" in shared.wait_for_log("forged")
    assert [line for line in shared.log.splitlines() if line.startswith("2030-01-01")] == []


def test_requests_are_not_logged_unless_asked_for(plain: Server) -> None:
    with plain.client() as client:
        client.expect(404, "GET", "/nowhere-at-all")
    assert "nowhere-at-all" not in plain.log
    assert "listening on" in plain.log


def test_a_request_is_logged_with_the_bare_flag(tmp_path: Path) -> None:
    with serving(tmp_path, "--access-log") as server:
        server.wait_for_log("GET /readyz 200 ")


def test_a_start_and_an_end_without_trouble_look_like_none(tmp_path: Path) -> None:
    """The framework's lines of its own start come under the name of an error."""
    with serving(tmp_path) as server:
        server.send(SIGTERM)
        assert server.wait() == 0
    assert "error" not in server.log
    assert "app.server: stopping" in server.log
