"""A batch of commands as one transaction: load what they name, decide each, write what changed."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TypeAlias

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.rules import Event, Game
from app.store import answers, games, players
from app.store.answers import LIFETIME, KeyRow
from app.store.command import (
    Account,
    Change,
    Command,
    KeyReused,
    Loaded,
    NotFound,
    Outcome,
    Unauthenticated,
)
from app.store.games import GameRow, Participant
from app.store.known import Known
from app.store.players import PlayerRow

DECIDING_SECONDS = 0.02
ACCOUNT_PORTION = 10
"""How many games of an account one command takes: an account may have thousands."""

Result: TypeAlias = Outcome | Exception
"""What becomes of a command. A refusal is a value: it must not undo its neighbours."""


class Batch:
    """The commands of one transaction, and what they have changed so far.

    Each command sees what those before it did, as if they had been committed one by one.
    """

    def __init__(
        self,
        connection: Connection,
        known: Known,
        at: int,
        draw: Callable[[], float],
        stopwatch: Callable[[], float] = monotonic,
    ) -> None:
        """``at`` is the time of all commands, in milliseconds; ``stopwatch`` counts seconds."""
        self._connection = connection
        self._known = known
        self._at = at
        self._draw = draw
        self._stopwatch = stopwatch
        self._players: dict[str, PlayerRow] = {}
        self._games: dict[str, GameRow] = {}
        self._open_games: dict[str, int] = {}
        self._answers: dict[tuple[str, str], KeyRow] = {}
        self._new_players: list[PlayerRow] = []
        self._changed_players: dict[str, PlayerRow] = {}
        self._deleted_players: list[str] = []
        self._forgotten: list[Participant] = []
        self._new_games: dict[str, GameRow] = {}
        self._changed_games: dict[str, GameRow] = {}
        self._log: list[tuple[str, Event]] = []
        self._standings: dict[tuple[str, str], Participant] = {}
        self._new_answers: dict[tuple[str, str], KeyRow] = {}
        self._stale_answers: list[tuple[str, str]] = []

    @property
    def touched(self) -> set[str]:
        """The ids of the games that have changed."""
        return self._new_games.keys() | self._changed_games.keys()

    def run(self, commands: Sequence[Command]) -> list[Result]:
        """Decide the commands in order and write what they change; the caller commits.

        Where deciding takes long, as bots may, the last commands get no result: they wait for the
        next batch, so that those who were first are answered.
        """
        self._load(commands)
        end = self._stopwatch() + DECIDING_SECONDS
        results: list[Result] = []
        for command in commands:
            results.append(self._result(command))
            if self._stopwatch() > end:
                break
        self._write()
        return results

    def remember(self) -> None:
        """Note what is now committed, so that the next batch need not read it."""
        changed = [*self._changed_players, *self._deleted_players]
        if changed:
            self._known.forget_tokens(changed)
        self._known.remember(self._players, self._games)

    def _load(self, commands: Sequence[Command]) -> None:
        self._load_players({c.token_hash for c in commands if c.token_hash is not None})
        self._load_games({c.game_id for c in commands if c.game_id is not None})
        self._load_games(
            {
                rematch_id
                for c in commands
                if c.loads_rematch and c.game_id in self._games
                if (rematch_id := self._games[c.game_id].game.rematch_id) is not None
            }
        )
        if keys := [
            (self._players[c.token_hash].id, c.key.hash)
            for c in commands
            if c.key is not None and c.token_hash in self._players
        ]:
            self._answers = answers.load_answers(self._connection, keys)
        if counted := {
            self._players[c.token_hash].id
            for c in commands
            if c.counts_games and c.token_hash in self._players
        }:
            counts = games.open_games(self._connection, counted)
            self._open_games = {player_id: counts.get(player_id, 0) for player_id in counted}

    def _load_players(self, hashes: set[str]) -> None:
        known = self._known.players
        self._players = {token_hash: known[token_hash] for token_hash in hashes & known.keys()}
        if missing := hashes - known.keys():
            self._players |= players.players_by_token(self._connection, missing)

    def _load_games(self, ids: set[str]) -> None:
        known = self._known.games
        self._games |= {game_id: known[game_id] for game_id in ids & known.keys()}
        if missing := ids - self._games.keys():
            self._games |= games.load_games(self._connection, missing)

    def _result(self, command: Command) -> Result:
        # Whatever a verb raises, bugs included, is this command's result alone: nothing it did
        # has been taken over yet.
        try:
            return self._outcome(command)
        except DBAPIError:  # the transaction cannot be trusted any more
            raise
        except StopIteration as error:  # which no future would take
            return RuntimeError(repr(error))
        except Exception as error:  # noqa: BLE001
            return error

    def _outcome(self, command: Command) -> Outcome:
        player = None if command.token_hash is None else self._identify(command.token_hash)
        place = None if player is None or command.key is None else (player.id, command.key.hash)
        if place and command.key and (known := self._remembered(place)):
            if known.fingerprint != command.key.fingerprint:
                raise KeyReused
            return Outcome(known.answer, is_replay=True)
        row = None if command.game_id is None else self._games.get(command.game_id)
        if command.game_id is not None and row is None:
            raise NotFound
        change = command.verb(
            Loaded(
                self._at,
                self._draw,
                player,
                row,
                self._open_games.get(player.id, 0) if player else 0,
                None if row is None else self._games.get(row.game.rematch_id or ""),
                self._account(player) if player and command.loads_account else None,
            )
        )
        if change.refusal is not None:
            self._accept(change, player)
            raise change.refusal
        answer = command.answer(change)
        self._accept(change, player)
        if place and command.key:
            kept = KeyRow(*place, command.key.fingerprint, answer, self._at)
            self._answers[place] = self._new_answers[place] = kept
        return Outcome(answer)

    def _identify(self, token_hash: str) -> PlayerRow:
        player = self._players.get(token_hash)
        if player is None:
            raise Unauthenticated
        if player.next_token_hash == token_hash:
            # The first use of a new token is the end of the old one.
            self._players.pop(player.token_hash, None)
            player = player._replace(token_hash=token_hash, next_token_hash=None)
            self._replace_player(player)
        return player

    def _replace_player(self, player: PlayerRow) -> None:
        self._changed_players[player.id] = player
        self._players[player.token_hash] = player
        if player.next_token_hash is not None:
            self._players[player.next_token_hash] = player

    def _remembered(self, place: tuple[str, str]) -> KeyRow | None:
        known = self._answers.get(place)
        if known is not None and known.created_at <= self._at - LIFETIME:
            self._stale_answers.append(place)
            return None
        return known

    def _account(self, player: PlayerRow) -> Account:
        ids = set(games.games_of(self._connection, player.id, ACCOUNT_PORTION))
        is_whole = len(ids) < ACCOUNT_PORTION
        if is_whole:  # seats taken or left earlier in this batch are not in the database yet
            ids.update(game_id for (owner, game_id) in self._standings if owner == player.id)
        self._load_games(ids - self._games.keys())
        return Account(tuple(self._games[game_id] for game_id in sorted(ids)), is_whole)

    def _accept(self, change: Change, player: PlayerRow | None) -> None:
        for row, happened in change.moves:
            if happened:
                self._accept_move(row, happened)
        if change.new_player is not None:
            self._new_players.append(change.new_player)
        if change.changed_player is not None:
            self._forget_tokens(change.changed_player.id)
            self._replace_player(change.changed_player)
        if change.deleted_player is not None:
            self._forget_tokens(change.deleted_player.id)
            self._changed_players.pop(change.deleted_player.id, None)
            self._deleted_players.append(change.deleted_player.id)
        if player is not None:
            self._forgotten += [Participant(player.id, i, "left") for i in change.forgotten_in]

    def _accept_move(self, row: GameRow, happened: tuple[Event, ...]) -> None:
        before = self._games.get(row.id)
        for standing in _standings(None if before is None else before.game, row):
            self._standings[standing.player_id, row.id] = standing
            if standing.player_id in self._open_games:
                self._open_games[standing.player_id] += 1 if standing.standing == "open" else -1
        if before is None or row.id in self._new_games:
            self._new_games[row.id] = row
        else:
            self._changed_games[row.id] = row
        self._games[row.id] = row
        self._log.extend((row.id, event) for event in happened)

    def _forget_tokens(self, player_id: str) -> None:
        self._players = {h: p for h, p in self._players.items() if p.id != player_id}

    def _write(self) -> None:
        connection = self._connection
        if self._new_players:
            players.insert_players(connection, self._new_players)
        if self._changed_players:
            players.update_players(connection, self._changed_players.values())
        if self._new_games:
            games.insert_games(connection, self._new_games.values())
        if self._changed_games:
            games.update_games(connection, self._changed_games.values())
        if self._log:
            games.append_events(connection, self._log)
        if self._standings:
            games.write_participants(connection, list(self._standings.values()))
        if self._stale_answers:
            answers.forget_answers(connection, self._stale_answers)
        if self._new_answers:
            answers.insert_answers(connection, self._new_answers.values())
        for forgotten in self._forgotten:
            games.anonymise_events(connection, forgotten.game_id, forgotten.player_id)
        if self._forgotten:
            games.forget_participants(connection, self._forgotten)
        for player_id in self._deleted_players:
            players.delete_player(connection, player_id)


def _standings(before: Game | None, row: GameRow) -> list[Participant]:
    """Who stands differently to the game than before."""
    seated = _seated(row.game)
    was_seated = set() if before is None else _seated(before)
    is_over = row.game.is_ended and not (before is not None and before.is_ended)
    if is_over:
        now = [Participant(player_id, row.id, "ended") for player_id in seated]
    else:
        now = [Participant(player_id, row.id, "open") for player_id in seated - was_seated]
    return [*now, *(Participant(player_id, row.id, "left") for player_id in was_seated - seated)]


def _seated(game: Game) -> set[str]:
    return {seat.player_id for seat in game.seats if seat.player_id is not None}
