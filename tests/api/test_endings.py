"""How games end: full cards, resignation, ranks."""

import pytest

from tests.api.dice import drawn, seed_where
from tests.conftest import Serve
from tests.table import (
    CATEGORIES,
    ME,
    OPEN,
    Game,
    Player,
    Visitor,
    assert_problem,
    faults,
    friend,
)


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


@pytest.fixture
def bo(guest: Visitor) -> Player:
    return guest.player("Bo")


def played_out(player: Player, game: Game) -> Game:
    """One roll a turn, categories in card order, to the end."""
    while game["status"] == "active":
        game = player.turn(game)
    return game


def is_tie(seed: bytes) -> bool:
    return total(seed, 0) == total(seed, 1)


def total(seed: bytes, seat: int) -> int:
    """What a seat makes of a seed with one roll a turn and the six numbers and choice alone."""
    rolls = [drawn(seed, seat, round_, 1) for round_ in range(1, 13)]
    house = sorted(rolls[6])
    worth = [
        *(face * rolls[face - 1].count(face) for face in range(1, 7)),
        sum(house) if sorted(map(house.count, set(house))) == [2, 3] else 0,
        next((4 * face for face in range(1, 7) if rolls[7].count(face) >= 4), 0),
        30 if sorted(rolls[8]) == [1, 2, 3, 4, 5] else 0,
        30 if sorted(rolls[9]) == [2, 3, 4, 5, 6] else 0,
        sum(rolls[10]),
        50 if len(set(rolls[11])) == 1 else 0,
    ]
    return sum(worth)


def test_a_solo_game_ends_with_its_card(ada: Player) -> None:
    game = ada.open()
    for category in CATEGORIES:
        assert game["status"] == "active"
        game = ada.turn(game, category)
    assert (game["status"], game["round"], game["turn"]) == ("finished", 12, None)
    assert (game["winners"], game["seats"][0]["rank"]) == ([0], 1)
    assert game["finished_at"] == game["updated_at"] is not None


def test_the_last_cell_ends_the_game_in_the_same_answer(ada: Player) -> None:
    game = ada.open(ME, friend("Bo"))
    for _ in range(23):
        game = ada.turn(game)
        assert game["status"] == "active"
    game = ada.turn(game)
    assert game["status"] == "finished"
    totals = [seat["total"] for seat in game["seats"]]
    best = max(totals)
    assert game["winners"] == [i for i, points in enumerate(totals) if points == best]
    assert [seat["rank"] for seat in game["seats"]] == [1 + (t < best) for t in totals]
    assert ada.events(game)[-1]["winners"] == game["winners"]


def test_nothing_moves_in_a_finished_game(ada: Player, bo: Player) -> None:
    game = ada.resign(ada.open())
    for player, verb, body in (
        (ada, "roll", None),
        (ada, "hold", {"held": [False] * 5}),
        (ada, "score", {"category": "ones"}),
        (ada, "resign", None),
        (ada, "start", None),
        (ada, "cancel", None),
        (ada, "leave", None),
        (ada, "set_entropy", {"value": "x"}),
        (bo, "join", None),
    ):
        assert_problem(player.ask(verb, game, body), 409, "game-over")
    assert ada.read(game) == game


def test_the_total_is_the_plain_sum_without_any_bonus(serve: Serve) -> None:
    """Sixty-three points above the line are sixty-three points."""
    seed = seed_where(lambda seed: sum(upper(seed)) >= 40)
    with serve(new_seed=lambda: seed) as guest:
        ada = guest.player()
        game = played_out(ada, ada.open())
        card = game["seats"][0]["scorecard"]
        assert [card[category] for category in CATEGORIES[:6]] == upper(seed)
        assert game["seats"][0]["total"] == sum(card.values()) == total(seed, 0)


def upper(seed: bytes) -> list[int]:
    return [face * drawn(seed, 0, face, 1).count(face) for face in range(1, 7)]


def test_a_tie_has_two_winners(serve: Serve) -> None:
    seed = seed_where(is_tie)
    with serve(new_seed=lambda: seed) as guest:
        ada = guest.player()
        game = played_out(ada, ada.open(ME, friend("Bo")))
        first, second = game["seats"]
        assert first["total"] == second["total"]
        assert game["winners"] == [0, 1]
        assert (first["rank"], second["rank"]) == (1, 1)


def test_after_a_shared_first_rank_comes_the_third(serve: Serve) -> None:
    seed = seed_where(lambda seed: is_tie(seed) and total(seed, 2) < total(seed, 0))
    with serve(new_seed=lambda: seed) as guest:
        ada = guest.player()
        game = played_out(ada, ada.open(ME, friend("Bo"), friend("Cy")))
        assert [seat["rank"] for seat in game["seats"]] == [1, 1, 3]
        assert game["winners"] == [0, 1]


def test_a_solo_game_resigned_has_no_winner(ada: Player) -> None:
    response = ada.ask("resign", ada.open())
    game = response.json()
    assert response.status_code == 201
    assert (game["status"], game["winners"]) == ("finished", [])
    assert (game["seats"][0]["rank"], game["seats"][0]["state"]) == (None, "resigned")


def test_the_last_seat_playing_wins(ada: Player, bo: Player) -> None:
    game = bo.resign(bo.join(ada.open(ME, OPEN)))
    assert (game["status"], game["winners"]) == ("finished", [0])
    assert [seat["rank"] for seat in game["seats"]] == [1, 2]


def test_resigned_seats_share_the_last_rank(guest: Visitor, ada: Player, bo: Player) -> None:
    cy = guest.player("Cy")
    game = cy.join(bo.join(ada.open(ME, OPEN, OPEN)))
    for player in (ada, bo, cy):
        game = player.turn(game)
    ada.resign(game)
    game = cy.resign(game)
    assert [seat["rank"] for seat in game["seats"]] == [2, 1, 2]
    assert game["winners"] == [1]


def test_resigning_gives_up_all_seats_one_acts_for(ada: Player, bo: Player) -> None:
    game = ada.resign(bo.join(ada.open(ME, friend("Cy"), OPEN)))
    assert [seat["state"] for seat in game["seats"]] == ["resigned", "resigned", "playing"]
    assert game["winners"] == [2]


def test_resigning_one_seat_leaves_the_others(ada: Player) -> None:
    game = ada.open(ME, friend("Bo"), friend("Cy"))
    game = ada.resign(game, 1)
    assert game["status"] == "active"
    assert [seat["state"] for seat in game["seats"]] == ["playing", "resigned", "playing"]
    game = ada.turn(game)
    assert game["turn"]["seat"] == 2


def test_resigning_twice_is_refused(ada: Player, bo: Player, guest: Visitor) -> None:
    cy = guest.player("Cy")
    game = ada.resign(cy.join(bo.join(ada.open(ME, OPEN, OPEN))))
    assert_problem(ada.ask("resign", game), 409, "already-resigned")
    assert_problem(ada.ask("resign", game, {"seat": 0}), 409, "already-resigned")
    assert ada.read(game) == game


def test_nobody_resigns_for_another(ada: Player, bo: Player, guest: Visitor) -> None:
    game = bo.join(ada.open(ME, friend("Cy"), OPEN))
    assert_problem(bo.ask("resign", game, {"seat": 0}), 403, "not-in-game")
    assert_problem(bo.ask("resign", game, {"seat": 1}), 403, "not-in-game")
    assert_problem(ada.ask("resign", game, {"seat": 2}), 403, "not-in-game")
    assert_problem(ada.ask("resign", game, {"seat": 7}), 403, "not-in-game")
    assert_problem(guest.player("Di").ask("resign", game), 403, "not-in-game")
    assert ada.read(game) == game


def test_resigning_out_of_turn_leaves_the_turn(guest: Visitor, ada: Player, bo: Player) -> None:
    cy = guest.player("Cy")
    game = bo.turn(ada.turn(cy.join(bo.join(ada.open(ME, OPEN, OPEN)))))
    before = cy.hold(cy.roll(game), [True, False, False, False, True])
    after = ada.resign(game)
    assert after["turn"] == before["turn"]
    after = cy.score(after, "choice")
    assert (after["turn"]["seat"], after["round"]) == (1, 2)


def test_resigning_in_turn_passes_it_on(guest: Visitor, ada: Player, bo: Player) -> None:
    cy = guest.player("Cy")
    game = ada.roll(cy.join(bo.join(ada.open(ME, OPEN, OPEN))))
    after = ada.resign(game)
    assert (after["turn"]["seat"], after["turn"]["dice"], after["round"]) == (1, None, 1)


def test_a_resigned_player_moves_no_more(ada: Player, bo: Player, guest: Visitor) -> None:
    cy = guest.player("Cy")
    game = ada.resign(cy.join(bo.join(ada.open(ME, OPEN, OPEN))))
    assert_problem(ada.ask("roll", game), 409, "not-your-turn")
    assert_problem(ada.ask("join", game), 409, "already-started")


def test_a_seat_is_a_number_of_a_seat(ada: Player) -> None:
    assert faults(ada.ask("resign", ada.open(), {"seat": 8})) == {("#/seat", "out-of-range")}
