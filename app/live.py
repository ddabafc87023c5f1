"""Who waits for which game, and waking them. Holds no data: whoever is woken reads the log."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

PING_SECONDS = 14.0
LIFE_SECONDS = 14 * 60.0


class TooManyStreamsError(Exception):
    """No more streams to this address (`is_address`), or from this process."""

    def __init__(self, *, is_address: bool) -> None:
        super().__init__(is_address)
        self.is_address = is_address


class Live:
    """The streams that are open in this process. Belongs to the event loop: not for other threads.

    ``per_address`` and ``per_process`` bound how many there may be; None: no bound. A stream that
    has nothing to say says so every ``ping_seconds``, and none lasts longer than ``life_seconds``.
    """

    def __init__(
        self,
        per_address: int | None = None,
        per_process: int | None = None,
        *,
        ping_seconds: float = PING_SECONDS,
        life_seconds: float = LIFE_SECONDS,
    ) -> None:
        self._per_address = per_address
        self._per_process = per_process
        self._watchers: dict[str, set[asyncio.Event]] = {}
        self._addresses: Counter[str] = Counter()
        self.ping_seconds = ping_seconds
        self.life_seconds = life_seconds
        self.count = 0
        self.changes = 0
        """Rises with every change of any game."""
        self.is_closing = False

    @contextmanager
    def watch(self, game_id: str, address: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever the game may have changed, and when the server closes.

        Raises TooManyStreamsError where that would be one stream more than there may be.
        """
        self._admit(address)
        event = asyncio.Event()
        watchers = self._watchers.setdefault(game_id, set())
        watchers.add(event)
        self.count += 1
        self._addresses[address] += 1
        try:
            yield event
        finally:
            self.count -= 1
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]
            watchers.discard(event)
            if not watchers:
                del self._watchers[game_id]

    def wake(self, game_ids: Iterable[str]) -> None:
        """Wake whoever waits for one of the games."""
        self.changes += 1
        for game_id in game_ids:
            for event in self._watchers.get(game_id, ()):
                event.set()

    def close(self) -> None:
        """End every stream, now and from now on."""
        self.is_closing = True
        self.wake(list(self._watchers))

    def _admit(self, address: str) -> None:
        if self._per_process is not None and self.count >= self._per_process:
            raise TooManyStreamsError(is_address=False)
        if self._per_address is not None and self._addresses.get(address, 0) >= self._per_address:
            raise TooManyStreamsError(is_address=True)
