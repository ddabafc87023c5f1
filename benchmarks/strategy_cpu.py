"""Measures what exact play costs: CPU time of tables, advice, odds, review, games; and memory."""

import argparse
import gc
import random
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median

import numpy as np

from app.rules import (
    CARD,
    RULESETS,
    Dice,
    Event,
    GameCreated,
    Roll,
    Score,
    Scorecard,
    SeatRecord,
    advance,
    open_game,
)
from app.strategy import (
    TEMPERATURES,
    Distributions,
    Position,
    RollChoice,
    Standing,
    Tables,
    advise,
    choose,
    distributions,
    odds,
    possible_points,
    review,
    simulate,
    tables,
)

CLASSIC = RULESETS["classic"]
POSITIONS = 300
SIMULATED = 20_000


@dataclass(frozen=True)
class Figure:
    """A measured number and the bound that it is to keep, an upper one unless it is a rate."""

    name: str
    measured: float
    bound: float
    unit: str
    is_minimum: bool = False

    @property
    def is_reached(self) -> bool:
        """Whether the bound is kept."""
        return self.measured >= self.bound if self.is_minimum else self.measured < self.bound

    def __str__(self) -> str:
        verdict = "reached" if self.is_reached else "MISSED"
        sign = ">=" if self.is_minimum else "<"
        return (
            f"{verdict:<8}{self.name}: {self.measured:.2f} {self.unit}, "
            f"must be {sign} {self.bound:g}"
        )


def cpu_seconds(work: Callable[[], object]) -> float:
    """The CPU time of one run, all threads counted."""
    started_at = time.process_time()
    work()
    return time.process_time() - started_at


def cpu_ms_each(work: Callable[[], object]) -> float:
    """The median CPU time of three runs, in ms, after a first one that warms up."""
    work()
    return 1000 * median(cpu_seconds(work) for _ in range(3))


def any_dice(chance: random.Random) -> Dice:
    """Five dice by chance."""
    first, second, third, fourth, fifth = chance.choices(range(1, 7), k=5)
    return first, second, third, fourth, fifth


def any_position(chance: random.Random) -> Position:
    """A position of any kind after a roll."""
    still_open = chance.sample(CARD, chance.randint(1, len(CARD)))
    filled = {
        category: chance.choice(sorted(possible_points(CLASSIC, category)))
        for category in CARD
        if category not in still_open
    }
    card = Scorecard()._replace(**filled)
    return Position(card, any_dice(chance), chance.randrange(3))


def two_player_game(chance: random.Random) -> list[Event]:
    """The events of a game of two casual bots' choices, played by people."""
    created = GameCreated(
        seq=1,
        at=0,
        ruleset=CLASSIC.slug,
        visibility="unlisted",
        hints=True,
        turn_seconds=None,
        host="ada",
        commitment="",
        seats=(SeatRecord(0, "human", "Ada", "ada"), SeatRecord(1, "guest", "Bo", "ada")),
    )
    opening, game = open_game(created)
    events = list(opening)
    while (turn := game.turn) is not None:
        position = Position(game.seats[turn.seat].card, turn.dice, turn.rolls_left)
        choice = choose(tables(CLASSIC), position, "casual", chance.random())
        command = (
            Roll(turn.seat, any_dice(chance), choice.held)
            if isinstance(choice, RollChoice)
            else Score(turn.seat, choice.category)
        )
        following, game = advance(game, command, 0)
        events += following
    return events


def tables_mb() -> float:
    """The memory of the tables and distributions of all presets, their caches filled."""
    gc.collect()
    tracemalloc.start()
    kept = []
    for ruleset in RULESETS.values():
        known = Tables(ruleset)
        kept.append((known, Distributions(known)))
        for only in range(1, 4096, 13):
            _ = known.turn(only).policy
    gc.collect()
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return used / 1e6


def measure() -> list[Figure]:
    """All figures, each with its bound."""
    chance = random.Random(0)  # noqa: S311 - the same positions in each run, not secret ones
    solving = median(cpu_seconds(lambda: Tables(CLASSIC)) for _ in range(5))
    known = tables(CLASSIC)
    distributing = median(cpu_seconds(lambda: Distributions(known)) for _ in range(3))
    spread = distributions(CLASSIC)
    positions = [any_position(chance) for _ in range(POSITIONS)]
    advising = [cpu_ms_each(partial(advise, known, at)) for at in positions]
    tables_of_two = [[Standing(at.card, at), Standing(at.card)] for at in positions]
    betting = [cpu_ms_each(partial(odds, spread, seats)) for seats in tables_of_two]
    games = [two_player_game(chance) for _ in range(10)]
    reviewing = [cpu_ms_each(partial(review, known, events)) for events in games]
    uniform = np.random.default_rng(0).random
    playing = cpu_seconds(lambda: simulate(known, SIMULATED, "perfect", uniform))
    return [
        Figure("a ruleset solved, CPU", solving, 0.5, "s"),
        Figure("all its distributions, CPU", distributing, 3, "s"),
        Figure("advice once warm, CPU, median", median(advising), 1, "ms"),
        Figure("odds of two seats once warm, CPU, median", median(betting), 1, "ms"),
        Figure("review of two seats once warm, CPU, median", median(reviewing), 20, "ms"),
        Figure("perfect games", SIMULATED / playing, 1000, "a second of CPU", is_minimum=True),
        Figure("tables of all presets", tables_mb(), 40, "MB"),
    ]


def print_means(games: int) -> None:
    """What so many games of each level come to, for docs/strategy.md."""
    print(f"exact: {tables(CLASSIC).expected_total:.5f}")
    for level, temperature in TEMPERATURES.items():
        totals = simulate(tables(CLASSIC), games, level, np.random.default_rng(0).random)
        error = totals.std() / games**0.5
        print(
            f"{level} (temperature {temperature:g}): mean {totals.mean():.2f} +- {error:.2f}, "
            f"deviation {totals.std():.1f}"
        )


def main() -> int:
    """Measures and prints; the status is 1 where `--check` is given and a bound is missed."""
    parser = argparse.ArgumentParser(prog="python benchmarks/strategy_cpu.py", description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where a bound is missed")
    parser.add_argument("--means", type=int, metavar="N", help="simulate N games a level instead")
    options = parser.parse_args()
    if options.means:
        print_means(options.means)
        return 0
    figures = measure()
    print(*figures, sep="\n")
    return 1 if options.check and not all(figure.is_reached for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
