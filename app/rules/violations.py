"""Why a command is refused: one class a reason, one code a class, in the order they are checked.

RuleViolation
├── NotStarted, AlreadyStarted, NotFinished, GameOver    the game is not at that stage
├── NotYourTurn, TooLate                      another's turn, or no longer one's own
├── RollFirst, NoRollsLeft                    the turn is not at that stage
├── AllDiceHeld, CategoryUsed                 the choice itself
└── AlreadySeated, AlreadyResigned, HostMustCancel, EntropyClosed
"""

from typing import ClassVar


class RuleViolation(Exception):
    """A command that the rules refuse; nothing has changed."""

    code: ClassVar[str]


class NotStarted(RuleViolation):
    """The game still waits for players."""

    code = "not-started"


class AlreadyStarted(RuleViolation):
    """The game no longer waits for players."""

    code = "already-started"


class NotFinished(RuleViolation):
    """The game has not been played to its end."""

    code = "not-finished"


class GameOver(RuleViolation):
    """The game is finished or cancelled."""

    code = "game-over"


class NotYourTurn(RuleViolation):
    """Another seat is on turn: ``seat``."""

    code = "not-your-turn"

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


class TooLate(RuleViolation):
    """The time for the turn is up; the clock has played it."""

    code = "turn-expired"


class RollFirst(RuleViolation):
    """The turn has no dice yet, so there is nothing to hold or to score."""

    code = "roll-first"


class NoRollsLeft(RuleViolation):
    """All three rolls of the turn are used."""

    code = "no-rolls-left"


class AllDiceHeld(RuleViolation):
    """A roll in which no die would move."""

    code = "all-dice-held"


class CategoryUsed(RuleViolation):
    """The category is filled, zero included, and closed for good."""

    code = "category-used"


class AlreadySeated(RuleViolation):
    """The player has a seat in this game."""

    code = "already-seated"


class AlreadyResigned(RuleViolation):
    """The seat has given up before."""

    code = "already-resigned"


class HostMustCancel(RuleViolation):
    """A host cannot leave a waiting game, only cancel it."""

    code = "host-must-cancel"


class EntropyClosed(RuleViolation):
    """The first dice have been rolled, so nobody may add to the draw any more."""

    code = "entropy-closed"
