"""What a stream is: where it begins, what it is made of, when it ends, and when there is none."""

import json
from pathlib import Path
from time import monotonic

import pytest

from tests.live.players import ME, OPEN, Game, Player, at, path, problem
from tests.live.readers import Reader
from tests.live.servers import Inside, inside, wait_until

NOBODY = "01a0a1b2-c3d4-7e5f-8a6b-000000000000"


@pytest.fixture
def game(ada: Player) -> Game:
    """A solo game of five events, the last a roll and two holds."""
    rolled = ada.roll(ada.open())
    ada.make_events(rolled, 2)
    return ada.read(rolled)


def stream(game: Game, query: str = "") -> str:
    return path(game, f"/stream{query}")


def test_without_an_id_it_opens_with_the_game_and_goes_on_from_there(
    shared: Inside, ada: Player, game: Game
) -> None:
    with Reader(shared.port, stream(game)) as reader:
        (snapshot,) = reader.take(1)
        assert snapshot == (5, "snapshot", ada.read(game))
        ada.hold(game, 7)
        (event,) = reader.take(1)
        assert (event.id, event.event) == (6, "dice_held")
        assert event.data == ada.events(game)[5]


@pytest.mark.parametrize("after", range(6))
def test_after_an_id_it_sends_exactly_the_events_after_it(
    shared: Inside, ada: Player, game: Game, after: int
) -> None:
    with Reader(shared.port, stream(game, f"?after={after}")) as reader:
        ada.hold(game, 0)
        messages = reader.take(6 - after)
    log = ada.events(game)
    assert [message.data for message in messages] == log[after:]
    assert [(m.id, m.event) for m in messages] == [(e["seq"], e["type"]) for e in log[after:]]


@pytest.mark.parametrize(
    ("query", "headers", "first"),
    [
        ("?after=4", {"Last-Event-ID": "2"}, 3),
        ("?after=1", {"Last-Event-ID": "4"}, 5),
        ("", {"Last-Event-ID": "0"}, 1),
        ("", {"Last-Event-ID": "004"}, 5),
    ],
    ids=["an earlier one", "a later one", "zero", "with zeros before it"],
)
def test_the_last_event_id_wins(
    shared: Inside, game: Game, query: str, headers: dict[str, str], first: int
) -> None:
    with Reader(shared.port, stream(game, query), headers) as reader:
        assert reader.take(1)[0].id == first


@pytest.mark.parametrize(
    "value",
    ["", "6", "2147483648", "99999999999999999999", "-1", "1.0", "x", "1e0", "4 4", "\xb2"],
    ids=["empty", "future", "2^31", "huge", "negative", "point", "letter", "e", "two", "digit"],
)
def test_a_last_event_id_that_cannot_be_used_gives_a_snapshot(
    shared: Inside, game: Game, value: str
) -> None:
    """Even where `after` could be used: whoever sent it does not know where it is."""
    with Reader(shared.port, stream(game, "?after=1"), {"Last-Event-ID": value}) as reader:
        (message,) = reader.take(1)
        assert (message.id, message.event) == (5, "snapshot")


@pytest.mark.parametrize("after", [6, 2_147_483_647])
def test_an_after_in_the_future_gives_a_snapshot(shared: Inside, game: Game, after: int) -> None:
    with Reader(shared.port, stream(game, f"?after={after}")) as reader:
        assert reader.take(1)[0].event == "snapshot"


@pytest.mark.parametrize(
    "query",
    ["?after=", "?after=-1", "?after=x", "?after=1.0", "?after=1&after=1", "?before=1"],
)
def test_a_malformed_query_is_refused(ada: Player, game: Game, query: str) -> None:
    response = ada.ask("GET", stream(game, query), last_event_id="1")
    assert problem(response, 422) == "invalid-request"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_game_that_is_not_there_is_refused_before_the_first_byte(
    ada: Player, method: str
) -> None:
    for game_id in (NOBODY, NOBODY.upper(), "x"):
        response = ada.ask(method, f"/v1/games/{game_id}/stream")
        assert response.status_code == 404
        assert response.headers["Content-Type"] == "application/problem+json"


def test_the_rest_of_an_ended_game_is_sent_and_then_it_closes(
    shared: Inside, ada: Player, game: Game
) -> None:
    ended = ada.resign(game)
    with Reader(shared.port, stream(game, "?after=3")) as reader:
        messages = reader.rest()
    assert [message.id for message in messages] == list(range(4, ended["version"] + 1))
    assert messages[-1].event == "game_finished"


def test_with_nothing_left_to_send_there_is_no_content(ada: Player, game: Game) -> None:
    """Which tells a browser not to come again."""
    version = ada.resign(game)["version"]
    for response in (
        ada.ask("GET", stream(game, f"?after={version}")),
        ada.ask("GET", stream(game), last_event_id=str(version)),
        ada.ask("HEAD", stream(game), last_event_id=str(version)),
    ):
        assert (response.status_code, response.content) == (204, b"")


def test_without_an_id_an_ended_game_is_a_snapshot_and_then_it_closes(
    shared: Inside, ada: Player, game: Game
) -> None:
    ended = ada.resign(game)
    with Reader(shared.port, stream(game)) as reader:
        assert reader.rest() == [(ended["version"], "snapshot", ada.read(game))]


def test_a_stream_ends_with_its_game(shared: Inside, ada: Player, game: Game) -> None:
    with Reader(shared.port, stream(game)) as reader:
        reader.take(1)
        ada.resign(game)
        assert [message.event for message in reader.rest()] == ["seat_resigned", "game_finished"]
    wait_until(lambda: shared.live.count == 0)


def test_a_stream_ends_with_a_game_that_is_cancelled(shared: Inside, ada: Player) -> None:
    game = ada.open(ME, OPEN)
    with Reader(shared.port, stream(game)) as reader:
        reader.take(1)
        assert ada.ask("DELETE", path(game)).status_code == 204
        assert [message.event for message in reader.rest()] == ["game_cancelled"]


def test_what_happens_after_the_end_is_sent_to_whoever_comes_again(
    shared: Inside, ada: Player, game: Game
) -> None:
    """A rematch: one more event of a finished game."""
    version = ada.resign(game)["version"]
    ada.ask("POST", path(game, "/rematch"))
    with Reader(shared.port, stream(game, f"?after={version}")) as reader:
        assert [message.event for message in reader.rest()] == ["rematch_opened"]
    response = ada.ask("GET", stream(game, f"?after={version + 1}"))
    assert response.status_code == 204


@pytest.mark.clock
def test_head_is_answered_at_once_with_the_headers_of_a_stream(
    shared: Inside, ada: Player, game: Game
) -> None:
    begun = monotonic()
    response = ada.ask("HEAD", stream(game))
    assert monotonic() - begun < 2
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert "Content-Length" not in response.headers
    wait_until(lambda: shared.live.count == 0)
    assert ada.ask("GET", path(game)).status_code == 200  # on the same connection


def test_the_headers_forbid_keeping_and_holding_back(shared: Inside, game: Game) -> None:
    with Reader(shared.port, stream(game), {"Origin": "https://example.org"}) as reader:
        assert reader.status == 200
        assert reader.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert reader.headers["cache-control"] == "no-store"
        assert reader.headers["x-accel-buffering"] == "no"
        assert reader.headers["access-control-allow-origin"] == "*"
        assert reader.headers["x-request-id"]


@pytest.mark.clock
def test_it_is_never_compressed_or_held_back(shared: Inside, ada: Player, game: Game) -> None:
    """The headers come before there is an event, each event before there is another."""
    headers = {"Accept-Encoding": "gzip, deflate, br, zstd"}
    begun = monotonic()
    with Reader(shared.port, stream(game, "?after=5"), headers) as reader:
        assert monotonic() - begun < 1
        assert "content-encoding" not in reader.headers
        for number in (1, 2, 3):
            begun = monotonic()
            ada.hold(game, number)
            reader.take(1)
            assert monotonic() - begun < 1


def test_it_begins_with_a_hint_when_to_come_again(shared: Inside, game: Game) -> None:
    with Reader(shared.port, stream(game, "?after=1")) as reader:
        assert next(reader.blocks()) == {"retry": "1000"}


def test_no_token_is_needed_and_none_is_looked_at(shared: Inside, game: Game) -> None:
    with Reader(shared.port, stream(game), {"Authorization": "Bearer nobodys"}) as reader:
        assert reader.take(1)[0].event == "snapshot"


def test_nothing_secret_is_ever_sent(shared: Inside, ada: Player) -> None:
    """No token, no key, no seed: neither while the game runs nor after it."""
    key = "a-key-nobody-may-see"
    game = ada.open(ME)
    ada.ask("POST", path(game, "/rolls"), idempotency_key=key)
    ada.resign(game)
    seed = ada.ask("GET", path(game, "/fairness")).json()["server_seed"]
    with Reader(shared.port, stream(game, "?after=0")) as all_of_it:
        sent = json.dumps([message.data for message in all_of_it.rest()])
    with Reader(shared.port, stream(game)) as snapshot:
        sent += json.dumps([message.data for message in snapshot.rest()])
    token = ada.headers["Authorization"].removeprefix("Bearer ")
    assert game["id"] in sent
    for secret in (token, key, seed):
        assert secret not in sent


@pytest.mark.clock
def test_a_silent_stream_pings_and_then_ends_with_its_life(tmp_path: Path) -> None:
    """With both times shortened; then the client comes again and misses nothing."""
    with (
        inside(tmp_path, ping_seconds=0.1, life_seconds=0.75) as server,
        at(server.port) as http,
    ):
        ada = Player(http, "Ada")
        game = ada.roll(ada.open())
        begun = monotonic()
        with Reader(server.port, stream(game, "?after=3")) as reader:
            assert reader.rest() == []
            assert 0.7 <= monotonic() - begun < 3
            assert 5 <= reader.pings <= 8
        ada.hold(game, 1)
        with Reader(server.port, stream(game, "?after=3")) as again:
            assert again.take(1)[0].id == 4


def test_by_default_it_pings_and_lives_as_long_as_promised(shared: Inside) -> None:
    """With a second to spare for a machine that is busy."""
    assert shared.live.ping_seconds <= 14
    assert shared.live.life_seconds <= 15 * 60 - 1


def test_an_address_has_its_share_of_streams(tmp_path: Path) -> None:
    """The one too many is told when to come again; a place that is given back is free."""
    with inside(tmp_path, streams_per_address=2) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        game = ada.open()
        first, second = Reader(server.port, stream(game)), Reader(server.port, stream(game))
        for method in ("GET", "HEAD"):
            refused = ada.ask(method, stream(game))
            assert refused.status_code == 429
            assert refused.headers["Content-Type"] == "application/problem+json"
            assert int(refused.headers["Retry-After"]) >= 1
        first.close()
        wait_until(lambda: server.live.count == 1)
        with Reader(server.port, stream(game)) as third:
            assert third.status == 200
        second.close()


def test_a_process_has_its_share_of_streams(tmp_path: Path) -> None:
    with inside(tmp_path, streams=1) as server, at(server.port) as http:
        ada = Player(http, "Ada")
        game = ada.open()
        with Reader(server.port, stream(game)):
            refused = ada.ask("GET", stream(game))
            assert problem(refused, 503) == "unavailable"
            assert int(refused.headers["Retry-After"]) >= 1


def test_without_limits_streams_have_none(tmp_path: Path) -> None:
    with (
        inside(tmp_path, streams=1, streams_per_address=1, rate_limit=0) as server,
        at(server.port) as http,
    ):
        game = Player(http, "Ada").open()
        readers = [Reader(server.port, stream(game)) for _ in range(3)]
        assert [reader.take(1)[0].event for reader in readers] == ["snapshot"] * 3
        for reader in readers:
            reader.close()
