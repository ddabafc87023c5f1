"""Logs of honest games with their fairness records, in the form that any client can fetch.

The dice come from `reference_draw`, a second and naive reading of the contract, so that a fault
that `draw` and `verify` share cannot hide.
"""

import copy
import hashlib
import hmac
from collections.abc import Iterator
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

SEED = bytes(range(32))
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
NONE, FIRST_TWO, LAST = [False] * 5, [True, True, False, False, False], [False] * 4 + [True]


def reference_bytes(seed: bytes, message: str) -> Iterator[int]:
    for block in range(1000):
        yield from hmac.new(seed, f"{message}:{block}".encode(), hashlib.sha256).digest()


def reference_draw(seed: bytes, entropy: str, seat: int, round_: int, roll: int) -> list[int]:
    faces: list[int] = []
    for byte in reference_bytes(seed, f"{entropy}:{seat}:{round_}:{roll}"):
        if byte <= 251:
            faces.append(byte % 6 + 1)
        if len(faces) == 5:
            break
    return faces


class Scribe:
    """Writes the log of an honest game, and the fairness record that goes with it."""

    def __init__(self, seats: list[Json]) -> None:
        self.events: list[Json] = []
        self.draws: list[Json] = []
        self.dice: list[int] = []
        self.write("game_created", commitment=COMMITMENT, seats=numbered(seats), daily=None)

    def write(self, kind: str, seat: int | None = None, **fields: object) -> None:
        event = {"seq": len(self.events) + 1, "type": kind, "at": "2030-01-01T00:00:00.000Z"}
        self.events.append({**event, "seat": seat, **copy.deepcopy(fields)})

    def roll(self, entropy: str, key: tuple[int, int, int], held: list[bool]) -> None:
        seat, round_, roll = key
        faces = reference_draw(SEED, entropy, seat, round_, roll)
        self.dice = [self.dice[i] if held[i] else faces[i] for i in range(5)]
        named = {"seat": seat, "round": round_, "roll": roll}
        self.draws.append({**named, "faces": faces})
        self.write("dice_rolled", **named, held=held, dice=self.dice)

    def turn(self, entropy: str, seat: int, round_: int) -> None:
        """Play a turn of one to three rolls; the third follows a change of the holds."""
        self.roll(entropy, (seat, round_, 1), NONE)
        if (seat + round_) % 3 > 0:
            self.roll(entropy, (seat, round_, 2), FIRST_TWO)
        if (seat + round_) % 3 > 1:
            self.write("dice_held", seat, held=LAST)
            self.roll(entropy, (seat, round_, 3), LAST)
        self.write(
            "category_scored", seat, round=round_, category="choice", points=0, dice=self.dice
        )

    def document(self, entropy: str) -> Json:
        record = {"commitment": COMMITMENT, "entropy": entropy, "server_seed": SEED.hex()}
        return {"fairness": {**record, "draws": self.draws}, "events": self.events}


def numbered(seats: list[Json]) -> list[Json]:
    return [{**seat, "index": index} for index, seat in enumerate(seats)]


def seat(kind: str, player_id: str | None = None) -> Json:
    return {"type": kind, "name": player_id or kind, "player_id": player_id, "level": None}


def solo_game() -> Json:
    scribe = Scribe([seat("human", "ada")])
    scribe.write("game_started", seats=numbered([seat("human", "ada")]), next=None)
    for round_ in range(1, 13):
        scribe.turn("", 0, round_)
    scribe.write("game_finished", winners=[0], ranks=[1])
    return scribe.document("")


def table_game() -> Json:
    """A game that waited: joins, a seat left, entropy set and replaced, seats renumbered."""
    people = [seat("human", "ada"), seat("human", "bo"), seat("bot"), seat("guest", "ada")]
    ada, bo, bot, guest = people
    scribe = Scribe([ada, seat("open"), seat("open"), bot, seat("open"), guest])
    scribe.write("seat_joined", 1, name="Cy", player_id="cy")
    scribe.write("entropy_set", 1, value="Cy")
    scribe.write("entropy_set", 0, value="too-early")
    scribe.write("seat_joined", 2, name="Bo", player_id="bo")
    scribe.write("entropy_set", 2, value="Bo.1")
    scribe.write("seat_left", 1)
    bo = {**bo, "player_id": None}  # deleted since: anonymised in earlier events too
    scribe.write("game_started", seats=numbered([ada, bo, bot, guest]), next=None)
    scribe.write("entropy_set", 0, value="Ada")
    entropy = "Ada,Bo.1"
    for round_ in range(1, 13):
        for index in range(4):
            if (index, round_) == (0, 3):  # out of turn; the turn at hand goes on
                scribe.write("seat_resigned", 3, reason="player", next=None)
            if (index, round_) == (1, 5):
                scribe.write("turn_expired", 1, round=5)
                scribe.roll(entropy, (1, 5, 1), NONE)
                scribe.write("seat_resigned", 1, reason="clock", next=None)
            elif (index != 3 or round_ < 3) and (index != 1 or round_ < 5):
                scribe.turn(entropy, index, round_)
    scribe.write("a_later_kind_of_event", 0)
    scribe.write("game_finished", winners=[0], ranks=[1, 3, 2, 3])
    scribe.write("seat_anonymised", 1)
    scribe.write("rematch_opened", game_id="x")
    return scribe.document(entropy)


def cancelled_game() -> Json:
    scribe = Scribe([seat("human", "ada"), seat("open")])
    scribe.write("entropy_set", 0, value="Ada")
    scribe.write("game_cancelled", reason="host")
    return scribe.document("Ada")


GAMES = {"solo": solo_game(), "table": table_game(), "cancelled": cancelled_game()}
