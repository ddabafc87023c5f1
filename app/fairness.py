"""Fair dice: the commitment to a seed, the faces drawn from it, and the check of an ended game.

This is the only source of dice. It has no randomness of its own (the 32-byte seed is passed in),
does no input or output, and must not know the store, the routes or the wire models: `verify` reads
the JSON documents that any client can fetch, and takes them for possibly broken or forged.
"""

import hashlib
import hmac
import itertools
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.rules.scoring import Dice, Held

__all__ = [
    "commitment",
    "draw",
    "entropy_text",
    "first_five",
    "verify",
    "verify_document",
    "why_unchecked",
]

RollKey: TypeAlias = tuple[int, int, int]  # seat, round, roll

# 252 is the largest multiple of six in a byte: taking 252-255 too would favour the faces 1 to 4.
_FACE_OF_BYTE = bytes(1 + byte % 6 for byte in range(256))
_SKIPPED = bytes(range(252, 256))

_POSITIONS = range(5)
_MOST_SEATS, _ROUNDS, _ROLLS, _LONGEST_ENTROPY, _HIGHEST_SEQ = 8, 12, 3, 64, 2**53 - 1
_SEAT_TYPES = ("human", "guest", "bot", "open")
_ENDS = ("game_finished", "game_cancelled")
_ENTROPY_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")
_HEX_DIGITS, _HEX_LENGTH = frozenset("0123456789abcdef"), 64


def commitment(seed: bytes) -> str:
    """What is published before the first roll: SHA-256 of the seed, 64 lower-case hex digits."""
    return hashlib.sha256(seed).hexdigest()


def entropy_text(values: Iterable[str | None]) -> str:
    """The values of the human seats in final seat order, joined by commas; None is empty."""
    return ",".join(value or "" for value in values)


def draw(seed: bytes, entropy: str, seat: int, round_: int, roll: int) -> Dice:
    """The faces (1-6) of the five positions for roll 1-3 of round 1-12 of a seat.

    `seat` is the number after the start. Held positions get a face too, which is not used.
    """
    name = f"{entropy}:{seat}:{round_}:{roll}"
    return first_five(
        hmac.digest(seed, f"{name}:{block}".encode(), "sha256") for block in itertools.count()
    )


def first_five(blocks: Iterable[bytes]) -> Dice:
    """The first five faces in the blocks: bytes from 252 up are skipped, others give 1 + byte % 6.

    Raises ValueError if the blocks end before five faces are found.
    """
    faces = b""
    for block in blocks:
        faces += block.translate(_FACE_OF_BYTE, _SKIPPED)
        if len(faces) >= len(_POSITIONS):
            break
    first, second, third, fourth, fifth = faces[:5]
    return first, second, third, fourth, fifth


def why_unchecked(document: object) -> Literal["no-export", "one-page", "not-over"] | None:
    """Why there is nothing to check in a document yet, which accuses nobody; None if there is.

    It has not the parts that `verify_document` needs, or holds one page of the events, or tells of
    a game of which neither the end nor the seed is known.
    """
    if not isinstance(document, Mapping) or not isinstance(document.get("fairness"), Mapping):
        return "no-export"
    events = document.get("events")
    if isinstance(events, Mapping):
        if events.get("next_cursor") is not None:
            return "one-page"
        events = events.get("items")
    if not isinstance(events, list) or not events:
        return "no-export"
    ends = [event for event in events if isinstance(event, Mapping) and event.get("type") in _ENDS]
    return None if ends or document["fairness"].get("server_seed") is not None else "not-over"


def verify_document(document: object) -> list[str]:
    """Check an ended game from one document `{"fairness": {...}, "events": [...]}`; see `verify`.

    `events` is the list of events or the list answer around it (`{"items": [...], "next_cursor":
    null}`). Other keys, as a game export has them, are ignored.
    """
    if not isinstance(document, Mapping):
        return ["The document is not an object with the keys fairness and events."]
    events = document.get("events")
    if isinstance(events, Mapping):
        if events.get("next_cursor") is not None:
            return ["The events are one page of several (next_cursor is not null): give them all."]
        events = events.get("items")
    return verify(document.get("fairness"), events)


def verify(fairness: object, events: object) -> list[str]:
    """Check the dice of an ended game from its fairness record and its whole event log.

    Returns every reason why the game fails, as sentences with the `seq` of the event; an honest
    game gives an empty list. A malformed document of any shape is a reason, never an exception.
    Reasons repeat no text of the documents that was not found well-formed: they are safe to print.
    """
    if not isinstance(fairness, Mapping):
        return ["The fairness record is not an object."]
    if not isinstance(events, list):
        return ["The events are not a list."]
    replay = _Replay(_bytes(fairness.get("server_seed")))
    replay.follow(events)
    return [*replay.reasons_against(fairness), *replay.reasons]


def _draws_reasons(listed: object, made: Mapping[RollKey, Dice | None]) -> Iterator[str]:
    """Yield where the record's draws differ from the rolls made (None: no seed is known)."""
    if not isinstance(listed, list):
        yield "The game has ended, but the record's draws are not a list."
        return
    unlisted = dict(made)
    for place, entry in enumerate(listed):
        if (listed_draw := _listed_draw(entry)) is None:
            yield f"The record's draws[{place}] is not a seat, a round, a roll and five faces."
            continue
        key, faces = listed_draw
        if key not in unlisted:
            yield f"The record's draws[{place}] is of a roll not made, or of one listed before."
        elif (drawn := unlisted.pop(key)) is not None and faces != drawn:
            yield f"The record's draws[{place}] is {list(faces)}, but the seed draws {list(drawn)}."
    for seat, round_, roll in unlisted:
        yield f"The record's draws lack roll {roll} of round {round_} of seat {seat}."


@dataclass(slots=True)
class _Seat:
    type: str
    player_id: str | None
    entropy: str | None = None
    playing: bool = True


@dataclass(slots=True)
class _Turn:
    seat: int
    round: int
    rolls: int = 0
    dice: Dice | None = None
    held: Held = (False, False, False, False, False)


class _Replay:
    """The log, followed as far as dice depend on it: seats, entropy, turns, rolls and holds.

    Whose turn it is matters because seat, round and roll choose the draw: a server that could
    number its rolls as it likes could choose its dice. After a break the replay goes on from what
    the log says, so that one fault is not reported by every event behind it. Each method for an
    event yields what is wrong with it, as the rest of a sentence that begins with `Event 7`.
    """

    def __init__(self, seed: bytes | None) -> None:
        self.seed = seed
        self.reasons: list[str] = []
        self.commitment: bytes | None = None
        self.seats: list[_Seat] = []
        self.created = self.started = self.ended = False
        self.turn: _Turn | None = None
        self.draws: dict[RollKey, Dice | None] = {}

    @property
    def entropy(self) -> str:
        return entropy_text(seat.entropy for seat in self.seats if seat.type == "human")

    def follow(self, events: Sequence[object]) -> None:
        due = 1
        for place, event in enumerate(events):
            fields = event if isinstance(event, Mapping) else {}
            seq, kind = _number(fields.get("seq"), 1, _HIGHEST_SEQ), fields.get("type")
            if seq is None or not isinstance(kind, str):
                self.reasons.append(f"Entry {place} of the events has no seq or no type.")
                due += 1
                continue
            if seq != due:
                self.reasons.append(f"Event {seq} stands where event {due} is due.")
            due = seq + 1
            self.reasons += [f"Event {seq} {problem}." for problem in self._take(kind, fields)]
        if not self.created:
            self.reasons.append("The log has no game_created event, so no more can be checked.")

    def reasons_against(self, record: Mapping[str, object]) -> Iterator[str]:
        """Yield what is wrong with the fairness record beside the log that was followed."""
        promised = _bytes(record.get("commitment"))
        if promised is None:
            yield "The record's commitment is not 64 lower-case hex digits."
        elif promised != self.commitment:
            yield "The record's commitment is not the one that game_created published."
        if not self.ended:
            yield "The log does not reach the end of the game; the seed is not revealed before it."
            return
        if record.get("server_seed") is None:
            yield "The game has ended, but the record reveals no server_seed."
        elif self.seed is None:
            yield "The record's server_seed is not 64 lower-case hex digits."
        elif commitment(self.seed) != record.get("commitment"):
            yield "The record's server_seed is not the one committed to: its SHA-256 is another."
        if record.get("entropy") != self.entropy:
            yield f"The record's entropy is not the one that the log gives, {self.entropy!r}."
        yield from _draws_reasons(record.get("draws"), self.draws)

    def _take(self, kind: str, event: Mapping[str, object]) -> Iterator[str]:
        # A later version may add types of events; none can change what these ones mean.
        if kind not in _MOVES and kind not in _ENDS:
            return
        if self.ended:
            yield f"({kind}) comes after the end of the game"
        elif kind in _ENDS:
            self.ended = True
        elif self.created or kind == "game_created":
            yield from _MOVES[kind](self, event)

    def create(self, event: Mapping[str, object]) -> Iterator[str]:
        if event.get("seq") != 1:
            yield "creates the game, which only the first event can do"
        self.created, self.seats = True, _seats(event.get("seats")) or []
        self.commitment = _bytes(event.get("commitment"))
        if not self.seats:
            yield "does not list one to eight seats, numbered from 0"
        if self.commitment is None:
            yield "publishes no commitment of 64 lower-case hex digits"

    def join(self, event: Mapping[str, object]) -> Iterator[str]:
        first = next((index for index, seat in enumerate(self.seats) if seat.type == "open"), None)
        if self.started or first is None or self._seat(event) != first:
            yield "seats a player, but not on the first open seat of a waiting game"
        else:
            self.seats[first] = _Seat("human", _text(event.get("player_id")))

    def leave(self, event: Mapping[str, object]) -> Iterator[str]:
        index = self._seat(event)
        if self.started or index is None or self.seats[index].type != "human":
            yield "frees a seat, but not a human's in a waiting game"
        else:
            self.seats[index] = _Seat("open", None)

    def add_entropy(self, event: Mapping[str, object]) -> Iterator[str]:
        index, value = self._seat(event), _text(event.get("value")) or ""
        if self.draws:
            yield "adds entropy after the first roll"
        elif index is None or self.seats[index].type != "human":
            yield "adds entropy for a seat that is not a human's"
        elif not 1 <= len(value) <= _LONGEST_ENTROPY or not _ENTROPY_ALPHABET.issuperset(value):
            yield "adds entropy that is not 1 to 64 letters, digits, dots, underscores or hyphens"
        else:
            self.seats[index].entropy = value

    def start(self, event: Mapping[str, object]) -> Iterator[str]:
        if self.started:
            yield "starts the game a second time"
            return
        self.seats = [seat for seat in self.seats if seat.type != "open"]
        if not _are_same(self.seats, _seats(event.get("seats"))):
            yield "does not list the seats that were taken, in their order"
        self.started, self.turn = True, _Turn(seat=0, round=1)

    def roll(self, event: Mapping[str, object]) -> Iterator[str]:
        turn = yield from self.turn_of(event)
        roll = _number(event.get("roll"), 1, _ROLLS)
        held, dice = _marks(event.get("held")), _dice(event.get("dice"))
        if turn is None or roll is None or held is None or dice is None:
            yield "lacks what a roll needs: a turn, a number of 1 to 3, five marks, five faces"
            return
        if roll != turn.rolls + 1:
            yield f"is numbered roll {roll}, but its turn has had {turn.rolls}"
        key = (turn.seat, turn.round, roll)
        drawn = draw(self.seed, self.entropy, *key) if self.seed is not None else None
        yield from _faces_problems(turn, held, dice, drawn)
        self.draws[key] = drawn
        turn.rolls, turn.dice, turn.held = roll, dice, held

    def hold(self, event: Mapping[str, object]) -> Iterator[str]:
        turn, held = self.turn, _marks(event.get("held"))
        if turn is None or held is None or self._seat(event) != turn.seat:
            yield "does not mark five dice of the seat on turn"
        elif not 0 < turn.rolls < _ROLLS:
            yield "holds dice before the first roll of its turn or after the third"
        elif held == turn.held:
            yield "holds the very dice that are held already"
        else:
            turn.held = held

    def score(self, event: Mapping[str, object]) -> Iterator[str]:
        turn = yield from self.turn_of(event)
        if turn is not None:
            if turn.dice is None or _dice(event.get("dice")) != turn.dice:
                yield "does not score the dice of the last roll of its turn"
            self._pass(turn)

    def resign(self, event: Mapping[str, object]) -> Iterator[str]:
        index = self._seat(event)
        if not self.started or index is None or not self.seats[index].playing:
            yield "resigns a seat that is not playing"
            return
        self.seats[index].playing = False
        if self.turn is not None and self.turn.seat == index:
            self._pass(self.turn)

    def turn_of(self, event: Mapping[str, object]) -> Generator[str, None, _Turn | None]:
        seat, round_ = self._seat(event), _number(event.get("round"), 1, _ROUNDS)
        if seat is None or round_ is None or self.turn is None:
            yield "is of no seat and round that can be on turn"
            return None
        if (seat, round_) != (self.turn.seat, self.turn.round):
            due = f"seat {self.turn.seat} in round {self.turn.round}"
            yield f"is of seat {seat} in round {round_}, but on turn is {due}"
            self.turn = _Turn(seat, round_)
        return self.turn

    def _seat(self, event: Mapping[str, object]) -> int | None:
        return _number(event.get("seat"), 0, len(self.seats) - 1)

    def _pass(self, turn: _Turn) -> None:
        """Give the turn to the next seat that plays, or to nobody after the last round."""
        self.turn = None
        for place in range(turn.seat + 1, turn.seat + 1 + len(self.seats)):
            rounds_later, seat = divmod(place, len(self.seats))
            if self.seats[seat].playing and turn.round + rounds_later <= _ROUNDS:
                self.turn = _Turn(seat, turn.round + rounds_later)
                return


_MOVES: dict[str, Callable[[_Replay, Mapping[str, object]], Iterator[str]]] = {
    "game_created": _Replay.create,
    "seat_joined": _Replay.join,
    "seat_left": _Replay.leave,
    "entropy_set": _Replay.add_entropy,
    "game_started": _Replay.start,
    "turn_expired": _Replay.turn_of,
    "dice_rolled": _Replay.roll,
    "dice_held": _Replay.hold,
    "category_scored": _Replay.score,
    "seat_resigned": _Replay.resign,
}
"""What dice depend on. `seat_anonymised` and `rematch_opened` do not, and may follow the end."""


def _faces_problems(turn: _Turn, held: Held, dice: Dice, drawn: Dice | None) -> Iterator[str]:
    """Yield which faces are neither held nor drawn; `turn` is as it was before the roll."""
    if all(held):
        yield "rolls although all five dice are held"
    if turn.dice is None and any(held):
        yield "holds dice that are not there yet"
    for place in _POSITIONS:
        if held[place] and turn.dice is not None:
            if dice[place] != turn.dice[place]:
                yield f"changes dice[{place}], which is held, to {dice[place]}"
        elif drawn is not None and dice[place] != drawn[place]:
            yield f"shows {dice[place]} at dice[{place}], but the seed draws {drawn[place]}"


def _are_same(known: list[_Seat], told: list[_Seat] | None) -> bool:
    """Whether the seats are those known. A player deleted since then has no id to compare."""
    if told is None or [seat.type for seat in known] != [seat.type for seat in told]:
        return False
    pairs = [(a.player_id, b.player_id) for a, b in zip(known, told, strict=True)]
    return all(a is None or b is None or a == b for a, b in pairs)


def _seats(value: object) -> list[_Seat] | None:
    if not isinstance(value, list) or not 1 <= len(value) <= _MOST_SEATS:
        return None
    seats = []
    for index, entry in enumerate(value):
        fields = entry if isinstance(entry, Mapping) else {}
        kind, player_id = fields.get("type"), _text(fields.get("player_id"))
        if kind not in _SEAT_TYPES or _number(fields.get("index"), index, index) is None:
            return None
        seats.append(_Seat(kind, player_id))
    return seats


def _listed_draw(entry: object) -> tuple[RollKey, Dice] | None:
    if not isinstance(entry, Mapping):
        return None
    seat, faces = _number(entry.get("seat"), 0, _MOST_SEATS - 1), _dice(entry.get("faces"))
    round_, roll = _number(entry.get("round"), 1, _ROUNDS), _number(entry.get("roll"), 1, _ROLLS)
    if seat is None or round_ is None or roll is None or faces is None:
        return None
    return (seat, round_, roll), faces


def _dice(value: object) -> Dice | None:
    if not isinstance(value, list) or len(value) != len(_POSITIONS):
        return None
    return None if None in [_number(face, 1, 6) for face in value] else tuple(value)


def _marks(value: object) -> Held | None:
    if isinstance(value, list) and [type(mark) for mark in value] == [bool] * len(_POSITIONS):
        return tuple(value)
    return None


def _number(value: object, low: int, high: int) -> int | None:
    """A JSON integer within bounds; `true` is none, although Python takes it for 1."""
    return value if type(value) is int and low <= value <= high else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _bytes(value: object) -> bytes | None:
    """The 32 bytes of a hex text; `bytes.fromhex` alone takes spaces and capitals too."""
    if not isinstance(value, str) or len(value) != _HEX_LENGTH:
        return None
    return bytes.fromhex(value) if _HEX_DIGITS.issuperset(value) else None
