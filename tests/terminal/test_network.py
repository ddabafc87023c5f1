"""Lost answers, busy servers, and addresses where no Yacht server is."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import httpx
import pytest

from app.api.problems import STATUS, fault, problem_response
from app.locale.en import TEXTS
from app.terminal.refusals import NoServer, Refused, refusal
from tests.conftest import Serve
from tests.table import Visitor, success
from tests.terminal.faulty import Fault, faulty, once_a_key
from tests.terminal.seat import ONE_CARD, Seat, playing


def test_no_move_is_doubled_though_the_answer_to_each_first_try_is_lost(
    tmp_path: Path, url: str, guest: Visitor
) -> None:
    with faulty(url, once_a_key("cut")) as proxy:
        seat = Seat(tmp_path, proxy.url)
        assert seat.play(ONE_CARD) == 0
    game = success(guest.get(f"/v1/games/{seat.game_id}"))
    moves = [event["type"] for event in guest.events(game)]
    assert (moves.count("dice_rolled"), moves.count("category_scored")) == (12, 12)
    assert f"Ada has scored {game['seats'][0]['total']} points." in seat.shown
    keys = [key for _, _, key in proxy.seen if key is not None]
    assert all(keys.count(key) == 2 for key in keys)
    assert len(set(keys)) == 1 + 24


@pytest.mark.parametrize("trouble", ["busy", "spent"])
def test_a_busy_server_is_asked_again_with_the_same_key(
    trouble: Fault, tmp_path: Path, url: str, guest: Visitor
) -> None:
    with faulty(url, once_a_key(trouble)) as proxy:
        seat = Seat(tmp_path, proxy.url)
        seat.play(["r", "k"])
    assert [event["type"] for event in guest.events({"id": seat.game_id})][2:] == [
        "dice_rolled",
        "category_scored",
    ]
    keys = [key for _, _, key in proxy.seen if key is not None]
    assert [keys.count(key) for key in dict.fromkeys(keys)] == [2, 2, 2]
    assert "Trying again" in seat.shown


@pytest.mark.parametrize(
    ("is_own", "reason", "way_back"),
    [
        pytest.param(False, "No answer from {url}", "--server {url} --name Ada", id="another's"),
        pytest.param(True, "The window that kept this server was closed", "--name Ada", id="own"),
    ],
)
def test_a_server_that_goes_away_ends_the_visit_and_the_game_is_kept(
    is_own: bool, reason: str, way_back: str, serve: Serve, tmp_path: Path
) -> None:
    seats = []

    def lines(serving: Iterator[None]) -> Iterator[str]:
        yield "r"
        next(serving, None)
        yield "1 r"

    def served() -> Iterator[None]:
        with serve() as visitor:
            seats.append(Seat(tmp_path, str(visitor.http.base_url)))
            yield

    serving = served()
    next(serving)
    [seat] = seats
    seat.is_own = is_own
    assert seat.play(lines(serving)) == 1
    assert reason.format(url=seat.url) in seat.shown
    assert f"yacht play {way_back.format(url=seat.url)} --join {seat.game_id}" in seat.shown
    with serve() as visitor:
        again = Seat(tmp_path, str(visitor.http.base_url))
        assert success(visitor.get(f"/v1/games/{seat.game_id}"))["turn"]["rolls_used"] == 1
        assert again.play(["r"], join=seat.game_id) == 1  # at another address she is a stranger
        assert "only those who have a seat" in again.shown


def test_whoever_watches_where_the_own_server_was_closed_is_told_how_to_go_on(
    tmp_path: Path,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        seat = Seat(tmp_path, f"http://127.0.0.1:{free.getsockname()[1]}")
    seat.is_own = True
    assert seat.watch("01a0a1b2") == 1
    assert seat.shown.startswith("The window that kept this server was closed.")
    assert seat.shown.endswith("Watch it again with: yacht watch 01a0a1b2\n")


def test_an_address_where_nobody_answers_is_told_at_once(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    seat = Seat(tmp_path, url)
    assert seat_refuses(seat).startswith(f"No answer from {url}")
    assert "Trying again" not in seat.shown


def test_https_to_a_server_that_speaks_http_is_told(tmp_path: Path, url: str) -> None:
    address = url.replace("http:", "https:")
    message = f"The server at {address} speaks http, not https. Try again with {url}\n"
    assert seat_refuses(Seat(tmp_path, address)) == message


@pytest.mark.parametrize("address", ["http://", "ftp://example.org", "http://x:y:z"])
def test_what_is_no_address_is_told(address: str, tmp_path: Path) -> None:
    with pytest.raises(NoServer, match="is no address of a server"):
        Seat(tmp_path, address).play([])


@pytest.mark.parametrize("wrapped", ["{url}/", "{url}/v1", " {url}/v1/ ", "{host}"])
def test_what_was_copied_too_much_of_an_address_is_forgiven(
    wrapped: str, tmp_path: Path, url: str
) -> None:
    address = wrapped.format(url=url, host=url.removeprefix("http://"))
    assert Seat(tmp_path, address.strip()).play(["r"]) == 0


PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>Hi</p>"
STRANGE_JSON = b'HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n{"items": [null]}'
MISSING = b'HTTP/1.1 404 Not Found\r\nContent-Length: 23\r\n\r\n{"detail": "Not Found"} '
MOVED = b"HTTP/1.1 301 Moved\r\nLocation: https://example.org/\r\nContent-Length: 0\r\n\r\n"
BROKEN = b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"
NO_V1 = b'HTTP/1.1 404 Not Found\r\nContent-Length: 21\r\n\r\n{"code": "not-found"}'
NO_HTTP = b"SSH-2.0-OpenSSH\r\n"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        pytest.param(PAGE, "it is no Yacht server", id="a page"),
        pytest.param(MISSING, "it is no Yacht server", id="another API"),
        pytest.param(STRANGE_JSON, "do not understand each other", id="another shape"),
        pytest.param(NO_V1, "do not understand each other", id="another version"),
        pytest.param(MOVED, "sends visitors on to https://example.org/", id="a redirect"),
        pytest.param(BROKEN, "answers only with an error (status 500)", id="a broken server"),
        pytest.param(NO_HTTP, "No answer from", id="no HTTP"),
    ],
)
def test_what_is_no_yacht_server_is_told_in_plain_words(
    answer: bytes, message: str, tmp_path: Path
) -> None:
    with always(answer) as url:
        assert message in seat_refuses(Seat(tmp_path, url))


@pytest.mark.parametrize("code", STATUS)
def test_every_problem_has_a_message_for_players(code: str) -> None:
    faults = [fault("#/name", "name")] if code == "invalid-request" else []
    problem = problem_response(code, "request-7", faults, version=3)
    answer = httpx.Response(problem.status_code, content=bytes(problem.body))
    refused = refusal(answer, "http://example.org")
    assert isinstance(refused, Refused)
    message = TEXTS[f"play.problem.{code}"].format(instance="request-7")
    assert str(refused).startswith(message)
    assert ("A name has 1 to 40 characters" in str(refused)) == bool(faults)
    assert not any(word in str(refused) for word in ("`errors`", "POST", "DELETE", "header"))


def test_no_message_is_for_a_problem_that_there_is_not() -> None:
    prefix = "play.problem."
    assert {key.removeprefix(prefix) for key in TEXTS if key.startswith(prefix)} == set(STATUS)


def test_a_problem_of_a_later_server_speaks_for_itself() -> None:
    body = {"code": "too-late", "title": "Bedtime", "detail": "The table is closed."}
    refused = refusal(httpx.Response(409, json=body), "http://example.org")
    assert str(refused) == "Bedtime: The table is closed."


def test_too_many_open_games_are_not_tried_again(tmp_path: Path) -> None:
    answer = problem_response("rate-limited", "request-7")
    refused = b"HTTP/1.1 429 Too Many\r\nContent-Length: %d\r\n\r\n" % len(answer.body)
    with always(refused + bytes(answer.body)) as busy:
        crowded = Seat(tmp_path, busy)
        assert crowded.play([]) == 1
    assert "too many open games of yours" in crowded.shown
    assert "Trying again" not in crowded.shown


def test_a_visitor_who_answers_nothing_leaves_politely(seat: Seat) -> None:
    assert seat.ask(playing("Ada", [])) == 0
    assert f"Come back with: yacht play --server {seat.url}" in seat.shown


def seat_refuses(seat: Seat) -> str:
    """What a visit says that ends before it has begun."""
    assert seat.play([]) == 1
    return seat.shown


@contextmanager
def always(answer: bytes) -> Iterator[str]:
    """A server that has one answer to everything."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection:
                    if connection.recv(65536) == b"stop":
                        return
                    connection.sendall(answer)

        thread = Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            with socket.create_connection(listening.getsockname()) as last:
                last.sendall(b"stop")
            thread.join()
