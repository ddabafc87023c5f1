"""The one place where randomness enters: seeds, ids and tokens, all from the operating system."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def new_seed() -> bytes:
    """32 bytes from which every die of one game is drawn."""
    return secrets.token_bytes(32)


def new_token() -> str:
    """A bearer token: 256 random bits, URL-safe, 43 characters."""
    return secrets.token_urlsafe(32)


def new_id(at: int) -> str:
    """A UUIDv7 (RFC 9562) for the time ``at`` in milliseconds; its 74 other bits are random.

    The standard library's own version 7 counts within a millisecond, which would let whoever
    holds one id guess its neighbours.
    """
    random = secrets.randbits(74)
    value = (at & 0xFFFF_FFFF_FFFF) << 80 | 0x7 << 76 | (random >> 62) << 64
    value |= 0b10 << 62 | random & (1 << 62) - 1
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def new_request_id() -> str:
    """A name for one request in answers and logs, 16 hexadecimal digits."""
    return secrets.token_hex(8)


def new_draw() -> float:
    """A uniform number in [0, 1), in steps of 2 to the power of -53."""
    return secrets.randbits(53) / 2**53


def new_draws() -> "Callable[[int], NDArray[np.float64]]":
    """A source of so many uniform numbers in [0, 1) at once, for simulations."""
    import numpy as np  # noqa: PLC0415 - a server that never simulates does without

    return np.random.default_rng(secrets.randbits(256)).random
