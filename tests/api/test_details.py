"""What a refusal says to people: what is wanted, as exactly as it can be told without an echo."""

from typing import Any

import pytest

from app.rules import CARD
from tests.api.test_members import CASES as BODIES
from tests.table import ME, NOBODY, OPEN, Visitor, assert_problem, faults, path_of

GAME = f"/v1/games/{NOBODY}"
CATEGORIES = f"{', '.join(list(CARD)[:-1])} or yacht"
PARAMETERS = "status, ruleset, mine, limit and cursor"
WANTED: list[tuple[str, Any, str]] = [
    (f"POST {GAME}/scores", {"category": "sevens"}, f"Allowed here: {CATEGORIES}."),
    (f"POST {GAME}/scores", {}, f"This is required. Allowed here: {CATEGORIES}."),
    (
        f"POST {GAME}/scores",
        {"category": "ones", "points": 1},
        "There is a member here that is not known; known are: category.",
    ),
    (f"POST {GAME}/start", {"now": True}, "Nothing can be given here."),
    (f"POST {GAME}/rolls", {"held": [True] * 4}, "Needs exactly 5 items."),
    (f"POST {GAME}/rolls", {"held": [True, True, True, True, 0]}, "Needs true or false."),
    (f"POST {GAME}/rolls", [], "Needs an object."),
    (f"POST {GAME}/resignation", {"seat": 8}, "From 0 to 7."),
    (f"POST {GAME}/seats", {"entropy": "a b"}, "Has to match ^[A-Za-z0-9._-]{1,64}$"),
    ("POST /v1/players", {"name": 7}, "Needs a text."),
    ("POST /v1/games", {"seats": []}, "Needs 1 to 8 items."),
    ("POST /v1/games", {"seats": {}}, "Needs a list."),
    ("POST /v1/games", {"seats": [ME, "open"]}, "Needs an object."),
    (
        "POST /v1/games",
        {"seats": [ME, {"type": "robot"}]},
        "Allowed here: me, guest, bot or open.",
    ),
    (
        "POST /v1/games",
        {"seats": [ME, {}]},
        "This is required. Allowed here: me, guest, bot or open.",
    ),
    (
        "POST /v1/games",
        {"seats": [ME, {"type": "bot", "level": "easy"}]},
        "Allowed here: novice, casual, expert or perfect.",
    ),
    (
        "POST /v1/games",
        {"seats": [ME, {"type": "guest", "name": "Bo", "age": 9}]},
        "There is a member here that is not known; known are: type and name.",
    ),
    (
        "POST /v1/games",
        {"ruleset": "kniffel"},
        "Allowed here: classic, fixed-house, short-straights or sum-of-five.",
    ),
    ("POST /v1/games", {"visibility": "secret"}, "Allowed here: unlisted or public."),
    ("POST /v1/games", {"turn_seconds": 9}, "From 10 to 1209600."),
    ("POST /v1/games", {"turn_seconds": "60"}, "Needs a whole number, or null."),
    ("GET /v1/games?limit=0", None, "From 1 to 100."),
    ("GET /v1/games?limit=ten", None, "Needs a whole number."),
    ("GET /v1/games?mine=yes", None, "Allowed here: true or false."),
    ("GET /v1/games?status=over", None, "Allowed here: waiting, active, finished or cancelled."),
    (
        "GET /v1/games?page=2",
        None,
        f"There is a parameter here that is not known; known are: {PARAMETERS}.",
    ),
    (f"GET {GAME}?page=2", None, "Nothing can be given here."),
]


@pytest.mark.parametrize(
    ("call", "body", "detail"),
    WANTED,
    ids=[f"{call.replace(NOBODY, 'ID')} {body}"[:80] for call, body, _ in WANTED],
)
def test_a_fault_says_what_is_wanted(guest: Visitor, call: str, body: Any, detail: str) -> None:
    method, path = call.split()
    response = guest.send(method, path, body)
    faults(response)
    problem = response.json()
    [fault] = problem["errors"]
    assert fault["detail"] == detail
    assert problem["detail"] == f"{fault['pointer']}: {detail}"


@pytest.mark.parametrize(("call", "body", "fault"), BODIES)
def test_no_body_is_refused_without_saying_what_is_wanted(
    guest: Visitor, call: str, body: Any, fault: tuple[str, str]
) -> None:
    method, path = call.split()
    for told in guest.send(method, path, body).json()["errors"]:
        assert told["detail"] != "This value is not allowed; /docs lists those that are.", fault


def test_of_several_faults_the_first_is_put_in_words(guest: Visitor) -> None:
    problem = guest.post("/v1/games", {"hints": 1, "turn_seconds": 0}).json()
    assert problem["detail"] == "2 faults, the first: #/hints: Needs true or false."


def test_a_malformed_key_is_told_how_keys_are_written(guest: Visitor) -> None:
    response = guest.player().send("POST", "/v1/games", headers={"Idempotency-Key": "a b"})
    assert faults(response) == {("header/Idempotency-Key", "not-allowed")}
    [fault] = response.json()["errors"]
    assert fault["detail"] == "A key is 1 to 255 visible ASCII characters, without spaces."


def test_a_stale_version_is_told_how_the_new_one_is_written(guest: Visitor) -> None:
    ada = guest.player()
    game = ada.roll(ada.open())
    problem = ada.send("POST", path_of(game, "/rolls"), headers={"If-Match": '"2"'}).json()
    assert problem["detail"] == (
        'The game is at version 3 (If-Match: "3"); fetch it and decide again.'
    )


@pytest.mark.parametrize(
    ("header", "detail"),
    [
        (None, "Send a player's token as `Authorization: Bearer <token>`"),
        ("Basic QWRhOnB3", "The Authorization header has another form"),
        ("Bearer", "The Authorization header has another form"),
        ("hunter2", "The Authorization header has another form"),
        ("Bearer hunter2", "No player here has this token."),
        ("bearer hunter2", "No player here has this token."),
    ],
)
def test_a_stranger_is_told_what_is_missing(
    guest: Visitor, header: str | None, detail: str
) -> None:
    headers = {} if header is None else {"Authorization": header}
    for method, path in (("GET", "/v1/players/me"), ("POST", "/v1/games")):
        response = guest.send(method, path, headers=headers)
        problem = assert_problem(response, 401, "unauthenticated")
        assert problem["detail"].startswith(detail)
        assert "hunter2" not in response.text


def test_whose_turn_it_is_is_told(guest: Visitor) -> None:
    ada, bo = guest.player("Ada"), guest.player("Bo")
    game = bo.join(ada.open(ME, OPEN))
    problem = assert_problem(bo.ask("roll", game), 409, "not-your-turn")
    assert problem["detail"] == "Seat 0 is on turn."


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        (GAME, "Nothing has the id or slug in this address."),
        ("/v1/rulesets/kniffel", "Nothing has the id or slug in this address."),
        ("/v1/game", "There is no such address; /docs lists those that there are."),
        ("/", "There is no such address; /docs lists those that there are."),
        ("/v1/games/", "No address here ends with a slash; try it without."),
    ],
)
def test_what_is_not_found_is_told_apart(guest: Visitor, path: str, detail: str) -> None:
    assert assert_problem(guest.get(path), 404, "not-found")["detail"] == detail


def test_another_method_is_told_in_words(guest: Visitor) -> None:
    assert guest.get(f"{GAME}/rolls").json()["detail"] == "Use POST here."
    assert guest.send("PUT", GAME).json()["detail"] == "Use DELETE, GET or HEAD here."


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b'{"category" "hunter2"}', "(line 1, column 13)"),
        (b"{'category': 'hunter2'}", "(line 1, column 2)"),
        (b'{\n  "category": hunter2\n}', "(line 2, column 15)"),
        (b" ", "(line 1, column 2)"),
    ],
)
def test_a_malformed_body_is_told_where_it_broke_off(
    guest: Visitor, content: bytes, place: str
) -> None:
    headers = {"Content-Type": "application/json"}
    response = guest.send("POST", f"{GAME}/scores", content=content, headers=headers)
    problem = assert_problem(response, 400, "malformed-request")
    assert problem["detail"].startswith(f"The body is not sound JSON {place}. ")
    assert "hunter2" not in response.text


@pytest.mark.parametrize("content", [b'{"a": NaN}', b'{"a": 1, "a": 2}', b"[" * 40, b"\xff"])
def test_a_malformed_body_that_no_place_explains_is_told_what_may_be_wrong(
    guest: Visitor, content: bytes
) -> None:
    headers = {"Content-Type": "application/json"}
    response = guest.send("POST", f"{GAME}/scores", content=content, headers=headers)
    problem = assert_problem(response, 400, "malformed-request")
    assert problem["detail"].startswith("The body has to be one JSON object in UTF-8")


def test_many_faults_are_told_once_a_place_and_no_more_than_twenty(guest: Visitor) -> None:
    unknown = guest.post("/v1/players", {"name": "Ada"} | {f"x{i}": 0 for i in range(5_000)})
    assert faults(unknown) == {("#", "unknown")}
    assert len(unknown.json()["errors"]) == 1
    wrong = guest.post("/v1/rulesets/classic/scores", {"dice": ["x"] * 1_000})
    assert len(wrong.content) < 5_000
    query = guest.get("/v1/games?" + "&".join(f"x{i}=0" for i in range(500)))
    assert len(query.json()["errors"]) == 1
