"""Review: what each decision of a game has cost, and what the dice brought. Reads events alone.

A seat's total is what perfect play expects of a new card, plus luck, minus loss: luck is by how
much each roll was worth more than had been expected of it, loss by how much each decision was
worth less than the best one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from app.rules import (
    CARD,
    CategoryScored,
    DiceRolled,
    Event,
    Game,
    GameCreated,
    Scorecard,
    create,
    evolve,
)
from app.strategy.choices import choice, choices_after
from app.strategy.multisets import keep_number, roll_number
from app.strategy.position import Choice, RollChoice, ScoreChoice
from app.strategy.solver import TIE, Tables, open_set


@dataclass(frozen=True, slots=True)
class Decision:
    """What was done after roll ``roll``, by the event ``seq``; ``loss`` is against the best."""

    seq: int
    round: int
    roll: int
    chosen: Choice
    best: Choice
    loss: float


@dataclass(frozen=True, slots=True)
class RollLuck:
    """By how much a roll, the event ``seq``, was worth more than had been expected of it."""

    seq: int
    round: int
    roll: int
    luck: float


@dataclass(frozen=True, slots=True)
class RoundSum:
    """Luck and loss of one round."""

    round: int
    luck: float
    loss: float


@dataclass(frozen=True, slots=True)
class SeatReview:
    """A seat's game; expectation, luck and loss are None where its card is not full."""

    seat: int
    total: int
    expectation: float | None
    luck: float | None
    loss: float | None
    decisions: tuple[Decision, ...]
    rolls: tuple[RollLuck, ...]


@dataclass(slots=True)
class _Record:
    """What is known of a seat while its game is read."""

    decisions: list[Decision] = field(default_factory=list)
    rolls: list[RollLuck] = field(default_factory=list)

    def reviewed(self, tables: Tables, seat: int, card: Scorecard) -> SeatReview:
        expectation = luck = loss = None
        if card.filled == len(CARD):
            expectation = tables.expected_total
            luck = sum(roll.luck for roll in self.rolls)
            loss = sum(decision.loss for decision in self.decisions)
        return SeatReview(
            seat, card.total, expectation, luck, loss, tuple(self.decisions), tuple(self.rolls)
        )


def review(tables: Tables, events: Iterable[Event]) -> tuple[SeatReview, ...]:
    """The review of each seat, from the events of a game by the tables' ruleset.

    A roll after which nothing was done any more, since a seat gave up or the game was over, makes
    no decision.
    """
    first, *rest = events
    if not isinstance(first, GameCreated):
        raise TypeError(f"a game begins with game_created, not {first.type}")
    game = create(first)
    records: dict[int, _Record] = {}
    for event in rest:
        match event:
            case DiceRolled():
                record = records.setdefault(event.seat, _Record())
                _read_roll(tables, game, event, record)
            case CategoryScored():
                _read_score(tables, game, event, records[event.seat])
            case _:
                pass
        game = evolve(game, event)
    return tuple(
        records.get(index, _Record()).reviewed(tables, index, seat.card)
        for index, seat in enumerate(game.seats)
    )


def round_sums(reviewed: SeatReview) -> tuple[RoundSum, ...]:
    """Luck and loss of each round in which the seat has rolled, in order."""
    rounds = dict.fromkeys(roll.round for roll in reviewed.rolls)
    return tuple(
        RoundSum(
            number,
            sum(roll.luck for roll in reviewed.rolls if roll.round == number),
            sum(decision.loss for decision in reviewed.decisions if decision.round == number),
        )
        for number in rounds
    )


def costliest(decisions: Sequence[Decision], count: int = 3) -> tuple[Decision, ...]:
    """The decisions that lost most, at most ``count`` and only those that lost anything.

    Of decisions that lost the same the earlier ones come first.
    """
    lost = [decision for decision in decisions if decision.loss > 0]
    return tuple(sorted(lost, key=lambda decision: (-decision.loss, decision.seq))[:count])


def _read_roll(tables: Tables, game: Game, event: DiceRolled, record: _Record) -> None:
    turn = game.open_turn
    only = open_set(game.seats[event.seat].card)
    if turn.dice is None:
        expected = float(tables.values[only])
    else:
        keep = keep_number(turn.dice, event.held)
        expected = float(tables.turn(only).held[turn.rolls_left - 1][keep, 0])
        record.decisions.append(_decision(tables, game, event, RollChoice(event.held), expected))
    rolled = tables.turn(only).rolled[turn.rolls_left - 1]
    luck = float(rolled[roll_number(event.dice), 0]) - expected
    record.rolls.append(RollLuck(event.seq, event.round, event.roll, luck))


def _read_score(tables: Tables, game: Game, event: CategoryScored, record: _Record) -> None:
    only = open_set(game.seats[event.seat].card)
    later = tables.turn(only).later[CARD.index(event.category), 0]
    chosen = ScoreChoice(event.category)
    record.decisions.append(_decision(tables, game, event, chosen, event.points + float(later)))


def _decision(
    tables: Tables, game: Game, event: DiceRolled | CategoryScored, chosen: Choice, value: float
) -> Decision:
    turn = game.open_turn
    dice = turn.dice
    assert dice is not None
    only = open_set(game.seats[event.seat].card)
    found = choices_after(tables, only, roll_number(dice), turn.rolls_left)
    best = int(found.best[0])
    loss = float(np.max(found.values)) - value
    return Decision(
        seq=event.seq,
        round=event.round,
        roll=turn.rolls_used,
        chosen=chosen,
        best=choice(int(found.codes[0, best]), dice),
        loss=loss if loss > TIE else 0.0,
    )
