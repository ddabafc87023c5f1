"""Every event reaches every reader once and in order, however bad the line, and soon."""

import http.client
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random
from statistics import quantiles
from threading import Thread
from time import perf_counter, sleep

import pytest

from tests.live.players import ME, OPEN, Game, Player, at, at_once, path
from tests.live.proxy import Line, line_to
from tests.live.readers import Reader
from tests.live.servers import Inside, Outside

THOUSAND = 1000
CUT = (OSError, http.client.HTTPException, AssertionError)
"""How a reader learns that its line was cut: no answer, half an answer, half an event."""


@pytest.fixture
def game(ada: Player) -> Game:
    """A solo game with dice on the table."""
    return ada.roll(ada.open())


def follow(port: int, address: str, last: int, ids: list[int]) -> None:
    """Read from event 1 to `last` as a browser would: after each cut go on from the last id."""
    while not ids or ids[-1] < last:
        headers = {"Last-Event-ID": str(ids[-1])} if ids else {}
        query = "" if ids else "?after=0"
        try:
            with Reader(port, f"{address}{query}", headers) as reader:
                for message in reader:
                    ids.append(message.id)
                    assert message.data["seq"] == message.id
                    if message.id == last:
                        return
        except CUT:
            continue


def test_three_readers_each_get_every_one_of_a_thousand_events(process: Outside) -> None:
    """While they are made; a fourth, from outside and later, gets all of them at once."""
    with at(process.port) as http:
        ada = Player(http, "Ada")
        game = ada.roll(ada.open())
        last = game["version"] + THOUSAND
        readers: list[list[int]] = [[], [], []]
        with ThreadPoolExecutor(3) as threads:
            for ids in readers:
                threads.submit(follow, process.port, path(game, "/stream"), last, ids)
            ada.make_events(game, THOUSAND)
        assert readers == [list(range(1, last + 1))] * 3
        with Reader(process.port, path(game, "/stream?after=0")) as late:
            messages = late.take(last)
        assert [message.data for message in messages] == ada.events(game)


def test_a_reader_may_drop_and_resume_at_every_event(
    shared: Inside, ada: Player, game: Game
) -> None:
    """One connection an event, some before it was made, some after."""
    ada.make_events(game, 40)
    ids: list[int] = []
    maker = Thread(target=ada.make_events, args=(game, 20))
    maker.start()
    while len(ids) < 63:
        headers = {"Last-Event-ID": str(len(ids))}
        with Reader(shared.port, path(game, "/stream"), headers) as reader:
            ids += [message.id for message in reader.take(1)]
    maker.join()
    assert ids == list(range(1, 64))


@pytest.mark.parametrize("is_abrupt", [False, True], ids=["orderly", "reset"])
def test_a_line_cut_at_any_byte_loses_and_repeats_nothing(
    shared: Inside, ada: Player, game: Game, *, is_abrupt: bool
) -> None:
    """The cut moves through the head of the answer, the chunks and the events, byte by byte."""
    ada.make_events(game, 12)
    address = path(game, "/stream?after=0")
    log = [event["seq"] for event in ada.events(game)]
    size = _size(shared.port, address)
    with line_to(shared.port) as line:
        line.is_abrupt = is_abrupt
        for cut in Random(5).sample(range(1, size), 120):
            line.cut_after = cut
            received: list[int] = []
            try:
                with Reader(line.port, address) as reader:
                    received += (message.id for message in reader)
            except CUT:
                pass
            assert received == log[: len(received)]
            line.cut_after = None
            if received != log:
                follow(line.port, path(game, "/stream"), log[-1], received)
            assert received == log


def _size(port: int, address: str) -> int:
    """About how many bytes an answer has up to its last event so far."""
    with Reader(port, address) as reader:
        head = sum(len(name) + len(value) + 4 for name, value in reader.headers.items())
        messages = reader.take(15)
    return head + sum(len(str(message.data)) for message in messages)


def test_a_slow_line_that_is_cut_again_and_again_delivers_everything_in_order(
    shared: Inside, ada: Player, game: Game
) -> None:
    """Small pieces, each late, each connection cut after a few hundred bytes, while events come."""
    last = game["version"] + 60
    ids: list[int] = []
    with line_to(shared.port) as line:
        line.piece, line.delay_seconds = 100, 0.001
        worsening = Thread(target=_worsen, args=(line, ids, last))
        worsening.start()
        maker = Thread(target=ada.make_events, args=(game, 60))
        maker.start()
        follow(line.port, path(game, "/stream"), last, ids)
        maker.join()
        worsening.join()
    assert ids == list(range(1, last + 1))


def _worsen(line: Line, ids: list[int], last: int) -> None:
    random = Random(11)
    while not ids or ids[-1] < last:
        line.cut_after = random.randrange(500, 2500)
        line.is_abrupt = random.random() < 0.5
        sleep(0.005)


def test_whoever_has_seen_an_event_finds_the_game_at_least_so_far(
    shared: Inside, ada: Player, game: Game
) -> None:
    """Two hundred times: the stream is never ahead of what a GET shows."""
    with Reader(shared.port, path(game, "/stream?after=3")) as reader:
        messages = iter(reader)
        for number in range(200):
            ada.hold(game, 1 + number % 31)
            message = next(messages)
            assert ada.read(game)["version"] >= message.id == 4 + number


def test_what_happens_while_a_stream_reads_the_log_wakes_it_again(
    shared: Inside, ada: Player, game: Game
) -> None:
    """Short bursts, the end of each awaited: none is left lying until the next ping."""
    with Reader(shared.port, path(game, "/stream?after=3"), timeout=5) as reader:
        messages = iter(reader)
        for _ in range(40):
            at_once([partial(ada.hold, game, number) for number in (1, 2, 3)])
            version = ada.read(game)["version"]
            while next(messages).id < version:
                pass


@pytest.mark.clock
def test_an_event_reaches_a_reader_within_fifty_milliseconds(
    process: Outside, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the 95th percentile, from before the move is sent to the event at another connection."""
    with at(process.port) as http:
        ada = Player(http, "Ada")
        game = ada.roll(ada.open())
        took = []
        with Reader(process.port, path(game, "/stream?after=3")) as reader:
            messages = iter(reader)
            for number in range(150):
                begun = perf_counter()
                with ThreadPoolExecutor(1) as threads:
                    threads.submit(ada.hold, game, 1 + number % 31)
                    next(messages)
                    took.append((perf_counter() - begun) * 1000)
    p95 = quantiles(took, n=20)[18]
    with capsys.disabled():
        print(f"\nevent to reader: median {sorted(took)[75]:.1f} ms, p95 {p95:.1f} ms")  # noqa: T201
    assert p95 < 50


def test_the_seats_of_a_game_are_followed_too(shared: Inside, ada: Player) -> None:
    """Joining, leaving and the start, before there is any turn."""
    bo = Player(ada.http, "Bo")
    game = ada.open(ME, OPEN, OPEN)
    with Reader(shared.port, path(game, "/stream")) as reader:
        reader.take(1)
        bo.join(game)
        assert bo.ask("DELETE", path(game, "/seats/me")).status_code == 200
        bo.join(game)
        assert ada.ask("POST", path(game, "/start")).status_code == 200
        assert [message.event for message in reader.take(4)] == [
            "seat_joined",
            "seat_left",
            "seat_joined",
            "game_started",
        ]


def test_a_stream_tells_only_of_its_own_game(shared: Inside, ada: Player, game: Game) -> None:
    other = ada.roll(ada.open())
    with Reader(shared.port, path(game, "/stream?after=3")) as reader:
        ada.make_events(other, 5)
        ada.hold(game, 1)
        ada.hold(game, 2)
        assert [message.id for message in reader.take(2)] == [4, 5]
