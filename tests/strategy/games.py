"""Games played by bots, for the tests that read games: dice and draws from a seeded generator."""

from collections.abc import Sequence
from random import Random

from app.rules import (
    Command,
    Dice,
    Event,
    Game,
    GameCreated,
    Hold,
    Resign,
    Roll,
    Score,
    advance,
    open_game,
)
from app.strategy import Level, Position, RollChoice, Tables, choose


def any_dice(random: Random) -> Dice:
    """Five dice by chance."""
    first, second, third, fourth, fifth = random.choices(range(1, 7), k=5)
    return first, second, third, fourth, fifth


def play_game(
    known: Tables,
    opening: GameCreated,
    levels: Sequence[Level],
    random: Random,
    *,
    resigning: int | None = None,
) -> tuple[list[Event], Game]:
    """The events of a game whose seats play at these levels, and the game at its end.

    Now and then marks are set before the roll, as clients do. The seat ``resigning``, if any, gives
    up when its sixth turn has dice.
    """
    events, game = open_game(opening)
    told = list(events)
    while game.turn is not None:
        for command in _commands(known, game, levels, random, resigning):
            following, game = advance(game, command, opening.at)
            told.extend(following)
    return told, game


def _commands(
    known: Tables, game: Game, levels: Sequence[Level], random: Random, resigning: int | None
) -> list[Command]:
    turn = game.open_turn
    seat = turn.seat
    if seat == resigning and turn.round == 6 and turn.dice:
        return [Resign((seat,), "player")]
    at = Position(game.seats[seat].card, turn.dice, turn.rolls_left)
    done = choose(known, at, levels[seat], random.random())
    if not isinstance(done, RollChoice):
        return [Score(seat, done.category)]
    if turn.dice and random.random() < 0.3:
        return [Hold(seat, done.held), Roll(seat, any_dice(random))]
    return [Roll(seat, any_dice(random), done.held)]
