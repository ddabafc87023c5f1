"""The verbs at the table, one pure function each: what was loaded and asked -> what changes.

Every verb checks in the order of the contract: may this player (403), is the version the one the
caller has seen (412), do the rules allow it (409). Whoever asks has been identified before.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from app import fairness, rules
from app.autoplay import expired, faces, settled
from app.rules import (
    Abandon,
    Anonymise,
    Cancel,
    Category,
    GameCreated,
    Held,
    Hold,
    Join,
    Leave,
    Level,
    OpenRematch,
    Resign,
    Roll,
    RuleViolation,
    Score,
    Seat,
    SeatRecord,
    SetEntropy,
    Start,
    TooLate,
    Visibility,
)
from app.store.command import Change, Loaded, Move, Refusal
from app.store.games import GameRow
from app.store.players import PlayerRow

MAX_OPEN_GAMES = 200

MAX_LOG = 5_000
"""Events of a game past which nothing is taken that could go on for ever: holds, entropy, joining.

Eight players with all their rolls make some 400, with a hold for each die some 2,000.
"""

IfMatch: TypeAlias = frozenset[int] | None
"""The versions that the caller accepts; None where any will do."""


class NotHost(Refusal):
    """Only the host may do this."""

    code = "not-host"


class HintsOff(Refusal):
    """The players have agreed to do without hints until the game ends."""

    code = "hints-off"


class NotInGame(Refusal):
    """The player acts for no seat of this game, or not for the seat that was named."""

    code = "not-in-game"


class StaleVersion(Refusal):
    """The game has moved on; ``version`` is where it is now."""

    code = "stale-version"

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class TooManyGames(Refusal):
    """The player takes part in as many waiting and active games as one may."""

    code = "rate-limited"


class LogFull(Refusal):
    """So much has happened in this game without a roll that only what ends it may still happen."""

    code = "rate-limited"


class SeatWish(NamedTuple):
    """A seat of a game to be opened: ``me``, ``guest`` with a name, ``bot`` or ``open``."""

    type: Literal["me", "guest", "bot", "open"]
    name: str | None = None
    level: Level | None = None


class Opening(NamedTuple):
    """Everything about a game to be opened that does not follow from who opens it."""

    id: str
    seed: bytes
    seats: tuple[SeatWish, ...]
    ruleset: str
    visibility: Visibility
    hints: bool
    turn_seconds: int | None
    max_open_games: int | None


def check_version(row: GameRow, if_match: IfMatch) -> None:
    """Do nothing if the game is as the caller has seen it. Raises StaleVersion if not."""
    if if_match is not None and row.game.version not in if_match:
        raise StaleVersion(row.game.version)


def register(loaded: Loaded, player_id: str, name: str, token_hash: str) -> Change:
    """Make a player."""
    return Change(new_player=PlayerRow(player_id, name, loaded.at, token_hash))


def first_use(loaded: Loaded) -> Change:
    """Change nothing: that its holder is identified is all a new token waits for."""
    return Change(changed_player=_player(loaded))


def rename(loaded: Loaded, name: str) -> Change:
    """Give a player another name; seats already taken keep the old one."""
    return Change(changed_player=_player(loaded)._replace(name=name))


def renew_token(loaded: Loaded, token_hash: str) -> Change:
    """Make a new token ready; the old one works until the new one is first used."""
    return Change(changed_player=_player(loaded)._replace(next_token_hash=token_hash))


def delete_account(loaded: Loaded) -> Change:
    """Leave every game in the way its state allows, nameless, and be gone.

    A large account goes in portions; with the last one, when no game is left, goes the player.
    """
    player = _player(loaded)
    assert loaded.account is not None, "the command was submitted without loading the account"
    rows, is_whole = loaded.account
    parted = (_part(row, player.id, loaded.at) for row in rows)
    return Change(
        tuple(settled(move, loaded.at, loaded.draw) for move in parted),
        deleted_player=player if is_whole else None,
        forgotten_in=tuple(row.id for row in rows),
    )


def open_game(loaded: Loaded, opening: Opening) -> Change:
    """Open a game with the caller as its host; without an open seat it starts at once."""
    player = _player(loaded)
    if opening.max_open_games is not None and loaded.open_games >= opening.max_open_games:
        raise TooManyGames
    events, game = rules.open_game(
        GameCreated(
            seq=1,
            at=loaded.at,
            ruleset=opening.ruleset,
            visibility=opening.visibility,
            hints=opening.hints,
            turn_seconds=opening.turn_seconds,
            host=player.id,
            commitment=fairness.commitment(opening.seed),
            seats=tuple(_seat(i, wish, player) for i, wish in enumerate(opening.seats)),
        )
    )
    return _done(loaded, Move(GameRow(opening.id, opening.seed, game), events))


def join(
    loaded: Loaded, entropy: str | None, if_match: IfMatch, max_open_games: int | None
) -> Change:
    """Take the first open seat."""
    player = _player(loaded)
    row = _matching(loaded, if_match)
    _check_room(row)
    change = _advance(loaded, row, Join(player.name, player.id, entropy))
    if max_open_games is not None and loaded.open_games >= max_open_games:
        raise TooManyGames
    return change


def leave(loaded: Loaded, if_match: IfMatch) -> Change:
    """Give the own seat in a waiting game back."""
    seats = _seats(loaded)
    return _advance(loaded, _matching(loaded, if_match), Leave(seats[0]))


def start(loaded: Loaded, if_match: IfMatch) -> Change:
    """Begin with the seats that are taken."""
    _check_host(loaded)
    return _advance(loaded, _matching(loaded, if_match), Start())


def cancel(loaded: Loaded, if_match: IfMatch) -> Change:
    """Call a waiting game off; doing so again changes nothing."""
    _check_host(loaded)
    row = _matching(loaded, if_match)
    if row.game.status == "cancelled":
        return Change((Move(row),))
    return _advance(loaded, row, Cancel("host"))


def set_entropy(loaded: Loaded, value: str, if_match: IfMatch) -> Change:
    """Add the caller's own text to the draw."""
    seats = _seats(loaded)
    row = _matching(loaded, if_match)
    _check_room(row)
    own = next(i for i in seats if row.game.seats[i].type == "human")
    return _advance(loaded, row, SetEntropy(own, value), if_match)


def roll(loaded: Loaded, held: Held | None, if_match: IfMatch) -> Change:
    """Roll the dice that are not held; ``held`` first sets the holds."""
    return _move(loaded, if_match, lambda seat, row: Roll(seat, faces(row), held))


def hold(loaded: Loaded, held: Held, if_match: IfMatch) -> Change:
    """Change which dice stay on the next roll."""
    _check_room(_row(loaded))
    return _move(loaded, if_match, lambda seat, _: Hold(seat, held))


def score(loaded: Loaded, category: Category, if_match: IfMatch) -> Change:
    """Fill a category, which ends the turn."""
    return _move(loaded, if_match, lambda seat, _: Score(seat, category))


def resign(loaded: Loaded, seat: int | None, if_match: IfMatch) -> Change:
    """Give up one seat, or every seat for which the caller acts."""
    seats = _seats(loaded)
    if seat is not None and seat not in seats:
        raise NotInGame
    giving_up = seats if seat is None else (seat,)
    return _advance(loaded, _matching(loaded, if_match), Resign(giving_up, "player"), if_match)


def expire(loaded: Loaded) -> Change:
    """Play the open turn for a seat whose time is up; nothing where it no longer is."""
    return Change((_current(loaded, _row(loaded)),))


def abandon(loaded: Loaded, waiting_since: int, idle_since: int) -> Change:
    """Call a game off that has not changed since; nothing where it has."""
    row = _row(loaded)
    since = waiting_since if row.game.status == "waiting" else idle_since
    if row.game.is_ended or row.game.updated_at >= since:
        return Change((Move(row),))
    return _advance(loaded, row, Abandon())


def rematch(
    loaded: Loaded, game_id: str, seed: bytes, if_match: IfMatch, max_open_games: int | None
) -> Change:
    """Meet again: a new game in which the caller, the bots and the caller's guests are seated.

    The first move is the game to meet in; where someone has opened it before, it is the only one.
    """
    own = _seats(loaded)
    row = _matching(loaded, if_match)
    if loaded.rematch is not None:
        return Change((Move(loaded.rematch),))
    events, ended = rules.advance(row.game, OpenRematch(game_id), loaded.at)
    opening = Opening(
        id=game_id,
        seed=seed,
        seats=tuple(
            _again(seat, is_own=i in own)
            for i, seat in enumerate(row.game.seats)
            if seat.type != "guest" or i in own
        ),
        ruleset=row.game.ruleset,
        visibility="unlisted",
        hints=row.game.hints,
        turn_seconds=row.game.turn_seconds,
        max_open_games=max_open_games,
    )
    (opened,) = open_game(loaded, opening).moves
    return Change((opened, Move(row._replace(game=ended), events)))


def _player(loaded: Loaded) -> PlayerRow:
    assert loaded.player is not None, "the command was submitted without a token"
    return loaded.player


def _row(loaded: Loaded) -> GameRow:
    assert loaded.row is not None, "the command was submitted without a game"
    return loaded.row


def _seats(loaded: Loaded) -> tuple[int, ...]:
    seats = _row(loaded).game.seats_of(_player(loaded).id)
    if not seats:
        raise NotInGame
    return seats


def _check_host(loaded: Loaded) -> None:
    if _row(loaded).game.host != _player(loaded).id:
        raise NotHost


def _check_room(row: GameRow) -> None:
    if row.game.version >= MAX_LOG:
        raise LogFull


def _matching(loaded: Loaded, if_match: IfMatch) -> GameRow:
    row = _row(loaded)
    check_version(row, if_match)
    return row


def _move(
    loaded: Loaded, if_match: IfMatch, command: Callable[[int, GameRow], rules.Command]
) -> Change:
    """A move of the seat on turn, if the caller acts for it; late, the clock has made it."""
    seats = _seats(loaded)
    row = _matching(loaded, if_match)
    current = _current(loaded, row)
    turn = row.game.turn
    if current.events and turn is not None and turn.seat in seats:
        return Change((current,), refusal=TooLate())
    turn = current.row.game.turn
    seat = turn.seat if turn is not None and turn.seat in seats else seats[0]
    return _go_on(loaded, current, command(seat, current.row), if_match)


def _advance(
    loaded: Loaded, row: GameRow, command: rules.Command, if_match: IfMatch = None
) -> Change:
    return _go_on(loaded, _current(loaded, row), command, if_match)


def _go_on(
    loaded: Loaded, before: Move, command: rules.Command, if_match: IfMatch = None
) -> Change:
    try:
        check_version(before.row, if_match)
        events, game = rules.advance(before.row.game, command, loaded.at)
    except (StaleVersion, RuleViolation) as refusal:
        if not before.events:
            raise
        # Refused by the state that the clock has led to, which is kept for all to see.
        return Change((before,), refusal=refusal)
    return _done(loaded, Move(before.row._replace(game=game), before.events + events))


def _current(loaded: Loaded, row: GameRow) -> Move:
    """The game as it is now: a turn whose time is up has been played, and the bots after it."""
    if not row.game.is_late(loaded.at):
        return Move(row)
    return settled(expired(row, loaded.at), loaded.at, loaded.draw)


def _done(loaded: Loaded, move: Move) -> Change:
    """A change of one game, in which the bots have answered."""
    return Change((settled(move, loaded.at, loaded.draw),))


def _seat(index: int, wish: SeatWish, host: PlayerRow) -> SeatRecord:
    match wish.type:
        case "me":
            return SeatRecord(index, "human", host.name, host.id)
        case "guest":
            return SeatRecord(index, "guest", wish.name, host.id)
        case "bot":
            return SeatRecord(index, "bot", wish.level, level=wish.level)
        case "open":
            return SeatRecord(index, "open")


def _again(seat: Seat, *, is_own: bool) -> SeatWish:
    match seat.type:
        case "guest":
            return SeatWish("guest", seat.name)
        case "bot":
            return SeatWish("bot", level=seat.level)
        case _:
            return SeatWish("me" if is_own else "open")


def _part(row: GameRow, player_id: str, at: int) -> Move:
    """How a player who deletes the account leaves one game."""
    game = row.game
    events: tuple[rules.Event, ...] = ()
    seats = game.seats_of(player_id)
    commands: list[rules.Command] = [Anonymise(player_id)]
    if game.status == "waiting" and seats:
        if game.host == player_id:
            commands.insert(0, Cancel("account"))
        else:  # nameless first: of a seat that is left nobody could tell any more whose it was
            commands.append(Leave(seats[0]))
    if game.status == "active" and any(game.seats[i].is_playing for i in seats):
        commands.insert(0, Resign(seats, "account"))
    for command in commands:
        happened, game = rules.advance(game, command, at)
        events += happened
    return Move(row._replace(game=game), events)
