"""A game that was tampered with fails the check, and the check names what was done to it.

The game is the table of four in `fairness_logs`; the numbers in the reasons are its events.
"""

import copy
from collections.abc import Callable
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.fairness import verify, verify_document, why_unchecked
from tests.fairness_logs import FIRST_TWO, GAMES, LAST, NONE, SEED, Json, numbered, seat

Tamper: TypeAlias = Callable[[Json], None]


def of_kind(document: Json, kind: str) -> list[Json]:
    return [event for event in document["events"] if event["type"] == kind]


def test_any_single_face_that_is_changed_is_found_and_its_event_named() -> None:
    document = copy.deepcopy(GAMES["table"])
    for event in of_kind(document, "dice_rolled"):
        for place in range(5):
            honest = event["dice"][place]
            event["dice"][place] = honest % 6 + 1
            named = f"Event {event['seq']} "
            assert any(reason.startswith(named) for reason in verify_document(document))
            event["dice"][place] = honest


@pytest.mark.parametrize("name", ["solo", "table"])
def test_any_single_event_that_is_missing_is_found(name: str) -> None:
    events = GAMES[name]["events"]
    for place in range(len(events) - 1):
        assert verify(GAMES[name]["fairness"], events[:place] + events[place + 1 :])


def edit(kind: str, which: int = 0, /, **fields: object) -> Tamper:
    """Set fields of the nth event of a kind; a function is given the old value."""

    def tamper(document: Json) -> None:
        event = of_kind(document, kind)[which]
        event.update({k: v(event[k]) if callable(v) else v for k, v in fields.items()})

    return tamper


def record(**fields: object) -> Tamper:
    def tamper(document: Json) -> None:
        old = document["fairness"]
        old.update({k: v(old[k]) if callable(v) else v for k, v in fields.items()})

    return tamper


def drop(kind: str, which: int = 0) -> Tamper:
    """Take an event away and number the rest anew, as a careful forger would."""

    def tamper(document: Json) -> None:
        document["events"].remove(of_kind(document, kind)[which])
        renumber(document)

    return tamper


def insert(after: str, which: int = 0, /, **event: object) -> Tamper:
    """Put a copy of an event with other fields behind it, and number the rest anew."""

    def tamper(document: Json) -> None:
        model = of_kind(document, after)[which]
        document["events"].insert(document["events"].index(model) + 1, {**model, **event})
        renumber(document)

    return tamper


def renumber(document: Json) -> None:
    for seq, event in enumerate(document["events"], 1):
        event["seq"] = seq


def swap(dice: list[int]) -> list[int]:
    return [face % 6 + 1 for face in dice]


def unfinished(document: Json) -> None:
    document["events"] = document["events"][:9]
    document["fairness"].update(server_seed=None, draws=None)


TAMPERED: dict[str, tuple[Tamper, str]] = {
    # the record
    "wrong seed": (record(server_seed="00" * 32), "its SHA-256 is another"),
    "wrong seed, dice": (record(server_seed="00" * 32), "Event 10 shows"),
    "no seed": (record(server_seed=None), "reveals no server_seed"),
    "seed in capitals": (record(server_seed=SEED.hex().upper()), "server_seed is not 64"),
    "seed with spaces": (record(server_seed=SEED.hex(" ")[:64]), "server_seed is not 64"),
    "seed no hex": (record(server_seed="g" * 64), "server_seed is not 64"),
    "wrong commitment": (record(commitment="00" * 32), "not the one that game_created published"),
    "no commitment": (record(commitment=7), "record's commitment is not 64"),
    "wrong entropy": (record(entropy="Ada,Bo"), "one that the log gives, 'Ada,Bo.1'"),
    "entropy null": (record(entropy=None), "one that the log gives"),
    "draws null": (record(draws=None), "draws are not a list"),
    "draw altered": (
        record(draws=lambda d: [{**d[0], "faces": [1] * 5}, *d[1:]]),
        "draws[0] is [1,",
    ),
    "draw left out": (record(draws=lambda d: d[1:]), "lack roll 1 of round 1 of seat 0"),
    "draw twice": (record(draws=lambda d: [*d, d[3]]), "listed before"),
    "draw not made": (record(draws=lambda d: [*d, {**d[0], "seat": 7}]), "of a roll not made"),
    "draw no object": (record(draws=lambda d: [*d, 5]), "is not a seat, a round"),
    "draw malformed": (record(draws=lambda d: [*d, {**d[0], "faces": None}]), "is not a seat, a"),
    "not ended": (unfinished, "not revealed before it"),
    # who sits where, and what they set
    "commitment published later": (edit("game_created", commitment=None), "Event 1 publishes no"),
    "created twice": (insert("game_created"), "Event 2 creates the game, which only the first"),
    "never created": (drop("game_created"), "no game_created event"),
    "seats no list": (edit("game_created", seats={}), "Event 1 does not list one to eight"),
    "seats no objects": (edit("game_created", seats=[1]), "Event 1 does not list one to eight"),
    "seats misnumbered": (edit("game_created", seats=lambda s: s[::-1]), "Event 1 does not list"),
    "seat of no type": (edit("game_created", seats=[{"index": 0, "type": []}]), "Event 1 does not"),
    "second open seat taken": (edit("seat_joined", 0, seat=2), "Event 2 seats a player, but not"),
    "join left out": (drop("seat_joined", 1), "Event 5 adds entropy for a seat that is not"),
    "leave of a bot": (edit("seat_left", seat=3), "Event 7 frees a seat, but not a human's"),
    "leave left out": (drop("seat_left"), "Event 7 does not list the seats"),
    "seats swapped at the start": (
        edit("game_started", seats=lambda s: numbered([s[3], s[1], s[2], s[0]])),
        "Event 8 does not list the seats",
    ),
    "another player at the start": (
        edit("game_started", seats=lambda s: numbered([seat("human", "eve"), *s[1:]])),
        "Event 8 does not list the seats",
    ),
    "no seats at the start": (edit("game_started", seats=None), "Event 8 does not list the seats"),
    "started twice": (insert("game_started"), "Event 9 starts the game a second time"),
    "never started": (drop("game_started"), "Event 9 is of no seat and round"),
    "entropy altered": (edit("entropy_set", 3, value="Eve"), "log gives, 'Eve,Bo.1'"),
    "entropy left out": (drop("entropy_set", 3), "log gives, 'too-early,Bo.1'"),
    "entropy of a bot": (edit("entropy_set", 3, seat=2), "Event 9 adds entropy for a seat that"),
    "entropy with a comma": (edit("entropy_set", 3, value="a,b"), "Event 9 adds entropy that"),
    "entropy of 65": (edit("entropy_set", 3, value="a" * 65), "Event 9 adds entropy that is not"),
    "entropy a number": (edit("entropy_set", 3, value=5), "Event 9 adds entropy that is not"),
    "entropy too late": (
        insert("dice_rolled", 0, type="entropy_set", value="late"),
        "Event 11 adds entropy after the first roll",
    ),
    # turns, rolls and holds
    "swapped face": (edit("dice_rolled", 0, dice=swap), "Event 10 shows"),
    "changed held die": (edit("dice_rolled", 2, dice=swap), "changes dice[0], which is held, to"),
    "six dice": (edit("dice_rolled", dice=[1] * 6), "Event 10 lacks what a roll needs"),
    "face of 7": (edit("dice_rolled", dice=[7, 1, 1, 1, 1]), "Event 10 lacks what a roll needs"),
    "face true": (edit("dice_rolled", dice=[True, 1, 1, 1, 1]), "Event 10 lacks what a roll"),
    "held of numbers": (edit("dice_rolled", held=[0] * 5), "Event 10 lacks what a roll needs"),
    "held no list": (edit("dice_rolled", held=None), "Event 10 lacks what a roll needs"),
    "fourth roll": (edit("dice_rolled", roll=4), "Event 10 lacks what a roll needs"),
    "extra roll": (insert("dice_rolled", 0), "Event 11 is numbered roll 1, but its turn has had 1"),
    "first roll left out": (drop("dice_rolled", 0), "is numbered roll 2, but its turn has had 0"),
    "last roll left out": (drop("dice_rolled", 1), "draws[1] is of a roll not made"),
    "all held": (edit("dice_rolled", 1, held=[True] * 5), "Event 11 rolls although all five"),
    "held at first": (edit("dice_rolled", 0, held=LAST), "Event 10 holds dice that are not there"),
    "another's roll": (edit("dice_rolled", 0, seat=1), "seat 1 in round 1, but on turn is seat 0"),
    "another round": (edit("dice_rolled", 0, round=2), "seat 0 in round 2, but on turn is seat 0"),
    "no such seat": (edit("dice_rolled", 0, seat=4), "Event 10 is of no seat and round"),
    "no such round": (edit("turn_expired", 0, round=13), "is of no seat and round"),
    "another's hold": (edit("dice_held", seat=3), "does not mark five dice of the seat on turn"),
    "hold malformed": (edit("dice_held", held=[True]), "does not mark five dice"),
    "hold unchanged": (edit("dice_held", held=FIRST_TWO), "holds the very dice that are held"),
    "hold at first": (
        insert("entropy_set", 3, type="dice_held", held=LAST),
        "Event 10 holds dice before the first roll",
    ),
    "hold after the third": (
        insert("dice_rolled", 4, type="dice_held", held=NONE),
        "holds dice before the first roll of its turn or after the third",
    ),
    "roll in a thirteenth round": (
        insert("category_scored", -1, type="dice_rolled", seat=0, roll=1, held=NONE),
        "is of no seat and round that can be on turn",
    ),
    "scored other dice": (edit("category_scored", dice=swap), "does not score the dice of the"),
    "score left out": (drop("category_scored", 0), "seat 1 in round 1, but on turn is seat 0"),
    "score without a turn": (edit("category_scored", seat=None), "is of no seat and round"),
    "resigned twice": (insert("seat_resigned", 0), "resigns a seat that is not playing"),
    # the log as a whole
    "no seq": (edit("dice_rolled", seq=None), "Entry 9 of the events has no seq or no type"),
    "seq true": (edit("game_created", seq=True), "Entry 0 of the events has no seq or no type"),
    "no type": (edit("dice_rolled", type=[]), "Entry 9 of the events has no seq or no type"),
    "gap": (edit("dice_rolled", seq=12), "Event 12 stands where event 10 is due"),
    "roll after the end": (
        insert("game_finished", type="dice_rolled"),
        "(dice_rolled) comes after the end of the game",
    ),
    "end left out": (drop("game_finished"), "does not reach the end of the game"),
    "entry no object": (lambda d: d["events"].append(5), "of the events has no seq or no type"),
    "events no list": (lambda d: d.update(events="no"), "The events are not a list"),
    "record no object": (lambda d: d.update(fairness=[]), "The fairness record is not an object"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_tampering_is_named(name: str) -> None:
    tamper, reason = TAMPERED[name]
    document = copy.deepcopy(GAMES["table"])
    tamper(document)
    assert any(reason in named for named in verify_document(document))


def test_a_missing_score_is_reported_once_and_not_by_every_turn_behind_it() -> None:
    document = copy.deepcopy(GAMES["table"])
    drop("category_scored")(document)
    assert verify_document(document) == [
        "Event 12 is of seat 1 in round 1, but on turn is seat 0 in round 1."
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_running_game_has_no_seed_to_check_and_no_other_fault(name: str) -> None:
    document = copy.deepcopy(GAMES[name])
    document["events"] = document["events"][:2]
    document["fairness"].update(server_seed=None, draws=None, entropy="")
    [reason] = verify_document(document)
    assert "does not reach the end of the game" in reason
    assert why_unchecked(document) == "not-over"


@pytest.mark.parametrize("name", [name for name in TAMPERED if name != "not ended"])
def test_tampering_with_an_ended_game_is_checked_unless_a_part_is_gone(name: str) -> None:
    tamper, _ = TAMPERED[name]
    document = copy.deepcopy(GAMES["table"])
    tamper(document)
    is_whole = isinstance(document["fairness"], dict) and isinstance(document["events"], list)
    assert (why_unchecked(document) is None) == is_whole


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(garbage=JSON_VALUES)
def test_a_document_of_any_shape_is_refused_with_a_reason(garbage: object) -> None:
    assert verify_document(garbage)
    assert why_unchecked(garbage) == "no-export"
    assert verify_document({**GAMES["solo"], "fairness": garbage})
    assert verify_document({**GAMES["solo"], "events": garbage})


@given(place=st.integers(0, 20), data=st.data(), garbage=JSON_VALUES)
def test_a_field_of_any_shape_never_raises(
    place: int, data: st.DataObject, garbage: object
) -> None:
    document = copy.deepcopy(GAMES["table"])
    event = document["events"][place]
    event[data.draw(st.sampled_from(sorted(event)))] = garbage
    document["fairness"][data.draw(st.sampled_from(sorted(document["fairness"])))] = garbage
    assert all(
        reason.endswith(".") and reason.isprintable() for reason in verify_document(document)
    )
