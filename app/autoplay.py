"""What happens at the table without a person: the clock plays late turns, bots play their own.

A bot is shown the position and a number by chance, never a seed: what it does can depend on no die
that has not fallen yet.
"""

import logging
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from app import fairness, rules
from app.rules import Dice, Expire, Game, Roll, Ruleset, Score
from app.store.command import Move
from app.store.games import GameRow

if TYPE_CHECKING:
    from app.strategy import Choice

log = logging.getLogger(__name__)


class Unsolved(Exception):
    """A bot is on turn and the tables of the ruleset are not there yet."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset.slug)
        self.ruleset = ruleset


def faces(row: GameRow) -> Dice:
    """The faces of the roll that the open turn would make next; the rules say if it may."""
    turn = row.game.turn
    if turn is None:
        return (1, 1, 1, 1, 1)
    entropy = fairness.entropy_text(row.game.entropies)
    return fairness.draw(row.seed, entropy, turn.seat, turn.round, turn.rolls_used + 1)


def expired(row: GameRow, at: int) -> Move:
    """A game whose open turn is late, as the clock leaves it: the turn has been played."""
    events, game = rules.advance(row.game, Expire(faces(row)), at)
    return Move(row._replace(game=game), events)


def settled(move: Move, at: int, draw: Callable[[], float]) -> Move:
    """The game as the bots leave it: each whose turn came has played it, up to a person's turn.

    Raises Unsolved.
    """
    row, events = move
    while (choice := _choice(row.game, draw)) is not None:
        seat = row.game.open_turn.seat
        command: rules.Command = (
            Score(seat, choice.category)
            if choice.action == "score"
            else Roll(seat, faces(row), choice.held)
        )
        happened, game = rules.advance(row.game, command, at)
        row, events = row._replace(game=game), events + happened
    return Move(row, events)


def _choice(game: Game, draw: Callable[[], float]) -> "Choice | None":
    """What the bot on turn does next; None where no bot is on turn."""
    turn = game.turn
    if turn is None or game.seats[turn.seat].type != "bot":
        return None
    # A server without bots need not load exact play; whoever solves loads it, and not in here,
    # where everybody would wait for it.
    if not hasattr(sys.modules.get("app.strategy"), "tables"):
        raise Unsolved(game.rules)
    from app.strategy import Position, choose, tables  # noqa: PLC0415

    solved = tables.ready(game.rules)
    if solved is None:
        raise Unsolved(game.rules)
    seat = game.seats[turn.seat]
    assert seat.level is not None, "every bot has a level"
    try:
        return choose(solved, Position(seat.card, turn.dice, turn.rolls_left), seat.level, draw())
    except Exception:
        # A bot that cannot think must not leave the others waiting for ever.
        log.exception("a bot failed to choose; it takes what brings most now")
        return _plainly(game)


def _plainly(game: Game) -> "Choice":
    from app.strategy import RollChoice, ScoreChoice  # noqa: PLC0415

    if not game.options:
        return RollChoice()
    return ScoreChoice(max(game.options, key=lambda category: game.options[category]))
