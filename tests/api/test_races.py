"""Many at once: each effect happens once, and everybody is told what became of the call."""

import random
from collections import Counter
from collections.abc import Callable
from functools import partial

import httpx
import pytest

from tests.api.folding import assert_log_gives_state
from tests.conftest import Serve
from tests.table import CATEGORIES, ME, OPEN, Game, Player, Visitor, assert_problem, at_once, friend


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


@pytest.fixture
def bo(guest: Visitor) -> Player:
    return guest.player("Bo")


def statuses(responses: list[httpx.Response]) -> Counter[int]:
    return Counter(response.status_code for response in responses)


@pytest.mark.parametrize("attempt", range(5))
def test_two_racing_on_one_turn_have_one_effect(ada: Player, bo: Player, attempt: int) -> None:
    game = ada.roll(bo.join(ada.open(ME, OPEN)))
    category = CATEGORIES[attempt]
    responses = at_once([lambda: ada.ask("score", game, {"category": category})] * 2)
    assert statuses(responses) == {201: 1, 409: 1}
    after = ada.read(game)
    assert after["version"] == game["version"] + 1
    assert after["turn"]["seat"] == 1


def test_twenty_with_one_key_have_one_effect_and_the_same_bytes(ada: Player) -> None:
    game = ada.open()
    responses = at_once([lambda: ada.ask("roll", game, key="k")] * 20)
    assert statuses(responses) == {201: 20}
    assert len({response.content for response in responses}) == 1
    assert sum("Idempotent-Replayed" in response.headers for response in responses) == 19
    assert ada.read(game)["turn"]["rolls_used"] == 1


def test_twenty_openings_with_one_key_are_one_game(ada: Player) -> None:
    responses = at_once([lambda: ada.post("/v1/games", key="k")] * 20)
    assert statuses(responses) == {201: 20}
    assert len({(r.content, r.headers["Location"]) for r in responses}) == 1
    assert len(ada.get("/v1/games?mine=true").json()["items"]) == 1


def test_one_key_for_two_things_does_one_of_them(ada: Player) -> None:
    game, other = ada.open(), ada.open()
    responses = at_once(
        [lambda: ada.ask("roll", game, key="k")] * 5 + [lambda: ada.ask("roll", other, key="k")] * 5
    )
    assert statuses(responses) == {201: 5, 422: 5}
    rolls = [ada.read(each)["turn"]["rolls_used"] for each in (game, other)]
    assert sorted(rolls) == [0, 1]


def test_eight_with_the_same_if_match_are_one_move(ada: Player) -> None:
    game = ada.open()
    responses = at_once([lambda: ada.ask("roll", game, if_match='"2"')] * 8)
    assert statuses(responses) == {201: 1, 412: 7}
    for response in responses:
        if response.status_code == 412:
            assert assert_problem(response, 412, "stale-version")["version"] == 3
    assert ada.read(game)["turn"]["rolls_used"] == 1


def test_twenty_rolls_at_once_are_three(ada: Player) -> None:
    game = ada.open()
    responses = at_once([lambda: ada.ask("roll", game)] * 20)
    assert statuses(responses) == {201: 3, 409: 17}
    told = {tuple(r.json()["turn"]["dice"]) for r in responses if r.status_code == 201}
    assert tuple(ada.read(game)["turn"]["dice"]) in told
    assert len(ada.events(game)) == 5


def test_twenty_join_three_seats(guest: Visitor, ada: Player) -> None:
    game = ada.open(ME, OPEN, OPEN, OPEN)
    joiners = [guest.player(f"P{number}") for number in range(20)]
    responses = at_once([partial(player.ask, "join", game) for player in joiners])
    assert statuses(responses) == {201: 3, 409: 17}
    after = guest.read(game)
    seated = {seat["player_id"] for seat in after["seats"]}
    assert after["status"] == "active"
    assert seated == {ada.id} | {
        player.id
        for player, response in zip(joiners, responses, strict=True)
        if response.status_code == 201
    }
    for response in responses:
        if response.status_code == 409:
            assert_problem(response, 409, "already-started")
    assert_log_gives_state(guest, game)


def test_two_joining_at_once_both_sit(guest: Visitor, ada: Player, bo: Player) -> None:
    cy = guest.player("Cy")
    game = ada.open(ME, OPEN, OPEN, OPEN)
    responses = at_once([lambda: bo.ask("join", game), lambda: cy.ask("join", game)])
    assert statuses(responses) == {201: 2}
    seated = {seat["player_id"] for seat in guest.read(game)["seats"]}
    assert seated == {ada.id, bo.id, cy.id, None}


def test_one_player_joining_ten_times_sits_once(ada: Player, bo: Player) -> None:
    game = ada.open(ME, *[OPEN] * 7)
    responses = at_once([lambda: bo.ask("join", game)] * 10)
    assert statuses(responses) == {201: 1, 409: 9}
    assert sum(seat["player_id"] == bo.id for seat in ada.read(game)["seats"]) == 1


def test_hammering_score_ends_one_s_own_turn_only(ada: Player, bo: Player) -> None:
    game = ada.roll(bo.join(ada.open(ME, OPEN)))
    responses = at_once([lambda: ada.ask("score", game, {"category": "ones"})] * 10)
    assert statuses(responses) == {201: 1, 409: 9}
    for response in responses:
        if response.status_code == 409:
            assert_problem(response, 409, "not-your-turn")
    after = ada.read(game)
    assert after["seats"][1] == game["seats"][1]
    assert (after["turn"]["seat"], after["turn"]["rolls_used"]) == (1, 0)


def test_starting_twice_at_once_starts_once(ada: Player) -> None:
    game = ada.open(ME, OPEN)
    responses = at_once([lambda: ada.ask("start", game)] * 6)
    assert statuses(responses) == {200: 1, 409: 5}


def test_a_new_token_used_by_many_at_once_works_for_all(ada: Player) -> None:
    anew = ada.with_token(ada.post("/v1/players/me/token").json()["token"])
    responses = at_once([lambda: anew.get("/v1/players/me")] * 10)
    assert statuses(responses) == {200: 10}
    assert_problem(ada.get("/v1/players/me"), 401, "unauthenticated")


def test_deleting_an_account_amid_its_moves_leaves_whole_games(
    guest: Visitor, ada: Player, bo: Player
) -> None:
    games = [bo.join(ada.open(ME, OPEN)) for _ in range(4)]
    moves = [partial(ada.ask, "roll", game) for game in games]
    leaving = partial(ada.send, "DELETE", "/v1/players/me")
    calls: list[Callable[[], httpx.Response]] = [*moves, leaving, *moves]
    responses = at_once(calls)
    assert set(statuses(responses)) <= {201, 204, 401}
    assert statuses(responses)[204] == 1
    for game in games:
        assert bo.read(game)["status"] == "finished"
        assert_log_gives_state(guest, game)


def play_a_game(guest: Visitor, seed: int) -> Game:
    """A whole game, one or two rolls a turn, the card kept by the client itself."""
    chance = random.Random(seed)
    ada = guest.player(f"Ada {seed}")
    game = ada.open()
    card: dict[str, int] = {}
    for category in chance.sample(CATEGORIES, 12):
        turn = ada.roll(game)["turn"]
        if chance.random() < 0.4:
            turn = ada.roll(game, [chance.random() < 0.5 for _ in range(4)] + [False])["turn"]
        card[category] = turn["options"][category]
        game = ada.score(game, category)
    assert game["seats"][0]["scorecard"] == card
    assert game["seats"][0]["total"] == sum(card.values())
    assert (game["status"], game["winners"]) == ("finished", [0])
    return game


def test_sixteen_clients_play_whole_games_at_once(serve: Serve) -> None:
    with serve() as guest:
        games = at_once([partial(play_a_game, guest, seed) for seed in range(16)])
        for game in games[:4]:
            assert_log_gives_state(guest, game)


def test_thirty_two_seats_in_four_games_move_at_once(guest: Visitor) -> None:
    """Everybody tries all the time; only whoever is on turn gets through."""
    games = []
    for _ in range(4):
        players = [guest.player(f"P{number}") for number in range(4)]
        game = players[0].open(ME, OPEN, OPEN, OPEN, friend("Flo"))
        for player in players[1:]:
            game = player.join(game)
        games.append((game, players))

    def hammer(player: Player, game: Game) -> set[int]:
        told = set()
        for category in CATEGORIES[:6]:
            told.add(player.ask("roll", game).status_code)
            told.add(player.ask("score", game, {"category": category}).status_code)
        return told

    told = at_once([partial(hammer, player, game) for game, players in games for player in players])
    assert set().union(*told) <= {201, 409}
    for game, _ in games:
        assert_log_gives_state(guest, game)
