"""What the ledger need not read again: players and games as they were last committed.

This is true because the ledger alone changes them, in a database that this process alone owns.
"""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Generic, TypeVar

from app.store.games import GameRow
from app.store.players import PlayerRow

LIMIT = 4_096
"""How many of each are kept, those longest unchanged go first: some 15 MB of games at the most."""

Row = TypeVar("Row", PlayerRow, GameRow)


class Recent(OrderedDict[str, Row], Generic[Row]):
    """The rows remembered last, by key."""

    def remember(self, key: str, row: Row) -> None:
        """Keep a row, in the place of the one with this key or of the oldest."""
        self[key] = row
        self.move_to_end(key)
        if len(self) > LIMIT:
            self.popitem(last=False)


class Known:
    """Players by the hash of a token that is theirs, and games by id."""

    def __init__(self) -> None:
        self.players: Recent[PlayerRow] = Recent()
        self.games: Recent[GameRow] = Recent()

    def remember(self, players: dict[str, PlayerRow], games: dict[str, GameRow]) -> None:
        """Keep what a batch has loaded or changed, now that it is committed."""
        for token_hash, player in players.items():
            self.players.remember(token_hash, player)
        for game_id, game in games.items():
            self.games.remember(game_id, game)

    def clear(self) -> None:
        """Know nothing any more."""
        self.players.clear()
        self.games.clear()

    def forget_tokens(self, player_ids: Iterable[str]) -> None:
        """Drop the tokens of players that have changed."""
        gone = set(player_ids)
        for token_hash in [hash_ for hash_, row in self.players.items() if row.id in gone]:
            del self.players[token_hash]
