"""The page's curl commands, run in order in one shell."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.page import program
from tests.clients.played import FAULTS, events, going_wrong
from tests.docs.pages import README, blocks, read
from tests.docs.test_readme import shell
from tests.terminal.faulty import Proxy, faulty


@pytest.fixture(params=["nothing", *FAULTS])
def proxy(request: pytest.FixtureRequest, address: str) -> Iterator[Proxy]:
    """Before the server: nothing goes wrong, or with every move something does."""
    fault = request.param
    with faulty(address) if fault == "nothing" else going_wrong(address, FAULTS[fault]()) as before:
        yield before


def test_the_commands_say_what_the_page_says(proxy: Proxy, tmp_path: Path) -> None:
    setting_up, *_ = blocks(read(README), "sh")
    printed = shell(f"{setting_up}\n{program('sh')}", tmp_path, YACHT=proxy.url).splitlines()
    followed = [json.loads(line) for line in printed if line.startswith("{")]
    first, again, unchanged, refused, ended = (line for line in printed if line[0] != "{")
    assert first == again
    assert (unchanged, refused, ended) == ("304", "stale-version", "finished")
    log = events(proxy)
    assert [event["type"] for event in log].count("dice_rolled") == 1
    snapshot, *following = followed
    assert following == log[snapshot["version"] :]
