"""What `yacht solve` prints: a ruleset's value, its first turns, its last categories, its bots."""

from collections.abc import Iterator
from typing import get_args

import numpy as np

from app.locale import text
from app.rules import RULESETS, Level
from app.strategy import Opening, opening, simulate, tables
from app.strategy.simulation import Uniform

ROWS = 10
"""How many of the best first holds are shown."""


def solved(slug: str) -> Iterator[str]:
    """The lines about a ruleset."""
    found = opening(tables(RULESETS[slug]))
    yield f"{slug}: expected total under perfect play {found.expected_total:.11f}"
    yield ""
    yield from _first_turn(found)
    yield ""
    yield "What a turn brings in a category that is the only one left:"
    for category, value in found.last_categories.items():
        yield f"  {text(f'category.{category}.name'):<16} {value:6.2f}"


def simulated(slug: str, games: int, uniform: Uniform) -> Iterator[str]:
    """The lines about how bots of each level fare, by playing so many games of each."""
    solved_tables = tables(RULESETS[slug])
    yield ""
    yield f"Totals of {games} simulated games a level:"
    for level in get_args(Level):
        totals = simulate(solved_tables, games, level, uniform)
        error = float(np.std(totals)) / games**0.5
        yield f"  {level:<8} mean {float(np.mean(totals)):6.2f} +- {error:.2f}"


def _first_turn(found: Opening) -> Iterator[str]:
    yield "The best that a first roll can be followed by:"
    best: list[tuple[float, str]] = [
        (row.expected_total, f"keep {' '.join(map(str, row.kept)) or 'nothing'}")
        for row in found.holds
    ]
    best += [
        (row.expected_total, f"score {text(f'category.{row.category}.name')} for {row.points}")
        for row in found.scores
    ]
    for value, action in sorted(best, reverse=True)[:ROWS]:
        yield f"  {action:<32} {value:7.2f}"
