"""The same players once more: who may ask, who sits where, and that all meet in one game."""

from typing import Any

import pytest

from tests.live.players import ME, OPEN, Game, Player, at_once, path, problem, success
from tests.live.readers import Reader
from tests.live.servers import Inside


@pytest.fixture
def bo(ada: Player) -> Player:
    return Player(ada.http, "Bo")


def guest(name: str) -> dict[str, str]:
    return {"type": "guest", "name": name}


def rematch(player: Player, game: Game, **headers: str) -> Any:
    return player.ask("POST", path(game, "/rematch"), **headers)


def played(ada: Player, bo: Player, *more: Any, **wishes: Any) -> Game:
    """A finished game of Ada and Bo."""
    game = bo.join(ada.open(ME, OPEN, *more, **wishes))
    ada.resign(game)
    return bo.resign(game) if ada.read(game)["status"] == "active" else ada.read(game)


def sitting(game: Game) -> list[tuple[str, str | None, str | None]]:
    return [(seat["type"], seat["name"], seat["player_id"]) for seat in game["seats"]]


def test_whoever_asks_first_opens_a_game_and_is_its_host(ada: Player, bo: Player) -> None:
    game = played(ada, bo)
    response = rematch(bo, game)
    assert response.status_code == 201
    opened = response.json()
    assert response.headers["Location"] == path(opened)
    assert response.headers["ETag"] == f'"{opened["version"]}"' == '"1"'
    assert opened["id"] != game["id"]
    assert (opened["host"], opened["status"], opened["rematch_id"]) == (bo.id, "waiting", None)
    assert sitting(opened) == [("open", None, None), ("human", "Bo", bo.id)]
    assert ada.join(opened)["status"] == "active"


def test_whoever_asks_again_is_led_to_the_same_game(ada: Player, bo: Player) -> None:
    game = played(ada, bo)
    opened = rematch(bo, game).json()
    for player in (ada, bo):
        response = rematch(player, game)
        assert (response.status_code, response.json()) == (200, opened)
        assert response.headers["ETag"] == '"1"'
    ada.join(opened)
    assert rematch(bo, game).json() == ada.read(opened)
    assert len(ada.events(game)) == game["version"] + 1


def test_the_finished_game_names_its_rematch(shared: Inside, ada: Player, bo: Player) -> None:
    game = played(ada, bo)
    opened = rematch(ada, game).json()
    after = ada.read(game)
    assert after == {
        **game,
        "version": game["version"] + 1,
        "rematch_id": opened["id"],
        "updated_at": after["updated_at"],
    }
    (*_, event) = ada.events(game)
    assert (event["type"], event["seat"], event["game_id"]) == (
        "rematch_opened",
        None,
        opened["id"],
    )
    with Reader(shared.port, path(game, f"/stream?after={game['version']}")) as reader:
        assert [message.data for message in reader.rest()] == [event]


def test_own_guests_come_along_and_those_of_others_do_not(ada: Player, bo: Player) -> None:
    game = played(ada, bo, guest("Di"))
    assert sitting(rematch(ada, game).json()) == [
        ("human", "Ada", ada.id),
        ("open", None, None),
        ("guest", "Di", ada.id),
    ]
    game = played(ada, bo, guest("Di"))
    assert sitting(rematch(bo, game).json()) == [("open", None, None), ("human", "Bo", bo.id)]


def test_bots_come_along_and_answer_at_once(ada: Player) -> None:
    """At their level and in their seats; here the bot begins."""
    game = ada.resign(ada.open({"type": "bot", "level": "casual"}, ME))
    opened = rematch(ada, game).json()
    assert [(seat["type"], seat["level"]) for seat in opened["seats"]] == [
        ("bot", "casual"),
        ("human", None),
    ]
    assert opened["turn"]["seat"] == 1


def test_alone_or_with_guests_it_starts_at_once(ada: Player) -> None:
    game = ada.resign(ada.open(ME, guest("Di")))
    opened = rematch(ada, game).json()
    assert (opened["status"], opened["version"]) == ("active", 2)
    assert [name for _, name, _ in sitting(opened)] == ["Ada", "Di"]


def test_it_is_played_by_the_same_rules_but_is_not_listed(ada: Player, bo: Player) -> None:
    wishes = {
        "ruleset": "sum-of-five",
        "visibility": "public",
        "hints": False,
        "turn_seconds": 86_400,
    }
    opened = rematch(ada, played(ada, bo, **wishes)).json()
    assert {name: opened[name] for name in wishes} == {**wishes, "visibility": "unlisted"}
    listed = success(ada.ask("GET", "/v1/games?limit=100"))["items"]
    assert opened["id"] not in [game["id"] for game in listed]


def test_a_new_name_is_the_name_of_the_new_seat(ada: Player, bo: Player) -> None:
    game = played(ada, bo)
    assert ada.ask("PATCH", "/v1/players/me", {"name": "Countess"}).status_code == 200
    assert rematch(ada, game).json()["seats"][0]["name"] == "Countess"


def test_the_seat_of_a_deleted_account_is_open(ada: Player, bo: Player) -> None:
    game = played(ada, bo)
    assert bo.ask("DELETE", "/v1/players/me").status_code == 204
    assert sitting(rematch(ada, game).json())[1] == ("open", None, None)


def test_nobody_else_may_ask(ada: Player, bo: Player) -> None:
    game = played(ada, bo)
    cy = Player(ada.http, "Cy")
    assert problem(rematch(cy, game), 403) == "not-in-game"
    assert problem(rematch(Player(ada.http), game), 401) == "unauthenticated"
    rematch(ada, game)
    assert problem(rematch(cy, game), 403) == "not-in-game"


@pytest.mark.parametrize("status", ["waiting", "active", "cancelled"])
def test_only_a_finished_game_has_one(ada: Player, status: str) -> None:
    game = ada.open() if status == "active" else ada.open(ME, OPEN)
    if status == "cancelled":
        ada.ask("DELETE", path(game))
    assert ada.read(game)["status"] == status
    assert problem(rematch(ada, game), 409) == "not-finished"


def test_an_unknown_game_has_none(ada: Player) -> None:
    assert problem(rematch(ada, {"id": "01a0a1b2-c3d4-7e5f-8a6b-000000000000"}), 404) == "not-found"


def test_its_version_may_be_named(ada: Player, bo: Player) -> None:
    game = played(ada, bo)
    response = rematch(ada, game, if_match='"1"')
    assert problem(response, 412) == "stale-version"
    assert response.json()["version"] == game["version"]
    assert rematch(ada, game, if_match=f'"{game["version"]}"').status_code == 201


def test_its_key_gives_the_same_answer_again(ada: Player, bo: Player) -> None:
    """Byte for byte, though the game is no longer as it was; another's same key is another's."""
    game = played(ada, bo)
    first = rematch(ada, game, idempotency_key="k")
    theirs = rematch(bo, game, idempotency_key="k")
    bo.join(first.json())
    again = rematch(ada, game, idempotency_key="k")
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Location"] == first.headers["Location"]
    assert (theirs.status_code, theirs.json()) == (200, first.json())
    assert "Idempotent-Replayed" not in theirs.headers


def test_of_eight_who_ask_at_once_one_opens_it(ada: Player) -> None:
    others = [Player(ada.http, f"P{number}") for number in range(7)]
    game = ada.open(ME, *[OPEN] * 7)
    for player in others:
        player.join(game)
    players = [ada, *others]
    for player in players[:-1]:
        player.resign(game)
    answers = at_once([lambda player=player: rematch(player, game) for player in players])  # type: ignore[misc]
    assert sorted(response.status_code for response in answers) == [200] * 7 + [201]
    assert len({response.json()["id"] for response in answers}) == 1
    assert [event["type"] for event in ada.events(game)].count("rematch_opened") == 1
    (host,) = {response.json()["host"] for response in answers}
    own = [player.open() for player in players if player.id == host]
    assert len(own) == 1


def test_a_rematch_of_a_rematch_is_another_game(ada: Player) -> None:
    first = ada.resign(ada.open())
    second = ada.resign(rematch(ada, first).json())
    third = rematch(ada, second).json()
    assert len({first["id"], second["id"], third["id"]}) == 3
    commitments = {
        ada.ask("GET", path(g, "/fairness")).json()["commitment"] for g in (first, second, third)
    }
    assert len(commitments) == 3
