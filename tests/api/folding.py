"""A game told again from its log as clients read it. Uses the rules, never the store's state."""

import random
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from app.rules import Event, fold
from app.schemas.games import game_view
from app.store.games import EventRow, GameRow, stored_event
from tests.table import Game, Player, Visitor

_ROW = {"seq", "type", "at", "seat"}


def game_from(log: Sequence[Any], game_id: str) -> Game:
    """The game that the log adds up to, as the wire has it."""
    row = GameRow(game_id, b"", fold(map(_event, log)))
    return dict(game_view(row))


def assert_log_gives_state(reader: Visitor, game: Game) -> None:
    """Folding the log gives what reading the game gives; seqs have no gap."""
    log, now = reader.events(game), reader.read(game)
    assert [event["seq"] for event in log] == list(range(1, now["version"] + 1))
    assert game_from(log, game["id"]) == now


def move_at_random(player: Player, game: Game, chance: random.Random) -> Game:
    """One legal move of the seat on turn, for which the player acts."""
    turn = game["turn"]
    action = chance.choice([*turn["actions"], turn["actions"][-1]])
    held = [chance.random() < 0.5 for _ in range(5)]
    if action == "score":
        return player.score(game, chance.choice(list(turn["options"])))
    if action == "hold":
        return player.hold(game, held)
    if turn["dice"] is None or all(held) or chance.random() < 0.3:
        return player.roll(game)
    return player.roll(game, held)


def _event(wire: Any) -> Event:
    data = {name: value for name, value in wire.items() if name not in _ROW}
    following = data.get("next")
    if following and following["deadline"] is not None:
        data["next"] = following | {"deadline": _milliseconds(following["deadline"])}
    return stored_event(
        EventRow(wire["seq"], wire["type"], _milliseconds(wire["at"]), wire["seat"], data)
    )


def _milliseconds(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)
