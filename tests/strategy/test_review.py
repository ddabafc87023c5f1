"""Review: luck and loss add up, and each decision is held against the advice for it."""

from random import Random

import pytest

from app.rules import (
    RULESETS,
    CategoryScored,
    DiceRolled,
    Event,
    Game,
    Scorecard,
    create,
    evolve,
)
from app.rules.events import GameCreated
from app.strategy import (
    Level,
    Position,
    RollChoice,
    ScoreChoice,
    SeatReview,
    advise,
    costliest,
    review,
    round_sums,
)
from app.strategy.solver import tables
from tests.builders import created
from tests.strategy.games import play_game


def played(
    seed: int, *levels: Level, slug: str = "classic", resigning: int | None = None
) -> tuple[list[Event], Game, tuple[SeatReview, ...]]:
    """A game of these levels, and its review."""
    known = tables(RULESETS[slug])
    names = ("Ada", "Bo", "Cy")[: len(levels)]
    opening = created(*names, ruleset=slug)
    events, game = play_game(known, opening, levels, Random(seed), resigning=resigning)
    return events, game, review(known, events)


@pytest.mark.parametrize("slug", RULESETS)
def test_a_total_is_expectation_plus_luck_minus_loss(slug: str) -> None:
    for seed in range(3):
        _, game, seats = played(seed, "novice", "expert", slug=slug)
        for seat, reviewed in zip(game.seats, seats, strict=True):
            assert reviewed.expectation == tables(RULESETS[slug]).expected_total
            assert reviewed.luck is not None
            assert reviewed.loss is not None
            found = reviewed.expectation + reviewed.luck - reviewed.loss
            assert reviewed.total == seat.card.total
            assert found == pytest.approx(reviewed.total, abs=1e-6)


def test_a_perfect_game_loses_nothing() -> None:
    _, _, (seat,) = played(5, "perfect")
    assert seat.loss == 0
    assert all(decision.chosen == decision.best for decision in seat.decisions)
    assert costliest(seat.decisions) == ()


def test_each_roll_has_one_decision_with_the_event_that_made_it() -> None:
    events, _, seats = played(6, "casual", "novice")
    by_seq = {event.seq: event for event in events}
    for reviewed in seats:
        rolls = [e for e in events if isinstance(e, DiceRolled) and e.seat == reviewed.seat]
        assert [(r.round, r.roll) for r in rolls] == [(d.round, d.roll) for d in reviewed.decisions]
        assert [r.seq for r in rolls] == [r.seq for r in reviewed.rolls]
        for decision in reviewed.decisions:
            event = by_seq[decision.seq]
            assert event.seat == reviewed.seat
            if isinstance(decision.chosen, RollChoice):
                assert isinstance(event, DiceRolled)
                assert (event.roll, event.held) == (decision.roll + 1, decision.chosen.held)
            else:
                assert isinstance(event, CategoryScored)
                assert event.category == decision.chosen.category


def test_each_decision_loses_what_the_advice_for_its_position_says() -> None:
    """The game is read a second time, and advice is asked after each roll."""
    known = tables(RULESETS["classic"])
    events, _, seats = played(7, "novice", "casual")
    decisions = {decision.seq: decision for seat in seats for decision in seat.decisions}
    first, *rest = events
    assert isinstance(first, GameCreated)
    game, compared = create(first), 0
    for event in rest:
        if event.seq in decisions:
            turn = game.open_turn
            at = Position(game.seats[turn.seat].card, turn.dice, turn.rolls_left)
            advice, decision = advise(known, at), decisions[event.seq]
            assert decision.best == advice.best
            assert decision.loss == pytest.approx(_loss(at, decision.chosen), abs=1e-9)
            compared += 1
        game = evolve(game, event)
    assert compared == len(decisions) > 50


def _loss(at: Position, chosen: RollChoice | ScoreChoice) -> float:
    advice = advise(tables(RULESETS["classic"]), at)
    assert at.dice is not None
    if isinstance(chosen, ScoreChoice):
        return next(row.loss for row in advice.scores if row.category == chosen.category)
    kept = sorted(face for face, stays in zip(at.dice, chosen.held, strict=True) if stays)
    return next(row.loss for row in advice.holds if list(row.kept) == kept)


def test_a_seat_that_gave_up_has_decisions_but_no_sums() -> None:
    """It gives up with dice on the table: that roll makes no decision."""
    events, game, seats = played(8, "casual", "casual", "casual", resigning=1)
    given_up = seats[1]
    assert game.seats[1].state == "resigned"
    assert (given_up.expectation, given_up.luck, given_up.loss) == (None, None, None)
    assert given_up.total == game.seats[1].card.total
    rolls = [e for e in events if isinstance(e, DiceRolled) and e.seat == 1]
    assert len(given_up.decisions) == len(rolls) - 1
    assert seats[0].luck is not None


def test_a_seat_that_never_rolled_has_an_empty_review() -> None:
    (seat,) = review(tables(RULESETS["classic"]), [created("Ada")])
    assert (seat.total, seat.luck, seat.decisions) == (Scorecard().total, None, ())


def test_sums_by_round_add_up_to_the_sums_of_the_game() -> None:
    _, _, (seat, _) = played(9, "novice", "casual")
    sums = round_sums(seat)
    assert [row.round for row in sums] == list(range(1, 13))
    assert sum(row.luck for row in sums) == pytest.approx(seat.luck)
    assert sum(row.loss for row in sums) == pytest.approx(seat.loss)


def test_the_costliest_decisions_are_the_three_that_lost_most() -> None:
    _, _, (seat,) = played(10, "novice")
    losses = sorted((decision.loss for decision in seat.decisions), reverse=True)
    assert [decision.loss for decision in costliest(seat.decisions)] == losses[:3]
    assert len(costliest(seat.decisions, 5)) == 5


def test_a_review_begins_with_the_game() -> None:
    events, _, _ = played(5, "perfect")
    with pytest.raises(TypeError, match="begins with game_created"):
        review(tables(RULESETS["classic"]), events[1:])
