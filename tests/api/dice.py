"""Seeds with which a server draws the dice that a test needs."""

from collections.abc import Callable, Iterator
from itertools import count

from app import fairness
from app.rules import Dice

Wanted = Callable[[bytes], bool]


def seeds() -> Iterator[bytes]:
    """Seeds without end, always the same ones."""
    return (number.to_bytes(32) for number in count())


def seed_where(wanted: Wanted) -> bytes:
    """The first seed that is as wanted."""
    return next(seed for seed in seeds() if wanted(seed))


def drawn(seed: bytes, seat: int, round_: int, roll: int, entropy: str = "") -> Dice:
    """What a seed draws for a roll."""
    return fairness.draw(seed, entropy, seat, round_, roll)
