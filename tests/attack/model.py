"""What the server should answer, worked out beside it: games by the rules, access by the contract.

Knows no HTTP, no store and no verb of the server; who may do what is told here a second time, as
the API contract has it. Dice are not foreseen: they are read from the answer and checked by the
rules, in which a held die cannot move.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeAlias, cast

from app.rules import (
    CARD,
    Anonymise,
    Cancel,
    Category,
    Command,
    Dice,
    Game,
    GameCreated,
    Held,
    Hold,
    Join,
    Leave,
    NotFinished,
    OpenRematch,
    Resign,
    Roll,
    Score,
    Seat,
    SeatRecord,
    SetEntropy,
    Start,
    actions,
    advance,
    open_game,
    why_not,
)

Json: TypeAlias = Any
ANY_FACES: Dice = (1, 1, 1, 1, 1)
"""Stands for dice where only legality is asked, which no dice can change."""
OF_THE_HOST = ("start", "cancel")


class Person(NamedTuple):
    """A player as the model knows one."""

    id: str
    name: str


class Refusal(NamedTuple):
    """The problem code with which a call is refused."""

    code: str


def judge(
    game: Game, person: Person, verb: str, body: Json, versions: set[int] | None
) -> Refusal | Command | None:
    """What becomes of a call: a refusal, a command to the rules, or None where nothing changes.

    ``versions`` are those that If-Match accepts, None for any.
    """
    own = game.seats_of(person.id)
    if verb in OF_THE_HOST:
        if game.host != person.id:
            return Refusal("not-host")
    elif verb != "join" and not own:
        return Refusal("not-in-game")
    if verb == "resign" and body.get("seat", own[0]) not in own:
        return Refusal("not-in-game")
    if versions is not None and game.version not in versions:
        return Refusal("stale-version")
    if verb == "cancel" and game.status == "cancelled":
        return None
    command = _COMMANDS[verb](game, person, own, body)
    violation = why_not(game, command)
    return command if violation is None else Refusal(violation.code)


def acting(game: Game, own: tuple[int, ...]) -> int:
    """The seat on turn where the player acts for it, else the first one of the player's."""
    return game.turn.seat if game.turn is not None and game.turn.seat in own else own[0]


def _held(body: Json) -> Held | None:
    return cast("Held", tuple(body["held"])) if "held" in body else None


def _human(game: Game, own: tuple[int, ...]) -> int:
    return next(seat for seat in own if game.seats[seat].type == "human")


_COMMANDS: Mapping[str, Callable[[Game, Person, tuple[int, ...], Json], Command]] = {
    "join": lambda _g, person, _o, body: Join(person.name, person.id, body.get("entropy")),
    "leave": lambda _g, _p, own, _b: Leave(own[0]),
    "start": lambda _g, _p, _o, _b: Start(),
    "cancel": lambda _g, _p, _o, _b: Cancel("host"),
    "set_entropy": lambda game, _p, own, body: SetEntropy(_human(game, own), body["value"]),
    "roll": lambda game, _p, own, body: Roll(acting(game, own), ANY_FACES, _held(body)),
    "hold": lambda game, _p, own, body: Hold(acting(game, own), cast("Held", _held(body))),
    "score": lambda game, _p, own, body: Score(acting(game, own), Category(body["category"])),
    "resign": lambda _g, _p, own, body: Resign(
        (body["seat"],) if "seat" in body else own, "player"
    ),
}


def follow(game: Game, command: Command | None, answer: Json) -> Game:
    """The game after a command; its time and its dice are those of the answer."""
    if command is None:
        return game
    if isinstance(command, Roll):
        command = replace(command, faces=cast("Dice", tuple(answer["turn"]["dice"])))
    return advance(game, command, milliseconds(answer["updated_at"]))[1]


def opened(person: Person, body: Json, answer: Json, commitment: str) -> Game:
    """The new game that the person asked for; its time is the answer's."""
    records = {
        "me": SeatRecord(0, "human", person.name, person.id),
        "open": SeatRecord(0, "open"),
    }
    seats = (
        records.get(seat["type"]) or _record(seat, person)
        for seat in body.get("seats", [{"type": "me"}])
    )
    created = GameCreated(
        seq=1,
        at=milliseconds(answer["created_at"]),
        ruleset=body.get("ruleset", "classic"),
        visibility=body.get("visibility", "unlisted"),
        hints=body.get("hints", True),
        turn_seconds=None,
        host=person.id,
        commitment=commitment,
        seats=tuple(replace(record, index=index) for index, record in enumerate(seats)),
    )
    return open_game(created)[1]


def _record(seat: Json, person: Person) -> SeatRecord:
    if seat["type"] == "guest":
        return SeatRecord(0, "guest", seat["name"], person.id)
    return SeatRecord(0, "bot", seat["level"], level=seat["level"])


def waits_for_bot(game: Game) -> bool:
    """Whether a bot is on turn; no answer ever shows such a game."""
    return game.turn is not None and game.seats[game.turn.seat].type == "bot"


def with_bots(game: Game, log: Sequence[Json]) -> Game:
    """The game after the bots' moves, up to a person's turn; what they chose is read in the log.

    AssertionError or RuleViolation where the log has what no bot may do.
    """
    moves = iter(log)
    while waits_for_bot(game):
        event = next(move for move in moves if move["seq"] > game.version)
        seat = game.open_turn.seat
        assert (event["seat"], event["seq"]) == (seat, game.version + 1)
        command: Command
        if event["type"] == "dice_rolled":
            command = Roll(seat, cast("Dice", tuple(event["dice"])), _held(event))
        else:
            assert event["type"] == "category_scored"
            command = Score(seat, Category(event["category"]))
        game = advance(game, command, milliseconds(event["at"]))[1]
    return game


def judge_rematch(game: Game, person: Person, versions: set[int] | None) -> Refusal | None:
    """Why the game has no rematch yet and gets none from this call; None where it has or gets."""
    if not game.seats_of(person.id):
        return Refusal("not-in-game")
    if versions is not None and game.version not in versions:
        return Refusal("stale-version")
    return None if game.status == "finished" else Refusal(NotFinished.code)


def rematch_wishes(game: Game, person: Person) -> Json:
    """What the rematch is opened with: caller, guests, bots, open seats."""
    wishes = []
    for seat in game.seats:
        if seat.player_id == person.id:
            is_me = seat.type == "human"
            wishes.append({"type": "me"} if is_me else {"type": "guest", "name": seat.name})
        elif seat.type == "bot":
            wishes.append({"type": "bot", "level": seat.level})
        elif seat.type == "human":
            wishes.append({"type": "open"})
    return {"seats": wishes, "ruleset": game.ruleset, "hints": game.hints}


def with_rematch(game: Game, game_id: str, answer: Json) -> Game:
    """The ended game, which now leads to the other one; its time is the answer's."""
    return advance(game, OpenRematch(game_id), milliseconds(answer["updated_at"]))[1]


def without(game: Game, person: Person, at: int) -> Game:
    """The game after the person has deleted the account."""
    own = game.seats_of(person.id)
    if game.status == "waiting" and game.host == person.id:
        game = advance(game, Cancel("account"), at)[1]
    elif game.status == "waiting" and own:  # whose a seat was that is left nobody could tell
        return advance(advance(game, Anonymise(person.id), at)[1], Leave(own[0]), at)[1]
    elif game.status == "active" and any(game.seats[seat].is_playing for seat in own):
        game = advance(game, Resign(own, "account"), at)[1]
    return advance(game, Anonymise(person.id), at)[1]


def told(game_id: str, game: Game) -> Json:
    """The game as clients must see it, member by member."""
    return {
        "id": game_id,
        "version": game.version,
        "status": game.status,
        "ruleset": game.ruleset,
        "visibility": game.visibility,
        "host": game.host,
        "hints": game.hints,
        "turn_seconds": None,
        "round": game.round,
        "daily": None,
        "seats": [_seat(index, seat) for index, seat in enumerate(game.seats)],
        "turn": _turn(game),
        "winners": [index for index, seat in enumerate(game.seats) if seat.rank == 1],
        "rematch_id": game.rematch_id,
        "created_at": text(game.created_at),
        "updated_at": text(game.updated_at),
        "finished_at": None if game.finished_at is None else text(game.finished_at),
    }


def _seat(index: int, seat: Seat) -> Json:
    card = {str(category): seat.card.points(category) for category in CARD}
    return {
        "index": index,
        "type": seat.type,
        "name": seat.name,
        "player_id": seat.player_id,
        "level": seat.level,
        "state": seat.state,
        "scorecard": card,
        "total": sum(points or 0 for points in card.values()),
        "rank": seat.rank,
    }


def _turn(game: Game) -> Json:
    if game.turn is None:
        return None
    dice = game.turn.dice
    return {
        "seat": game.turn.seat,
        "rolls_used": game.turn.rolls_used,
        "rolls_left": 3 - game.turn.rolls_used,
        "dice": None if dice is None else list(dice),
        "held": list(game.turn.held),
        "options": {str(category): points for category, points in game.options.items()},
        "actions": list(actions(game)),
        "deadline": None,
    }


def milliseconds(when: str) -> int:
    """A time of the wire as the rules have it."""
    return round(datetime.fromisoformat(when).timestamp() * 1000)


def text(at: int) -> str:
    """A time of the rules as the wire has it."""
    seconds, rest = divmod(at, 1000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{rest:03}Z"
