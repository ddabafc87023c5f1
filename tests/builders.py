"""Short ways to values of the rules: tables, moves and whole games without any I/O."""

from app.rules import (
    CARD,
    NONE_HELD,
    Category,
    Command,
    Dice,
    Event,
    Game,
    GameCreated,
    Held,
    Level,
    Resign,
    Roll,
    Score,
    SeatRecord,
    advance,
    decide,
    open_game,
    parse_dice,
    why_not,
)

AT = 1_764_536_400_000
"""The time at which everything happens here, in milliseconds since 1970."""

HOST = "ada"
OPEN = SeatRecord(0, "open")
PLAIN: Dice = (1, 2, 3, 4, 6)
"""Dice that fit no pattern: 16 points in choice, no house, no straight."""


def human(name: str) -> SeatRecord:
    """A seat of the player whose id is the name in lower case."""
    return SeatRecord(0, "human", name, name.lower())


def guest(name: str) -> SeatRecord:
    """A seat at the host's device."""
    return SeatRecord(0, "guest", name, HOST)


def bot(level: Level = "expert") -> SeatRecord:
    """A seat that a program plays."""
    return SeatRecord(0, "bot", level, None, level)


def created(
    *seats: str | SeatRecord, ruleset: str = "classic", turn_seconds: int | None = None
) -> GameCreated:
    """The first event of a game with these seats; a string is a human's name, Ada is the host."""
    records = (human(seat) if isinstance(seat, str) else seat for seat in seats)
    return GameCreated(
        seq=1,
        at=AT,
        ruleset=ruleset,
        visibility="unlisted",
        hints=True,
        turn_seconds=turn_seconds,
        host=HOST,
        commitment="c0ffee",
        seats=tuple(
            SeatRecord(index, seat.type, seat.name, seat.player_id, seat.level)
            for index, seat in enumerate(records)
        ),
    )


def table(
    *seats: str | SeatRecord, ruleset: str = "classic", turn_seconds: int | None = None
) -> Game:
    """A game with these seats: active where none is open, else waiting."""
    return open_game(created(*seats, ruleset=ruleset, turn_seconds=turn_seconds))[1]


def solo(ruleset: str = "classic") -> Game:
    """A game that Ada plays alone, before its first roll."""
    return table("Ada", ruleset=ruleset)


def play(game: Game, *commands: Command, at: int = AT) -> Game:
    """The game after the commands."""
    for command in commands:
        game = advance(game, command, at)[1]
    return game


def tell(game: Game, *commands: Command, at: int = AT) -> tuple[Event, ...]:
    """The events that the commands bring about, one command after the other."""
    events: list[Event] = []
    for command in commands:
        following, game = advance(game, command, at)
        events.extend(following)
    return tuple(events)


def refusal(game: Game, command: Command) -> str | None:
    """The code with which the command is refused; None where it is legal."""
    violation = why_not(game, command)
    if violation is None:
        decide(game, command, AT)
        return None
    return violation.code


def on_turn(game: Game) -> int:
    """The seat on turn."""
    return game.open_turn.seat


def held(*positions: int) -> Held:
    """Marks with the dice at these positions, 0 to 4, held."""
    first, second, third, fourth, fifth = (position in positions for position in range(5))
    return first, second, third, fourth, fifth


def dice(text: str) -> Dice:
    """Five faces from a text such as ``5 5 5 2 1``."""
    return parse_dice(text)[0]


def roll(game: Game, faces: Dice = PLAIN, marks: Held | None = None) -> Game:
    """The game after a roll of the seat on turn."""
    return play(game, Roll(on_turn(game), faces, marks))


def take_turn(game: Game, category: Category, faces: Dice = PLAIN) -> Game:
    """The game after the seat on turn has rolled once and filled the category."""
    seat = on_turn(game)
    return play(game, Roll(seat, faces, NONE_HELD), Score(seat, category))


def play_rounds(game: Game, count: int, *faces: Dice) -> Game:
    """The game after so many turns of every playing seat, filled in card order.

    Seat ``i`` rolls ``faces[i]``, or PLAIN where there is none.
    """
    last = max(i for i, seat in enumerate(game.seats) if seat.is_playing)
    for _ in range(count):
        while game.turn is not None:
            seat = on_turn(game)
            rolled = faces[seat] if seat < len(faces) else PLAIN
            game = take_turn(game, game.seats[seat].card.open_categories[0], rolled)
            if seat == last:
                break
    return game


def play_to_end(game: Game, *faces: Dice) -> Game:
    """The game after all turns that are left."""
    return play_rounds(game, len(CARD), *faces)


def resign(*seats: int, reason: str = "player") -> Resign:
    """The command with which the seats give up."""
    return Resign(seats, reason)
