"""Lists of games: whose, which, and page by page."""

from collections.abc import Iterator

import pytest

from tests.conftest import Serve, serving
from tests.table import ME, OPEN, Game, Player, Visitor, friend, success


def listed(reader: Visitor, query: str = "") -> list[str]:
    """The ids of all pages."""
    ids: list[str] = []
    cursor = ""
    while True:
        page = success(reader.get(f"/v1/games?{query}{cursor}"))
        assert page.keys() == {"items", "next_cursor"}
        ids += [game["id"] for game in page["items"]]
        if page["next_cursor"] is None:
            return ids
        assert page["items"]
        cursor = f"&cursor={page['next_cursor']}"


def ids_of(*games: Game) -> list[str]:
    """Their ids, newest first."""
    return sorted((game["id"] for game in games), reverse=True)


@pytest.fixture
def ada(guest: Visitor) -> Player:
    return guest.player()


def test_a_new_server_lists_nothing(serve: Serve) -> None:
    with serve() as guest:
        assert success(guest.get("/v1/games")) == {"items": [], "next_cursor": None}


@pytest.fixture(scope="module")
def fifty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Visitor, list[str]]]:
    """A server with fifty public games, and their ids, newest first."""
    with serving(tmp_path_factory.mktemp("lists") / "yacht.db") as guest:
        ada = guest.player()
        games = [ada.open(ME, OPEN, visibility="public") for _ in range(50)]
        yield guest, ids_of(*games)


@pytest.mark.parametrize("limit", [7, 20, 25, 49, 50, 51, 100])
def test_pages_follow_each_other_without_gap(fifty: tuple[Visitor, list[str]], limit: int) -> None:
    guest, ids = fifty
    assert listed(guest, f"limit={limit}") == ids
    first = success(guest.get(f"/v1/games?limit={limit}"))
    assert len(first["items"]) == min(limit, 50)
    assert (first["next_cursor"] is None) == (limit >= 50)


def test_the_newest_come_first(fifty: tuple[Visitor, list[str]]) -> None:
    guest, _ = fifty
    times = [g["created_at"] for g in success(guest.get("/v1/games?limit=100"))["items"]]
    assert times == sorted(times, reverse=True)


def test_twenty_are_a_page_unless_asked_otherwise(fifty: tuple[Visitor, list[str]]) -> None:
    guest, _ = fifty
    assert len(success(guest.get("/v1/games"))["items"]) == 20


def test_games_opened_meanwhile_do_not_disturb_a_reader(serve: Serve) -> None:
    with serve() as guest:
        ada = guest.player()
        ids = ids_of(*(ada.open(ME, visibility="public") for _ in range(6)))
        first = success(guest.get("/v1/games?limit=3"))
        ada.open(ME, visibility="public")
        second = success(guest.get(f"/v1/games?limit=3&cursor={first['next_cursor']}"))
        assert [game["id"] for game in [*first["items"], *second["items"]]] == ids


def test_only_public_games_are_listed_to_others(guest: Visitor, ada: Player) -> None:
    shown = ada.open(ME, visibility="public")
    hidden = ada.open(ME)
    for reader in (guest, ada, guest.player("Bo")):
        ids = listed(reader, "limit=100")
        assert shown["id"] in ids
        assert hidden["id"] not in ids


def test_a_list_shows_games_as_they_are(guest: Visitor, ada: Player) -> None:
    game = ada.turn(ada.open(ME, friend("Bo"), visibility="public"))
    page = success(guest.get("/v1/games?limit=100"))
    assert game in page["items"]


def test_mine_are_those_one_sits_in(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    hosted = ada.open(ME, OPEN)
    joined = ada.join(bo.open(ME, OPEN, OPEN))
    left = ada.leave(ada.join(bo.open(ME, OPEN, OPEN)))
    public = bo.open(ME, visibility="public")
    ended = ada.resign(ada.open())
    cancelled = ada.cancel(ada.open(ME, OPEN))
    assert listed(ada, "mine=true") == ids_of(hosted, joined, ended, cancelled)
    assert listed(bo, "mine=true") == ids_of(joined, left, public)
    assert public["id"] in listed(ada, "mine=false&limit=100")


def test_mine_come_page_by_page_too(ada: Player) -> None:
    games = [ada.open() for _ in range(7)]
    assert listed(ada, "mine=true&limit=3") == ids_of(*games)


def test_nobody_has_games_of_another(guest: Visitor, ada: Player) -> None:
    ada.open()
    assert listed(guest.player("Bo"), "mine=true") == []


def test_a_status_is_asked_for(ada: Player) -> None:
    games = {
        "waiting": ada.open(ME, OPEN),
        "active": ada.open(),
        "finished": ada.resign(ada.open()),
        "cancelled": ada.cancel(ada.open(ME, OPEN)),
    }
    for status, game in games.items():
        assert listed(ada, f"mine=true&status={status}") == [game["id"]]


def test_a_ruleset_is_asked_for(ada: Player) -> None:
    classic, fixed = ada.open(), ada.open(ME, ruleset="fixed-house")
    assert listed(ada, "mine=true&ruleset=classic") == [classic["id"]]
    assert listed(ada, "mine=true&ruleset=fixed-house") == [fixed["id"]]
    assert listed(ada, "mine=true&ruleset=sum-of-five") == []


def test_filters_go_together(guest: Visitor, ada: Player) -> None:
    wanted = ada.open(ME, OPEN, ruleset="sum-of-five", visibility="public")
    ada.open(ME, ruleset="sum-of-five", visibility="public")
    ada.open(ME, OPEN, visibility="public")
    assert wanted["id"] in listed(guest, "status=waiting&ruleset=sum-of-five&limit=100")
    assert listed(ada, "status=waiting&ruleset=sum-of-five&mine=true&limit=1") == [wanted["id"]]


def test_a_list_follows_a_game_through_its_life(guest: Visitor, ada: Player) -> None:
    bo = guest.player("Bo")
    game = ada.open(ME, OPEN)
    assert listed(ada, "mine=true&status=waiting") == [game["id"]]
    bo.join(game)
    assert listed(bo, "mine=true&status=active") == [game["id"]]
    bo.resign(game)
    assert listed(ada, "mine=true&status=finished") == [game["id"]]
    assert listed(ada, "mine=true&status=active") == []


def test_a_cursor_needs_no_game_behind_it(guest: Visitor) -> None:
    """A cursor is a place in the order, also where nothing stands."""
    before_all = "00000000-0000-7000-8000-000000000000"
    page = success(guest.get(f"/v1/games?cursor={before_all}"))
    assert page == {"items": [], "next_cursor": None}
