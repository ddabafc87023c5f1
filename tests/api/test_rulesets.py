"""The rules as a service: rulesets, and what dice are worth."""

from itertools import islice, permutations, product

import pytest

from app.rules import RULESETS
from tests.table import CATEGORIES, Visitor, assert_problem, success

MAXIMA = {"classic": 297, "fixed-house": 294, "short-straights": 272, "sum-of-five": 305}


def scores(guest: Visitor, *dice: int, ruleset: str = "classic") -> dict[str, int]:
    response = guest.post(f"/v1/rulesets/{ruleset}/scores", {"dice": list(dice)})
    told = success(response)
    assert response.status_code == 200
    assert told.keys() == {"dice", "scores"}
    assert told["dice"] == list(dice)
    assert list(told["scores"]) == list(CATEGORIES)
    return dict(told["scores"])


def test_the_four_rulesets_are_listed(guest: Visitor) -> None:
    told = success(guest.get("/v1/rulesets"))
    assert told["next_cursor"] is None
    assert {ruleset["slug"]: ruleset["maximum"] for ruleset in told["items"]} == MAXIMA
    assert MAXIMA.keys() == RULESETS.keys()


@pytest.mark.parametrize("slug", MAXIMA)
def test_a_ruleset_is_told_as_in_the_list(guest: Visitor, slug: str) -> None:
    ruleset = success(guest.get(f"/v1/rulesets/{slug}"))
    assert ruleset in success(guest.get("/v1/rulesets"))["items"]
    assert [category["slug"] for category in ruleset["categories"]] == list(CATEGORIES)
    assert sum(category["maximum"] for category in ruleset["categories"]) == ruleset["maximum"]
    for part in (ruleset, *ruleset["categories"]):
        assert part["name"]
        assert part["description"]


@pytest.mark.parametrize(
    ("slug", "switches"),
    [
        ("classic", (None, False, False, 30, 30)),
        ("fixed-house", (25, False, False, 30, 30)),
        ("short-straights", (None, False, False, 15, 20)),
        ("sum-of-five", (None, True, True, 30, 30)),
    ],
)
def test_the_switches_are_shown(guest: Visitor, slug: str, switches: tuple[object, ...]) -> None:
    ruleset = success(guest.get(f"/v1/rulesets/{slug}"))
    names = (
        "full_house_points",
        "five_alike_is_full_house",
        "four_of_a_kind_counts_all",
        "little_straight_points",
        "big_straight_points",
    )
    assert tuple(ruleset[name] for name in names) == switches


def test_the_most_a_classic_category_brings(guest: Visitor) -> None:
    categories = success(guest.get("/v1/rulesets/classic"))["categories"]
    most = [category["maximum"] for category in categories]
    assert most == [5, 10, 15, 20, 25, 30, 28, 24, 30, 30, 30, 50]


@pytest.mark.parametrize("slug", ["kniffel", "Classic", "classic%20", "%00", "-1"])
def test_an_unknown_ruleset_is_not_found(guest: Visitor, slug: str) -> None:
    assert_problem(guest.get(f"/v1/rulesets/{slug}"), 404, "not-found")
    response = guest.post(f"/v1/rulesets/{slug}/scores", {"dice": [1, 2, 3, 4, 5]})
    assert_problem(response, 404, "not-found")


@pytest.mark.parametrize(
    ("dice", "category", "points"),
    [
        ([1, 4, 4, 4, 4], "full_house", 0),
        ([3, 3, 3, 3, 3], "full_house", 0),
        ([3, 3, 3, 3, 3], "choice", 15),
        ([3, 3, 3, 3, 3], "threes", 15),
        ([3, 3, 3, 3, 3], "four_of_a_kind", 12),
        ([3, 3, 3, 3, 3], "yacht", 50),
        ([2, 2, 3, 3, 3], "full_house", 13),
        ([2, 2, 3, 3, 4], "full_house", 0),
        ([4, 4, 1, 4, 4], "four_of_a_kind", 16),
        ([4, 4, 1, 4, 2], "four_of_a_kind", 0),
        ([1, 2, 3, 4, 6], "little_straight", 0),
        ([1, 2, 3, 4, 6], "big_straight", 0),
        ([3, 4, 4, 6, 6], "little_straight", 0),
        ([3, 4, 4, 6, 6], "big_straight", 0),
        ([2, 3, 4, 5, 3], "little_straight", 0),
        ([2, 3, 4, 5, 3], "big_straight", 0),
        ([6, 6, 6, 6, 6], "sixes", 30),
        ([1, 1, 2, 3, 4], "ones", 2),
        ([2, 3, 4, 5, 6], "ones", 0),
        ([4, 4, 4, 4, 5], "yacht", 0),
    ],
    ids=str,
)
def test_dice_are_worth_what_the_rules_say(
    guest: Visitor, dice: list[int], category: str, points: int
) -> None:
    assert scores(guest, *dice)[category] == points


@pytest.mark.parametrize(
    ("ruleset", "dice", "category", "points"),
    [
        ("fixed-house", [1, 1, 1, 2, 2], "full_house", 25),
        ("fixed-house", [1, 1, 1, 1, 1], "full_house", 0),
        ("short-straights", [5, 4, 3, 2, 1], "little_straight", 15),
        ("short-straights", [6, 5, 4, 3, 2], "big_straight", 20),
        ("sum-of-five", [6, 6, 6, 6, 6], "full_house", 30),
        ("sum-of-five", [6, 6, 6, 6, 5], "four_of_a_kind", 29),
        ("sum-of-five", [6, 6, 6, 6, 6], "four_of_a_kind", 30),
    ],
    ids=str,
)
def test_other_rulesets_score_differently(
    guest: Visitor, ruleset: str, dice: list[int], category: str, points: int
) -> None:
    assert scores(guest, *dice, ruleset=ruleset)[category] == points


@pytest.mark.parametrize(
    ("faces", "little", "big"), [((1, 2, 3, 4, 5), 30, 0), ((2, 3, 4, 5, 6), 0, 30)], ids=str
)
def test_a_straight_counts_in_other_orders(
    guest: Visitor, faces: tuple[int, ...], little: int, big: int
) -> None:
    for dice in islice(permutations(faces), 0, None, 7):
        worth = scores(guest, *dice)
        assert (worth["little_straight"], worth["big_straight"]) == (little, big)


def test_a_preview_is_what_a_game_would_offer(guest: Visitor) -> None:
    ada = guest.player()
    for ruleset in MAXIMA:
        turn = ada.roll(ada.open({"type": "me"}, ruleset=ruleset))["turn"]
        assert scores(guest, *turn["dice"], ruleset=ruleset) == turn["options"]


def test_faces_reach_from_one_to_six(guest: Visitor) -> None:
    for low, high in product((1, 6), repeat=2):
        assert scores(guest, low, low, high, high, high)["choice"] == 2 * low + 3 * high
