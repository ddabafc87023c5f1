"""What thinking costs a server: its other answers no time, and nothing where nobody asks."""

import json
import subprocess
import sys
from pathlib import Path
from statistics import quantiles
from threading import Thread
from time import perf_counter

import httpx
import pytest

from app.rules import RULESETS
from tests.process.server import serving
from tests.table import CATEGORIES, ME, Visitor, bot

ROOT = Path(__file__).parents[2]
QUICK_SECONDS = 0.05
SLOW_SECONDS = 0.25
"""What a machine that is busy with other work may make of a few answers in a hundred."""
SEVEN = [bot(level) for level in ("perfect", "expert", "casual", "novice") * 2][:7]

ASKING_MORE_AND_MORE = """
import json, sys
from pathlib import Path
from app.rules import RULESETS
from app.strategy import distributions, tables
from tests.conftest import serving
from tests.table import ME, OPEN, bot, path_of

def made():
    print(json.dumps([[slug for slug, ruleset in RULESETS.items() if known.ready(ruleset)]
                      for known in (tables, distributions)]))

with serving(Path(sys.argv[1])) as guest:
    ada = guest.player()
    game = ada.resign(ada.turn(ada.turn(ada.open())))
    for below in ("", "/events", "/fairness", "/export", "/stream"):
        assert guest.get(path_of(game, below)).is_success
    assert guest.post("/v1/rulesets/classic/scores", {"dice": [1, 2, 3, 4, 5]}).is_success
    ada.open(bot("perfect"), ME, OPEN)
    made()
    ada.open(bot("perfect"), ME, ruleset="fixed-house")
    made()
    assert guest.get(path_of(ada.open(), "/advice")).is_success
    assert guest.get(path_of(game, "/odds")).is_success
    assert guest.get(path_of(game, "/review")).is_success
    made()
"""


def test_what_nobody_asks_for_is_never_computed(tmp_path: Path) -> None:
    """A new process: people alone need no tables, a bot's first move needs those of its ruleset."""
    told = subprocess.run(
        [sys.executable, "-c", ASKING_MORE_AND_MORE, tmp_path / "yacht.db"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert [json.loads(line) for line in told.stdout.splitlines()] == [
        [[], []],
        [["fixed-house"], []],
        [["classic", "fixed-house"], []],
    ]


def play_with_seven_bots(url: str, ruleset: str) -> None:
    with httpx.Client(base_url=url, timeout=30) as http:
        host = Visitor(http).player()
        game = host.open(ME, *SEVEN, ruleset=ruleset)
        for category in CATEGORIES:
            game = host.turn(game, category)
        assert game["status"] == "finished"
        assert all(None not in seat["scorecard"].values() for seat in game["seats"])


@pytest.mark.clock
def test_seven_bots_think_and_health_answers_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """While a host and seven bots play a whole game, others are answered within 50 ms.

    In each of four games, for the first of which exact play is loaded, and for each a ruleset
    solved. Where thinking made others wait, it would do so with each of the host's turns, and at
    length where something is loaded or solved; a busy machine does so seldom, and not for long.
    """
    most, slowest = [], []
    with serving(tmp_path) as server, server.client() as health:
        health.call("GET", "/healthz")
        for ruleset in RULESETS:
            url = f"http://127.0.0.1:{server.port}"
            playing = Thread(target=play_with_seven_bots, args=(url, ruleset))
            times = []
            playing.start()
            while playing.is_alive():
                begun = perf_counter()
                assert health.call("GET", "/healthz").status == 200
                times.append(perf_counter() - begun)
                playing.join(0.002)
            assert len(times) > 50
            most.append(quantiles(times, n=50)[-1])
            slowest.append(max(times))
    with capsys.disabled():
        sys.stdout.write(f"\nslowest health beside seven bots: {max(slowest) * 1000:.1f} ms\n")
    assert max(most) <= QUICK_SECONDS
    assert max(slowest) <= SLOW_SECONDS
