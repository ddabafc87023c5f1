"""ETag, If-Match and If-None-Match: who has seen what."""

import pytest

from tests.table import ME, OPEN, Game, Json, Player, Visitor, assert_problem, path_of, success

MARKS = [True, False, False, False, False]


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


@pytest.fixture
def game(ada: Player) -> Game:
    """A solo game before its first roll, at version 2."""
    return ada.open()


def test_the_etag_of_a_game_is_its_version_in_quotes(guest: Visitor, game: Game) -> None:
    response = guest.get(path_of(game))
    assert response.headers["ETag"] == '"2"'
    assert response.json()["version"] == 2


def test_every_answer_that_is_a_game_has_its_etag(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    opened = ada.post("/v1/games", {"seats": [ME, OPEN, OPEN]})
    game = success(opened)
    for response in (
        opened,
        bo.ask("join", game),
        bo.ask("leave", game),
        bo.ask("join", game),
        bo.ask("set_entropy", game, {"value": "x"}),
        ada.ask("start", game),
        ada.ask("roll", game),
        ada.ask("hold", game, {"held": MARKS}),
        ada.ask("hold", game, {"held": MARKS}),
        ada.ask("score", game, {"category": "ones"}),
        bo.ask("resign", game),
    ):
        assert response.headers["ETag"] == f'"{success(response)["version"]}"'


KNOWN = ['"2"', "*", '"1", "2"', '"2","9"', 'W/"2"', 'W/"1" , W/"2"', '"x", "2"', ',"2",']
UNKNOWN = [
    b'\xa0"2"',
    '"1"',
    '"3"',
    "2",
    "'2'",
    '"02"',
    '"2',
    '""',
    "",
    ",",
    'w/"2"',
    'W/ "2"',
    '"-2"',
    '"x"',
    '"20"',
    '"2.0"',
    '"*"',
    '"' + "2" * 5000 + '"',
    b'"\xff"',
    '"9223372036854775808"',
]


def shown(value: object) -> str:
    return repr(value)[:24]


@pytest.mark.parametrize("value", KNOWN, ids=shown)
def test_a_known_version_is_not_sent_again(guest: Visitor, game: Game, value: str) -> None:
    response = guest.get(path_of(game), if_none_match=value)
    assert (response.status_code, response.content) == (304, b"")
    assert response.headers["ETag"] == '"2"'
    assert response.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("value", UNKNOWN, ids=shown)
def test_another_version_is_sent(guest: Visitor, game: Game, value: str | bytes) -> None:
    response = guest.send("GET", path_of(game), headers={"If-None-Match": value})
    assert response.status_code == 200
    assert response.json() == game


def test_two_headers_are_one_list(guest: Visitor, game: Game) -> None:
    both = [("If-None-Match", '"1"'), ("If-None-Match", '"2"')]
    assert guest.http.get(path_of(game), headers=both).status_code == 304


def test_after_a_move_the_game_is_sent_again(guest: Visitor, ada: Player, game: Game) -> None:
    ada.roll(game)
    response = guest.get(path_of(game), if_none_match='"2"')
    assert (response.status_code, response.headers["ETag"]) == (200, '"3"')


def test_if_none_match_changes_nothing_elsewhere(guest: Visitor, ada: Player, game: Game) -> None:
    anything = {"If-None-Match": "*"}
    assert ada.send("POST", path_of(game, "/rolls"), headers=anything).status_code == 201
    for path in ("/v1/games", path_of(game, "/events"), "/v1/rulesets", "/v1/openapi.json"):
        assert guest.send("GET", path, headers=anything).status_code == 200


@pytest.mark.parametrize("value", KNOWN, ids=shown)
def test_a_move_meant_for_this_version_is_made(ada: Player, game: Game, value: str) -> None:
    assert success(ada.ask("roll", game, if_match=value))["version"] == 3


@pytest.mark.parametrize("value", UNKNOWN, ids=shown)
def test_a_move_meant_for_another_version_is_stale(
    ada: Player, game: Game, value: str | bytes
) -> None:
    response = ada.send("POST", path_of(game, "/rolls"), headers={"If-Match": value})
    problem = assert_problem(response, 412, "stale-version")
    assert problem["version"] == 2
    assert ada.read(game) == game


def test_every_call_on_a_game_can_be_stale(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    waiting = bo.join(ada.open(ME, OPEN, OPEN))
    before: list[tuple[Player, str, Json]] = [
        (guest.player("Cy"), "join", None),
        (bo, "leave", None),
        (bo, "set_entropy", {"value": "x"}),
        (ada, "start", None),
        (ada, "cancel", None),
    ]
    for player, verb, body in before:
        response = player.ask(verb, waiting, body, if_match='"1"')
        assert assert_problem(response, 412, "stale-version")["version"] == waiting["version"]
    active = ada.roll(ada.start(waiting))
    moves: list[tuple[str, Json]] = [
        ("roll", None),
        ("hold", {"held": MARKS}),
        ("hold", {"held": [False] * 5}),
        ("score", {"category": "ones"}),
        ("resign", None),
    ]
    for verb, body in moves:
        response = ada.ask(verb, active, body, if_match='"1"')
        assert assert_problem(response, 412, "stale-version")["version"] == active["version"]
    assert ada.read(active) == active


READS = ["", "/events", "/fairness", "/export", "/stream", "/advice", "/odds", "/review"]


@pytest.mark.parametrize("below", READS, ids=lambda below: below or "the game")
def test_every_read_of_a_game_can_be_stale(guest: Visitor, ada: Player, below: str) -> None:
    game = ada.open()
    if below in {"/stream", "/review"}:  # which are whole when the game has ended
        game = ada.resign(game)
    path, version = path_of(game, below), game["version"]
    for stale in ('"1"', '"99"', str(version), '"x"'):
        problem = assert_problem(guest.get(path, if_match=stale), 412, "stale-version")
        assert problem["version"] == version
    for fresh in (f'"{version}"', f'W/"{version}"', f'"1", "{version}"', "*"):
        assert guest.get(path, if_match=fresh).status_code == 200


def test_a_stale_read_is_told_so_before_it_is_told_that_nothing_changed(
    guest: Visitor, game: Game
) -> None:
    both = {"If-Match": '"1"', "If-None-Match": '"2"'}
    assert_problem(guest.send("GET", path_of(game), headers=both), 412, "stale-version")


def test_cancelling_again_can_be_stale(ada: Player) -> None:
    game = ada.cancel(ada.open(ME, OPEN))
    assert ada.ask("cancel", game, if_match='"2"').status_code == 204
    assert_problem(ada.ask("cancel", game, if_match='"1"'), 412, "stale-version")


def test_if_match_is_ignored_where_the_path_names_no_game(ada: Player) -> None:
    stale = {"If-Match": '"99"'}
    assert ada.send("POST", "/v1/games", headers=stale).status_code == 201
    assert ada.send("POST", "/v1/players", {"name": "Bo"}, headers=stale).status_code == 201
    assert ada.send("PATCH", "/v1/players/me", {"name": "Bo"}, headers=stale).status_code == 200
    assert ada.send("GET", "/v1/games", headers=stale).status_code == 200
    assert ada.send("POST", "/v1/players/me/token", headers=stale).status_code == 201
    assert ada.send("DELETE", "/v1/players/me", headers=stale).status_code == 204
