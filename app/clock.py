"""The one place where time enters."""

import time


def now() -> int:
    """Milliseconds since 1970-01-01 in UTC."""
    return time.time_ns() // 1_000_000
