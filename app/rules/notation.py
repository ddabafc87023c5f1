"""Text forms of dice, scorecards, turns and whole games that a person reads and that parse back.

A written game holds what was seen at the table: who sat where, each roll with the dice that had
stayed, each score, whose time was up and who gave up, the result. It holds no ids and no times,
nothing of the draw, and a bot's name is its level. Knows no file and no wire.

    Yacht, ruleset classic
    Seat 0: human "Ada"
    Seat 1: bot "expert"

    Round 1, seat 0
    roll 1: 5 5 2 1 5
    roll 2: [5] [5] 4 4 [5]
    score full_house: 23
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import cast, get_args

from app.rules.commands import Abandon, Cancel, Command, Expire, Resign, Roll, Score
from app.rules.decide import advance, open_game
from app.rules.events import (
    CategoryScored,
    DiceRolled,
    Event,
    GameCancelled,
    GameCreated,
    GameFinished,
    GameStarted,
    Level,
    Next,
    SeatRecord,
    SeatResigned,
    SeatType,
    TurnExpired,
)
from app.rules.game import NONE_HELD, Game, Seat, Turn, fold
from app.rules.scoring import CARD, RULESETS, Category, Dice, Held, Scorecard
from app.rules.violations import RuleViolation

_NUMBER = "(?:0|[1-9][0-9]{0,2})"
_DIE = r"(?:[1-6]|\[[1-6]\])"
_DICE = f"{_DIE}(?: {_DIE}){{4}}"
_CATEGORY = "|".join(CARD)
_REASON = "[a-z][a-z-]*"

_CARD_ROWS = (CARD[:6], CARD[6:])
_CELL = re.compile(f"({_CATEGORY}) (-|{_NUMBER})")
_TURN = re.compile(f"Round ({_NUMBER}), seat ({_NUMBER})(?:, roll ([1-3]): ({_DICE}))?")

_RULESET = re.compile(f"Yacht, ruleset ({'|'.join(RULESETS)})")
_SEAT = re.compile(rf'Seat {_NUMBER}: (?:open|(human|guest|bot)(?: ("(?:[^"\\]|\\.)*"))?)')
_ROLL = re.compile(f"roll [1-3]: ({_DICE})")
_SCORE = re.compile(f"score ({_CATEGORY}): {_NUMBER}")
_RESIGN = re.compile(f"resign seat ({_NUMBER}(?:, seat {_NUMBER})*): ({_REASON})")
_CANCEL = re.compile(f"cancel: ({_REASON})")
_TIME_UP = "time up"
_NO_FACES: Dice = (1, 1, 1, 1, 1)


class NotationError(ValueError):
    """A text that is not in the notation; ``line`` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line


def format_dice(dice: Dice, held: Held = NONE_HELD) -> str:
    """The five dice as they lie, those that are held in brackets: ``[5] [5] 2 1 [5]``."""
    return " ".join(
        f"[{face}]" if stays else f"{face}" for face, stays in zip(dice, held, strict=True)
    )


def parse_dice(text: str) -> tuple[Dice, Held]:
    """The dice, and which of them are held. Raises NotationError."""
    if re.fullmatch(_DICE, text.strip()) is None:
        raise NotationError(1, "expected five dice, like [5] [5] 2 1 [5]")
    return _read_dice(text)


def format_card(card: Scorecard) -> str:
    """The scorecard on three lines: the numbers, the patterns (``-`` where open), the total."""
    rows = (
        ", ".join(f"{category} {_or_dash(card.points(category))}" for category in row)
        for row in _CARD_ROWS
    )
    return "\n".join((*rows, f"total {card.total}"))


def parse_card(text: str) -> Scorecard:
    """The scorecard. Raises NotationError, for a wrong total too."""
    cells = cast("list[tuple[str, str]]", _CELL.findall(text))
    card = Scorecard(**{slug: None if points == "-" else int(points) for slug, points in cells})
    lines = [line.strip() for line in text.rstrip().split("\n")]
    for number, (line, expected) in enumerate(zip_longest(lines, format_card(card).split("\n")), 1):
        if line != expected:
            raise NotationError(number, f"expected {expected or 'nothing more'}")
    return card


def format_turn(turn: Turn) -> str:
    """The turn on one line: its dice, once there are some, with their holds; no deadline."""
    start = f"Round {turn.round}, seat {turn.seat}"
    if turn.dice is None:
        return start
    return f"{start}, roll {turn.rolls_used}: {format_dice(turn.dice, turn.held)}"


def parse_turn(text: str) -> Turn:
    """The turn, without a deadline. Raises NotationError."""
    found = _TURN.fullmatch(text.strip())
    if found is None:
        raise NotationError(1, "expected a turn, like Round 2, seat 0, roll 1: 5 5 2 1 5")
    number, seat, roll, lying = found.groups()
    if lying is None:
        return Turn(int(seat), int(number))
    dice, held = _read_dice(lying)
    return Turn(int(seat), int(number), int(roll), dice, held)


def format_game(events: Iterable[Event]) -> str:
    """The game that the events tell, at whatever status, like a score sheet kept move by move."""
    events = tuple(events)
    game = fold(events)
    lines = list(_header(game))
    for told in _commands(events):
        lines.extend(_entry(game, told))
    return "\n".join(lines) + "\n"


def parse_game(text: str) -> tuple[Event, ...]:
    """Play the written game anew: its events, all at time 0, without ids and commitment.

    Every line is held against the game as it goes on, so what is read is a game by the rules.
    Empty lines and the space around a line are free. Raises NotationError at the first line that
    the notation does not know, the rules refuse, or the game contradicts.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    lines = [(number, line) for number, line in lines if line]
    opening, game = open_game(_read_header(lines))
    events: list[Event] = list(opening)
    expected = [*_header(game), *filter(None, _entry(game, opening))]
    for position, (number, line) in enumerate(lines):
        if position == len(expected):
            after = lines[position + 1][1] if position + 1 < len(lines) else ""
            following, game = _play(game, number, line, after)
            events.extend(following)
            expected.extend(filter(None, _entry(game, following)))
        if line != expected[position]:
            raise NotationError(number, f"expected {expected[position]}")
    if len(lines) < len(expected):
        raise NotationError(lines[-1][0] + 1, f"expected {expected[len(lines)]}")
    return tuple(events)


def _header(game: Game) -> Iterator[str]:
    yield f"Yacht, ruleset {game.ruleset}"
    for index, seat in enumerate(game.seats):
        yield f"Seat {index}: {_sitter(seat)}"


def _sitter(seat: Seat) -> str:
    if seat.name is None:
        return seat.type
    return f"{seat.type} {json.dumps(seat.name, ensure_ascii=False)}"


def _commands(events: Iterable[Event]) -> list[list[Event]]:
    """The events that are told, those together that one command may have brought about.

    Who came and went before the start shows in the header, a hold in the roll that follows it.
    """
    commands: list[list[Event]] = []
    last: Event | None = None
    for event in events:
        match event:
            case GameStarted() | TurnExpired() | GameCancelled():
                commands.append([event])
            case DiceRolled() | CategoryScored():
                # When the time is up, a roll may follow and a score does: one command made all.
                is_by_clock = isinstance(commands[-1][0], TurnExpired)
                if is_by_clock and isinstance(last, TurnExpired | DiceRolled):
                    commands[-1].append(event)
                else:
                    commands.append([event])
            case SeatResigned(reason="clock"):
                commands[-1].append(event)
            case SeatResigned():
                # Seats that give up together are told together: one by one, the last would win.
                if isinstance(last, SeatResigned) and last.reason == event.reason:
                    commands[-1].append(event)
                else:
                    commands.append([event])
            case GameFinished():
                commands[-1].append(event)
            case _:
                continue
        last = event
    return commands


def _entry(game: Game, events: Sequence[Event]) -> Iterator[str]:
    """The lines that tell what one command brought about, with an empty line before each block."""
    following: Next | None = None
    resigned = [event for event in events if isinstance(event, SeatResigned)]
    for event in events:
        if event in resigned[:1]:
            seats = ", ".join(f"seat {index}" for index in sorted(each.seat for each in resigned))
            yield f"resign {seats}: {resigned[0].reason}"
        match event:
            case GameStarted() | SeatResigned():
                following = event.next or following
            case TurnExpired():
                yield _TIME_UP
            case DiceRolled():
                yield f"roll {event.roll}: {format_dice(event.dice, event.held)}"
            case CategoryScored():
                yield f"score {event.category}: {event.points}"
                following = event.next
            case GameCancelled():
                yield ""
                yield f"cancel: {event.reason}"
            case GameFinished():
                following = None
                yield ""
                for index, seat in enumerate(game.seats):
                    yield f"Seat {index}: {seat.card.total} points, rank {_or_dash(seat.rank)}"
            case _:
                continue
    if following is not None:
        yield ""
        yield format_turn(Turn(following.seat, following.round))


def _or_dash(number: int | None) -> str:
    return "-" if number is None else str(number)


def _read_dice(text: str) -> tuple[Dice, Held]:
    dice = text.split()
    faces = tuple(int(die.strip("[]")) for die in dice)
    return cast("Dice", faces), cast("Held", tuple(die.startswith("[") for die in dice))


def _read_header(lines: Sequence[tuple[int, str]]) -> GameCreated:
    first = lines[0] if lines else (1, "")
    ruleset = _RULESET.fullmatch(first[1])
    if ruleset is None:
        raise NotationError(first[0], f"expected Yacht, ruleset {' or '.join(RULESETS)}")
    records: list[SeatRecord] = []
    for number, line in lines[1:]:
        if (seat := _SEAT.fullmatch(line)) is None:
            break
        records.append(_read_seat(len(records), number, seat))
    if all(record.type != "human" for record in records):
        raise NotationError(first[0] + 1, 'expected seats, a human among them: Seat 0: human "Ada"')
    return GameCreated(
        seq=1,
        at=0,
        ruleset=ruleset[1],
        visibility="unlisted",
        hints=True,
        turn_seconds=None,
        host=None,
        commitment="",
        seats=tuple(records),
    )


def _read_seat(index: int, number: int, found: re.Match[str]) -> SeatRecord:
    seat_type = cast("SeatType", found[1] or "open")
    if found[2] is None:
        return SeatRecord(index, seat_type)
    try:
        name = cast("str", json.loads(found[2]))
    except ValueError as error:
        raise NotationError(number, "expected a name quoted as JSON quotes it") from error
    if seat_type != "bot":
        return SeatRecord(index, seat_type, name)
    if name not in get_args(Level):
        raise NotationError(number, "expected one of the levels of bots")
    return SeatRecord(index, "bot", name, level=cast("Level", name))


def _play(game: Game, number: int, line: str, after: str) -> tuple[tuple[Event, ...], Game]:
    command = _read_command(game, line, after)
    if command is None:
        raise NotationError(
            number, "expected a roll, a score, time up, a resignation or the cancelling"
        )
    try:
        return advance(game, command, 0)
    except RuleViolation as violation:
        raise NotationError(number, f"the rules say {violation.code}") from violation


def _read_command(game: Game, line: str, after: str) -> Command | None:
    """The command of a line; ``after`` is the next one, with the dice of a roll by the clock."""
    on_turn = 0 if game.turn is None else game.turn.seat
    if found := _ROLL.fullmatch(line):
        return Roll(on_turn, *_read_dice(found[1]))
    if found := _SCORE.fullmatch(line):
        return Score(on_turn, Category(found[1]))
    if line == _TIME_UP:
        found = _ROLL.fullmatch(after)
        return Expire(_read_dice(found[1])[0] if found else _NO_FACES)
    if found := _CANCEL.fullmatch(line):
        return Abandon() if found[1] == "idle" else Cancel(found[1])
    if found := _RESIGN.fullmatch(line):
        seats = tuple(map(int, found[1].split(", seat ")))
        # A seat resigns by the clock only with the turn that was one too many.
        is_told = max(seats) < len(game.seats) and found[2] != "clock"
        return Resign(seats, found[2]) if is_told else None
    return None
