"""A whole game in one document, in two forms; and the games that everybody may find."""

import json

import pytest

from app.rules import format_game, parse_game
from tests.live.conftest import Yacht
from tests.live.players import ME, OPEN, Game, Player, path, problem, success


@pytest.fixture(scope="module")
def played() -> dict[str, Game]:
    """The game that the tests of this module share."""
    return {}


@pytest.fixture
def game(ada: Player, played: dict[str, Game]) -> Game:
    """A finished game with a guest."""
    if "it" not in played:
        played["it"] = ada.finish(ada.open(ME, {"type": "guest", "name": "Di"}))
    return played["it"]


def test_it_is_the_game_its_events_and_the_proof(ada: Player, game: Game) -> None:
    response = ada.ask("GET", path(game, "/export"))
    assert response.headers["Content-Type"] == "application/json"
    assert "Accept" in response.headers["Vary"].split(", ")
    assert response.json() == {
        "game": ada.read(game),
        "events": ada.events(game),
        "fairness": success(ada.ask("GET", path(game, "/fairness"))),
    }
    assert response.json()["fairness"]["server_seed"] is not None


def test_it_can_be_verified_as_it_is(ada: Player, game: Game, yacht: Yacht) -> None:
    document = ada.ask("GET", path(game, "/export")).text
    done = yacht("verify", "-", text=document)
    assert (done.status, done.out) == (0, "the dice are those that were promised\n")


def test_a_changed_one_does_not_verify(ada: Player, game: Game, yacht: Yacht) -> None:
    document = success(ada.ask("GET", path(game, "/export")))
    rolled = next(event for event in document["events"] if event["type"] == "dice_rolled")
    rolled["dice"][0] = rolled["dice"][0] % 6 + 1
    done = yacht("verify", "-", text=json.dumps(document))
    assert done.status == 1
    assert done.out.endswith("the dice do not hold\n")


def test_before_the_end_the_seed_is_hidden(ada: Player) -> None:
    for game in (ada.roll(ada.open()), ada.open(ME, OPEN)):
        fairness = success(ada.ask("GET", path(game, "/export")))["fairness"]
        assert (fairness["server_seed"], fairness["draws"]) == (None, None)
        assert len(fairness["commitment"]) == 64


def test_as_text_it_is_a_score_sheet_that_can_be_played_again(ada: Player, game: Game) -> None:
    response = ada.ask("GET", path(game, "/export"), accept="text/plain")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "Accept" in response.headers["Vary"].split(", ")
    text = response.text
    assert text.startswith('Yacht, ruleset classic\nSeat 0: human "Ada"\nSeat 1: guest "Di"\n')
    assert format_game(parse_game(text)) == text
    seat = game["seats"][0]
    assert f"Seat 0: {seat['total']} points, rank {seat['rank']}\n" in text


@pytest.mark.parametrize(
    ("accept", "is_text"),
    [
        (None, False),
        ("*/*", False),
        ("text/plain", True),
        ("TEXT/Plain; charset=utf-8", True),
        ("text/*", True),
        ("text/plain, */*;q=0.1", True),
        ("text/plain;q=0.5, application/json", False),
        ("text/plain;q=0.5, application/*;q=0.4", True),
        ("application/json, text/plain", False),
        ("text/plain;q=0", False),
        ("*/*, text/plain;q=0.9", False),
        ("text/html", False),
        ("text/plain;q=nan", True),
        (";;,,/;q=", False),
    ],
)
def test_accept_says_which_form(
    ada: Player, game: Game, accept: str | None, *, is_text: bool
) -> None:
    response = ada.ask("GET", path(game, "/export"), accept=accept)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain") == is_text


def test_a_game_at_any_point_can_be_written(ada: Player) -> None:
    waiting = ada.open(ME, OPEN)
    texts = [ada.ask("GET", path(waiting, "/export"), accept="text/plain").text]
    ada.ask("DELETE", path(waiting))
    running = ada.roll(ada.open())
    texts += [
        ada.ask("GET", path(game, "/export"), accept="text/plain").text
        for game in (waiting, running)
    ]
    for text in texts:
        assert format_game(parse_game(text)) == text
    assert [text.splitlines()[-1].split(":")[0] for text in texts] == ["Seat 1", "cancel", "roll 1"]


def test_an_unknown_game_has_no_export(ada: Player) -> None:
    unknown = "/v1/games/01a0a1b2-c3d4-7e5f-8a6b-000000000000/export"
    for accept in ("text/plain", "application/json"):
        assert problem(ada.ask("GET", unknown, accept=accept), 404) == "not-found"


def test_the_lobby_shows_public_games_that_wait(ada: Player) -> None:
    """What somebody without a token needs to find a game, and nothing that is unlisted."""
    stranger = Player(ada.http)
    public = ada.open(ME, OPEN, visibility="public")
    hidden = ada.open(ME, OPEN)
    running = ada.open(visibility="public")
    listed = success(stranger.ask("GET", "/v1/games?status=waiting&limit=100"))["items"]
    ids = [game["id"] for game in listed]
    assert public["id"] in ids
    assert hidden["id"] not in ids
    assert running["id"] not in ids
    assert listed[ids.index(public["id"])] == ada.read(public)
    Player(ada.http, "Bo").join(public)
    listed = success(stranger.ask("GET", "/v1/games?status=waiting&limit=100"))["items"]
    assert public["id"] not in [game["id"] for game in listed]
    everything = success(stranger.ask("GET", "/v1/games?limit=100"))["items"]
    assert {public["id"], running["id"]} <= {game["id"] for game in everything}
