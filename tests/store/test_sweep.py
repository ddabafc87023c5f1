"""The sweep goes on, whatever is wrong with one game, and tells what is wrong once."""

import asyncio
import logging

import pytest

from app import play
from app.config import Settings
from app.store.command import Command, Outcome, Unavailable
from app.store.ledger import Ledger
from app.store.reader import Reader
from app.sweep import sweep
from app.thinking import Thinker
from tests.store.conftest import Clock
from tests.store.desk import ME, Desk, open_game

pytestmark = pytest.mark.anyio


class Ailing(Thinker):
    """Fails for the game `ill`, and counts how often."""

    def __init__(self, ledger: Ledger, error: Exception) -> None:
        super().__init__(ledger)
        self._error = error
        self.failures = 0
        self.has_failed_often = asyncio.Event()

    async def submit(self, command: Command) -> Outcome:
        if command.verb is play.expire and command.game_id == "ill":
            self.failures += 1
            if self.failures == 5:
                self.has_failed_often.set()
            raise self._error
        return await super().submit(command)


@pytest.mark.parametrize(
    ("error", "told"), [(ArithmeticError("ill"), 1), (Unavailable(), 0)], ids=["fault", "busy"]
)
async def test_others_are_served_and_the_log_is_not_flooded(
    desk: Desk,
    ledger: Ledger,
    clock: Clock,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    told: int,
) -> None:
    for game in ("ill", "well"):
        await ledger.submit(open_game("Ada", game, ME, turn_seconds=60))
    clock.now += 61_000
    thinker, reader = Ailing(ledger, error), Reader(desk.database.reading)
    with caplog.at_level(logging.ERROR):
        sweeping = asyncio.create_task(sweep(thinker, reader, clock, Settings(), 0.01))
        async with asyncio.timeout(20):
            await thinker.has_failed_often.wait()
        sweeping.cancel()
        await asyncio.wait([sweeping])
    reader.stop()
    thinker.stop()
    assert caplog.text.count("a sweep failed") == told
    assert desk.kept("well").game.round == 2
    assert desk.kept("ill").game.round == 1
