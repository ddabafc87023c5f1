"""Odds: how each seat's total will come out, and who wins, under perfect play. Knows no events.

Every seat is taken to maximise its own expected total, whatever the others have.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from app.rules import Game, Scorecard
from app.strategy.distributions import Distributions
from app.strategy.multisets import FloatArray, roll_number
from app.strategy.position import Position
from app.strategy.solver import open_set

PERCENTILES = (5, 25, 50, 75, 95)
_ROUNDING = 1e-12

# Gauss's points and weights for integrals from 0 to 1: exact for products of seven factors, which
# is what a seat with seven opponents needs.
_NODES, _WEIGHTS = (array / 2 for array in np.polynomial.legendre.leggauss(4))
_NODES = _NODES + 0.5
MOST_SEATS = 8


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a seat stands: its card, its dice and rolls where it is on turn, or its resignation."""

    card: Scorecard
    turn: Position | None = None
    is_playing: bool = True


@dataclass(frozen=True, slots=True)
class SeatOdds:
    """What is to be expected of a seat; ``percentiles`` from p5 to p95."""

    seat: int
    expected_total: float
    percentiles: Mapping[str, int]
    win_probability: float


def standings(game: Game) -> tuple[Standing, ...]:
    """Where the seats of an active game stand."""
    on_turn = game.open_turn
    return tuple(
        Standing(
            seat.card,
            Position(seat.card, on_turn.dice, on_turn.rolls_left)
            if index == on_turn.seat
            else None,
            seat.is_playing,
        )
        for index, seat in enumerate(game.seats)
    )


def odds(known: Distributions, seats: Sequence[Standing]) -> tuple[SeatOdds, ...]:
    """The odds of one to eight seats; a tie is shared, a seat that gave up wins with chance 0."""
    totals = [total_distribution(known, seat) for seat in seats]
    playing = [index for index, seat in enumerate(seats) if seat.is_playing]
    wins = dict(zip(playing, win_probabilities([totals[i] for i in playing]), strict=True))
    return tuple(
        SeatOdds(
            seat=index,
            expected_total=float(chances @ np.arange(len(chances))),
            percentiles=percentiles(chances),
            win_probability=wins.get(index, 0.0),
        )
        for index, chances in enumerate(totals)
    )


def final_odds(game: Game) -> tuple[SeatOdds, ...]:
    """The odds of an ended game: the totals as they are, and 1/k for each of k winners."""
    winners = game.winners
    return tuple(
        SeatOdds(
            seat=index,
            expected_total=float(seat.card.total),
            percentiles=percentiles(_certain(seat.card.total)),
            win_probability=1 / len(winners) if index in winners else 0.0,
        )
        for index, seat in enumerate(game.seats)
    )


def total_distribution(known: Distributions, seat: Standing) -> FloatArray:
    """The distribution of the seat's final total: entry ``t`` is the chance of ``t`` points.

    A seat that gave up keeps the points it has.
    """
    if not seat.is_playing:
        return _certain(seat.card.total)
    only = open_set(seat.card)
    if seat.turn is None or seat.turn.dice is None:
        to_come = known.to_come(only)
    else:
        to_come = known.to_come_from(only, roll_number(seat.turn.dice), seat.turn.rolls_left)
    return np.concatenate([np.zeros(seat.card.total), to_come])


def percentiles(chances: FloatArray) -> Mapping[str, int]:
    """For each N the smallest total t for which P(total <= t) is at least N/100."""
    reached = np.cumsum(chances)
    wanted = np.array(PERCENTILES) / 100 - _ROUNDING
    found = np.searchsorted(reached, wanted).tolist()
    return MappingProxyType({f"p{n}": t for n, t in zip(PERCENTILES, found, strict=True)})


def win_probabilities(totals: Sequence[FloatArray]) -> list[float]:
    """The chance of each of up to eight independent totals to be highest, 1/k of a k-way tie.

    With total t a seat wins its share of all the cases in which no other is above. Where the
    others are below with chance ``b`` and level with chance ``e``, that share is the integral over
    x from 0 to 1 of the product of all their ``b + e x``: k - 1 factors ``e x`` give 1/k.
    """
    if len(totals) > MOST_SEATS:
        raise ValueError(f"more than {MOST_SEATS} seats")
    if not totals:
        return []
    level = np.zeros((len(totals), max(map(len, totals))))
    for row, chances in zip(level, totals, strict=True):
        row[: len(chances)] = chances
    below = np.cumsum(level, axis=1) - level
    factors = below + _NODES[:, None, None] * level  # (nodes, seats, totals)
    ones = np.ones((len(_NODES), 1, level.shape[1]))
    before = np.cumprod(np.concatenate([ones, factors[:, :-1]], axis=1), axis=1)
    after = np.cumprod(np.concatenate([ones, factors[:, :0:-1]], axis=1), axis=1)[:, ::-1]
    shares = np.einsum("x,xst,st->s", _WEIGHTS, before * after, level)
    return [float(share) for share in shares]


def _certain(total: int) -> FloatArray:
    chances = np.zeros(total + 1)
    chances[total] = 1.0
    return chances
