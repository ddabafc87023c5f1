"""Who waits for which game, and waking them. Holds no data: whoever is woken reads the log."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class TooManyStreamsError(Exception):
    """No more streams to this address (`is_address`), or from this process."""

    def __init__(self, *, is_address: bool) -> None:
        super().__init__(is_address)
        self.is_address = is_address


class Live:
    """The streams that are open in this process. Belongs to the event loop: not for other threads.

    ``per_address`` and ``per_process`` bound how many there may be; None: no bound.
    """

    def __init__(self, per_address: int | None, per_process: int | None) -> None:
        self._per_address = per_address
        self._per_process = per_process
        self._watchers: dict[str, set[asyncio.Event]] = {}
        self._addresses: Counter[str] = Counter()
        self.is_closing = False

    @property
    def count(self) -> int:
        """How many streams are open."""
        return self._addresses.total()

    def admit(self, address: str) -> None:
        """Do nothing if one more stream may be opened. Raises TooManyStreamsError if not."""
        if self._per_process is not None and self.count >= self._per_process:
            raise TooManyStreamsError(is_address=False)
        if self._per_address is not None and self._addresses[address] >= self._per_address:
            raise TooManyStreamsError(is_address=True)

    @contextmanager
    def watch(self, game_id: str, address: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever the game may have changed, and when the server closes."""
        event = asyncio.Event()
        watchers = self._watchers.setdefault(game_id, set())
        watchers.add(event)
        self._addresses[address] += 1
        try:
            yield event
        finally:
            self._addresses -= Counter([address])
            watchers.discard(event)
            if not watchers:
                self._watchers.pop(game_id, None)

    def wake(self, game_ids: Iterable[str]) -> None:
        """Wake whoever waits for one of the games."""
        for game_id in game_ids:
            for event in self._watchers.get(game_id, ()):
                event.set()

    def close(self) -> None:
        """End every stream, now and from now on."""
        self.is_closing = True
        self.wake(list(self._watchers))
