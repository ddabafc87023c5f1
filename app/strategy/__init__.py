"""Exact play: every ruleset solved, and what follows for advice, odds, review and bots.

Mathematics on the rules alone. It must not know the store, the wire or where dice come from, least
of all a seed: chance, where a bot or a simulation needs it, is passed in as numbers.

``tables(ruleset)`` and ``distributions(ruleset)`` compute at their first call, for tenths of a
second and for one or two seconds; call them off the event loop. All else takes a millisecond.
"""

from app.rules import Level
from app.strategy.advice import Advice, HoldRow, ScoreRow, advise
from app.strategy.bots import TEMPERATURES, choose
from app.strategy.distributions import Distributions, distributions
from app.strategy.odds import (
    SeatOdds,
    Standing,
    final_odds,
    odds,
    percentiles,
    standings,
    total_distribution,
    win_probabilities,
)
from app.strategy.opening import Opening, OpeningHold, OpeningScore, opening
from app.strategy.position import (
    Choice,
    Position,
    PositionCode,
    PositionError,
    RollChoice,
    ScoreChoice,
    check_points,
    possible_points,
)
from app.strategy.review import (
    Decision,
    RollLuck,
    RoundSum,
    SeatReview,
    costliest,
    review,
    round_sums,
)
from app.strategy.simulation import simulate
from app.strategy.solver import Tables, open_set, tables
from app.strategy.tips import TIP_CODES, Tip, TipCode, TipValue

__all__ = [
    "TEMPERATURES",
    "TIP_CODES",
    "Advice",
    "Choice",
    "Decision",
    "Distributions",
    "HoldRow",
    "Level",
    "Opening",
    "OpeningHold",
    "OpeningScore",
    "Position",
    "PositionCode",
    "PositionError",
    "RollChoice",
    "RollLuck",
    "RoundSum",
    "ScoreChoice",
    "ScoreRow",
    "SeatOdds",
    "SeatReview",
    "Standing",
    "Tables",
    "Tip",
    "TipCode",
    "TipValue",
    "advise",
    "check_points",
    "choose",
    "costliest",
    "distributions",
    "final_odds",
    "odds",
    "open_set",
    "opening",
    "percentiles",
    "possible_points",
    "review",
    "round_sums",
    "simulate",
    "standings",
    "tables",
    "total_distribution",
    "win_probabilities",
]
