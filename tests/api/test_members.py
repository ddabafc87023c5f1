"""Bodies as values: exactly the JSON types, the members that are listed, and within bounds."""

from typing import Any

import pytest

from tests.table import ME, NOBODY, OPEN, Visitor, bot, faults, friend

FIVE = [True, False, True, False, True]
GAME = f"/v1/games/{NOBODY}"
WRONG = "wrong-type"
BOT = bot("expert")

# What is sent where, and where the fault is found; each body is refused before anything is looked
# up, so nobody needs a game.
INVALID: dict[str, list[tuple[Any, str, str]]] = {
    "POST /v1/players": [
        ({}, "#/name", "required"),
        ({"name": None}, "#/name", WRONG),
        ({"name": 1}, "#/name", WRONG),
        ({"name": True}, "#/name", WRONG),
        ({"name": ["Ada"]}, "#/name", WRONG),
        ({"name": {"first": "Ada"}}, "#/name", WRONG),
        ({"name": "Ada", "age": 36}, "#", "unknown"),
        ({"name": "Ada", "Name": "Ada"}, "#", "unknown"),
        ({"name": "Ada", "": 1}, "#", "unknown"),
    ],
    "PATCH /v1/players/me": [
        ({}, "#/name", "required"),
        ({"name": None}, "#/name", WRONG),
        ({"name": "Bo", "id": NOBODY}, "#", "unknown"),
    ],
    "POST /v1/players/me/token": [({"token": "mine"}, "#", "unknown")],
    "POST /v1/games": [
        ({"seats": None}, "#/seats", WRONG),
        ({"seats": {}}, "#/seats", WRONG),
        ({"seats": "me"}, "#/seats", WRONG),
        ({"seats": []}, "#/seats", "wrong-length"),
        ({"seats": [ME, *[OPEN] * 8]}, "#/seats", "wrong-length"),
        ({"seats": [OPEN]}, "#/seats", "one-me"),
        ({"seats": [ME, ME]}, "#/seats", "one-me"),
        ({"seats": [ME, None]}, "#/seats/1", WRONG),
        ({"seats": ["me"]}, "#/seats/0", WRONG),
        ({"seats": [ME, {}]}, "#/seats/1/type", "required"),
        ({"seats": [ME, {"type": None}]}, "#/seats/1/type", "not-allowed"),
        ({"seats": [ME, {"type": "human"}]}, "#/seats/1/type", "not-allowed"),
        ({"seats": [{"type": "bot", "level": "expert"}]}, "#/seats", "one-me"),
        ({"seats": [ME, {"type": "bot"}]}, "#/seats/1/level", "required"),
        ({"seats": [ME, {"type": "bot", "level": None}]}, "#/seats/1/level", "not-allowed"),
        ({"seats": [ME, {"type": "bot", "level": "Expert"}]}, "#/seats/1/level", "not-allowed"),
        ({"seats": [ME, {"type": "bot", "level": 1}]}, "#/seats/1/level", "not-allowed"),
        ({"seats": [ME, {**BOT, "name": "Hal"}]}, "#/seats/1", "unknown"),
        ({"seats": [{"type": "me", "name": "Ada"}]}, "#/seats/0", "unknown"),
        ({"seats": [ME, {"type": "guest"}]}, "#/seats/1/name", "required"),
        ({"seats": [ME, {"type": "guest", "name": None}]}, "#/seats/1/name", WRONG),
        ({"seats": [ME, {**friend("Bo"), "level": "casual"}]}, "#/seats/1", "unknown"),
        ({"seats": [ME, {"type": "open", "name": "Bo"}]}, "#/seats/1", "unknown"),
        ({"ruleset": None}, "#/ruleset", WRONG),
        ({"ruleset": 1}, "#/ruleset", WRONG),
        ({"ruleset": "Classic"}, "#/ruleset", "not-allowed"),
        ({"ruleset": "kniffel"}, "#/ruleset", "not-allowed"),
        ({"visibility": None}, "#/visibility", "not-allowed"),
        ({"visibility": "secret"}, "#/visibility", "not-allowed"),
        ({"hints": None}, "#/hints", WRONG),
        ({"hints": 1}, "#/hints", WRONG),
        ({"hints": "true"}, "#/hints", WRONG),
        ({"turn_seconds": 9}, "#/turn_seconds", "out-of-range"),
        ({"turn_seconds": 0}, "#/turn_seconds", "out-of-range"),
        ({"turn_seconds": -60}, "#/turn_seconds", "out-of-range"),
        ({"turn_seconds": 1_209_601}, "#/turn_seconds", "out-of-range"),
        ({"turn_seconds": 10**30}, "#/turn_seconds", "out-of-range"),
        ({"turn_seconds": 60.5}, "#/turn_seconds", WRONG),
        ({"turn_seconds": "60"}, "#/turn_seconds", WRONG),
        ({"turn_seconds": False}, "#/turn_seconds", WRONG),
        ({"players": 2}, "#", "unknown"),
    ],
    f"POST {GAME}/seats": [
        ({"entropy": None}, "#/entropy", WRONG),
        ({"entropy": 7}, "#/entropy", WRONG),
        ({"entropy": ""}, "#/entropy", "not-allowed"),
        ({"entropy": "x" * 65}, "#/entropy", "not-allowed"),
        ({"entropy": "a b"}, "#/entropy", "not-allowed"),
        ({"entropy": "a,b"}, "#/entropy", "not-allowed"),
        ({"entropy": "a\n"}, "#/entropy", "not-allowed"),
        ({"entropy": "é"}, "#/entropy", "not-allowed"),
        ({"name": "Bo"}, "#", "unknown"),
    ],
    f"POST {GAME}/start": [({"seats": 2}, "#", "unknown")],
    f"POST {GAME}/rematch": [({"seats": 2}, "#", "unknown")],
    f"POST {GAME}/rolls": [
        ({"held": None}, "#/held", WRONG),
        ({"held": []}, "#/held", "wrong-length"),
        ({"held": FIVE[:4]}, "#/held", "wrong-length"),
        ({"held": [*FIVE, True]}, "#/held", "wrong-length"),
        ({"held": [1, 0, 1, 0, 1]}, "#/held/0", WRONG),
        ({"held": ["true", *FIVE[1:]]}, "#/held/0", WRONG),
        ({"held": [None, *FIVE[1:]]}, "#/held/0", WRONG),
        ({"held": [-1]}, "#/held/0", WRONG),
        ({"held": [0, 1, 2, 3, 4, 4]}, "#/held", "wrong-length"),
        ({"held": [99_999_999_999]}, "#/held/0", WRONG),
        ({"held": {"0": True}}, "#/held", WRONG),
        ({"held": "tffff"}, "#/held", WRONG),
        ({"holds": [0]}, "#", "unknown"),
        ({"held": FIVE, "dice": [6, 6, 6, 6, 6]}, "#", "unknown"),
    ],
    f"PUT {GAME}/holds": [
        ({}, "#/held", "required"),
        ({"held": None}, "#/held", WRONG),
        ({"held": FIVE[:4]}, "#/held", "wrong-length"),
        ({"held": [0, 0, 0, 0, 1]}, "#/held/4", WRONG),
    ],
    f"POST {GAME}/scores": [
        ({}, "#/category", "required"),
        ({"category": None}, "#/category", "not-allowed"),
        ({"category": ""}, "#/category", "not-allowed"),
        ({"category": " "}, "#/category", "not-allowed"),
        ({"category": "s"}, "#/category", "not-allowed"),
        ({"category": "one"}, "#/category", "not-allowed"),
        ({"category": "ONES"}, "#/category", "not-allowed"),
        ({"category": "ONES "}, "#/category", "not-allowed"),
        ({"category": "ones "}, "#/category", "not-allowed"),
        ({"category": "full house"}, "#/category", "not-allowed"),
        ({"category": "full-house"}, "#/category", "not-allowed"),
        ({"category": 0}, "#/category", "not-allowed"),
        ({"category": []}, "#/category", "not-allowed"),
        ({"category": {}}, "#/category", "not-allowed"),
        ({"category": "ones", "points": 50}, "#", "unknown"),
    ],
    f"POST {GAME}/resignation": [
        ({"seat": None}, "#/seat", WRONG),
        ({"seat": "0"}, "#/seat", WRONG),
        ({"seat": True}, "#/seat", WRONG),
        ({"seat": 1.5}, "#/seat", WRONG),
        ({"seat": -1}, "#/seat", "out-of-range"),
        ({"seat": 8}, "#/seat", "out-of-range"),
        ({"seat": 2**31}, "#/seat", "out-of-range"),
        ({"seat": 2**63}, "#/seat", "out-of-range"),
        ({"seat": 10**30}, "#/seat", "out-of-range"),
        ({"reason": "tired"}, "#", "unknown"),
    ],
    f"PUT {GAME}/entropy": [
        ({}, "#/value", "required"),
        ({"value": None}, "#/value", WRONG),
        ({"value": ""}, "#/value", "not-allowed"),
        ({"value": "x" * 65}, "#/value", "not-allowed"),
        ({"value": "a\u0000"}, "#/value", "not-allowed"),
        ({"value": "\uff11"}, "#/value", "not-allowed"),
    ],
    "POST /v1/rulesets/classic/scores": [
        ({}, "#/dice", "required"),
        ({"dice": None}, "#/dice", WRONG),
        ({"dice": []}, "#/dice", "wrong-length"),
        ({"dice": [1, 2, 3, 4]}, "#/dice", "wrong-length"),
        ({"dice": [1, 2, 3, 4, 5, 6]}, "#/dice", "wrong-length"),
        ({"dice": [0, 1, 2, 3, 4]}, "#/dice/0", "out-of-range"),
        ({"dice": [1, 2, 3, 4, 7]}, "#/dice/4", "out-of-range"),
        ({"dice": [-1, 2, 3, 4, 5]}, "#/dice/0", "out-of-range"),
        ({"dice": [10**30, 2, 3, 4, 5]}, "#/dice/0", "out-of-range"),
        ({"dice": [1.5, 2, 3, 4, 5]}, "#/dice/0", WRONG),
        ({"dice": [True, 2, 3, 4, 5]}, "#/dice/0", WRONG),
        ({"dice": ["1", 2, 3, 4, 5]}, "#/dice/0", WRONG),
        ({"dice": [None, 2, 3, 4, 5]}, "#/dice/0", WRONG),
        ({"dice": "12345"}, "#/dice", WRONG),
        ({"dice": 12345}, "#/dice", WRONG),
    ],
}
CASES = [
    pytest.param(call, body, (pointer, code), id=f"{call.replace(NOBODY, 'ID')} {body!r}"[:90])
    for call, rows in INVALID.items()
    for body, pointer, code in rows
]


@pytest.mark.parametrize(("call", "body", "fault"), CASES)
def test_a_body_that_does_not_fit_is_refused_where_it_does_not(
    guest: Visitor, call: str, body: Any, fault: tuple[str, str]
) -> None:
    method, path = call.split()
    assert fault in faults(guest.send(method, path, body))


def test_every_fault_is_listed(guest: Visitor) -> None:
    response = guest.post("/v1/games", {"hints": 1, "visibility": 2, "seats": [friend("")]})
    assert {pointer for pointer, _ in faults(response)} == {
        "#/hints",
        "#/visibility",
        "#/seats/0/name",
    }


def test_a_refusal_never_repeats_what_was_sent(guest: Visitor) -> None:
    secret = "hunter2"
    bodies = [
        {"name": "Ada", secret: 1},
        {"name": {secret: secret}},
        {"name": [secret]},
        {secret: secret},
    ]
    for body in bodies:
        response = guest.post("/v1/players", body)
        assert faults(response)
        assert secret not in response.text
    seats = [{"type": secret}, {"type": "guest", "name": "Bo", secret: secret}]
    for seat in seats:
        response = guest.post("/v1/games", {"seats": [ME, seat]})
        assert faults(response)
        assert secret not in response.text


def test_a_misspelt_roll_uses_no_roll(guest: Visitor) -> None:
    ada = guest.player()
    game = ada.open()
    assert faults(ada.ask("roll", game, {"holds": [0]})) == {("#", "unknown")}
    assert ada.read(game) == game


def test_an_integer_may_be_written_as_json_integers_are(guest: Visitor) -> None:
    """1.0 is another JSON type to a strict reader, and not a face."""
    content = b'{"dice": [1.0, 2, 3, 4, 5]}'
    headers = {"Content-Type": "application/json"}
    response = guest.send("POST", "/v1/rulesets/classic/scores", content=content, headers=headers)
    assert faults(response) == {("#/dice/0", "wrong-type")}
