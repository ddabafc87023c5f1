"""Measures the CPU time of a solo game by the rules alone: no store, no HTTP, no draw of dice."""

import argparse
import random
import sys
import time
from itertools import product
from statistics import median
from typing import NamedTuple, cast

from app.rules import (
    CARD,
    NONE_HELD,
    ROLLS_A_TURN,
    Category,
    Dice,
    Game,
    GameCreated,
    Held,
    Roll,
    Score,
    SeatRecord,
    actions,
    advance,
    open_game,
)

BATCHES = 10
TARGET_MS = 2.0


def solo_game() -> Game:
    """A game of one seat before its first roll."""
    created = GameCreated(
        seq=1,
        at=0,
        ruleset="classic",
        visibility="unlisted",
        hints=True,
        turn_seconds=None,
        host="player",
        commitment="",
        seats=(SeatRecord(0, "human", "Player", "player"),),
    )
    return open_game(created)[1]


class Script(NamedTuple):
    """What is done in a game, settled beforehand so that only the rules are timed."""

    throws: list[tuple[Dice, Held]]
    categories: list[Category]


def write_script(chance: random.Random) -> Script:
    """Throws, holds and an order of the categories, all by chance."""
    masks = cast("list[Held]", list(product((False, True), repeat=5))[:-1])  # never all five
    throws = []
    for number in range(len(CARD) * ROLLS_A_TURN):
        faces = cast("Dice", tuple(chance.choices(range(1, 7), k=5)))
        held = chance.choice(masks) if number % ROLLS_A_TURN else NONE_HELD
        throws.append((faces, held))
    return Script(throws, chance.sample(CARD, k=len(CARD)))


def play(script: Script) -> Game:
    """Plays 36 rolls and 12 scores, reading after each roll what an answer shows of the turn."""
    game = solo_game()
    for number, (faces, held) in enumerate(script.throws):
        _, game = advance(game, Roll(0, faces, held), at=number)
        assert game.options
        assert actions(game)
        turn, roll = divmod(number, ROLLS_A_TURN)
        if roll == ROLLS_A_TURN - 1:
            _, game = advance(game, Score(0, script.categories[turn]), at=number)
    return game


def games_cpu_ms(count: int, chance: random.Random) -> float:
    """The mean CPU time, in ms, of so many different games."""
    scripts = [write_script(chance) for _ in range(count)]
    started_at = time.process_time()
    games = [play(script) for script in scripts]
    spent = time.process_time() - started_at
    assert all(game.status == "finished" for game in games)
    return 1000 * spent / count


def main() -> int:
    """Measures and prints; the status is 1 where `--check` is given and the target is missed."""
    parser = argparse.ArgumentParser(prog="python benchmarks/rules_cpu.py", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="how many games, default: 1000")
    parser.add_argument("--check", action="store_true", help=f"must be under {TARGET_MS:g} ms")
    options = parser.parse_args()
    chance = random.Random(0)  # noqa: S311 - the same games in each run, not secret ones
    batch = max(1, options.games // BATCHES)
    spent = median(games_cpu_ms(batch, chance) for _ in range(BATCHES))
    print(f"{spent:.2f} ms of CPU a solo game (median of {BATCHES} batches of {batch} games)")
    return 1 if options.check and spent >= TARGET_MS else 0


if __name__ == "__main__":
    sys.exit(main())
