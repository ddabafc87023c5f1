"""How many requests an address may make. Counts only, and knows nothing of answers."""

from time import monotonic
from typing import NamedTuple

WINDOW_SECONDS = 60


class Allowance(NamedTuple):
    """What is left to an address: requests, and seconds until the count begins anew."""

    remaining: int
    reset_seconds: int

    @property
    def is_spent(self) -> bool:
        """Whether this request is one too many."""
        return self.remaining < 0


class RateLimit:
    """Counts the requests of each address in windows of a minute, in this process's memory."""

    def __init__(self, quota: int) -> None:
        self.quota = quota
        self._window = -1
        self._counts: dict[str, int] = {}

    def take(self, address: str) -> Allowance:
        """Count one request of the address."""
        window, second = divmod(int(monotonic()), WINDOW_SECONDS)
        if window != self._window:
            self._window = window
            self._counts.clear()
        count = self._counts[address] = self._counts.get(address, 0) + 1
        return Allowance(self.quota - count, WINDOW_SECONDS - second)
