"""The page's programs before a proxy that goes wrong, and what they print when all went well."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from tests.terminal.faulty import Choose, Proxy, StreamFault, faulty, once_a_key

FAULTS: dict[str, Callable[[], Choose]] = {
    "answers are lost": lambda: once_a_key("cut"),
    "the server is busy": lambda: once_a_key("busy"),
}
BROKEN: tuple[StreamFault, ...] = ("none", "cut", "cut", "busy", "mute", "cut", "spent")
"""What becomes of the first streams, from number 0, which there is not; the others are sound."""
CUT_BYTES = 2_000
"""In the middle of an event, some events after the snapshot of a game of two."""
SCORES = 24
"""The moves that fill the cards of two seats."""


@contextmanager
def going_wrong(address: str, choose: Choose) -> Iterator[Proxy]:
    """A proxy that does so to the first try of each move, and breaks streams off."""
    with faulty(
        address,
        choose,
        lambda n: BROKEN[n] if n < len(BROKEN) else "none",
        cut_bytes=CUT_BYTES,
    ) as proxy:
        yield proxy


def assert_played(printed: str) -> None:
    """A stale move was refused, the game of two was played to its end, and so it was watched."""
    refused, ended, watched = printed.splitlines()
    assert refused == "stale-version"
    match = re.fullmatch(r"finished Ada: (\d+) Bo: (\d+)", ended)
    assert match, ended
    # Whoever keeps what there is most of and takes what brings most has far more than nothing.
    assert all(20 < int(total) < 298 for total in match.groups())
    assert watched == f"watched {match[1]} {match[2]}"


def assert_once(proxy: Proxy) -> None:
    """Each move was sent twice, by the same key, and counts once; streams were resumed."""
    keys = [key for _, path, key in proxy.seen if path.endswith("/scores")]
    assert len(set(keys)) == SCORES
    assert len(keys) == 2 * SCORES
    kinds = [event["type"] for event in events(proxy)]
    assert kinds.count("category_scored") == SCORES
    assert proxy.count_streams() > len(BROKEN)
    first, *later = proxy.last_ids
    assert first == ""
    assert sorted(map(int, later)) == [int(last) for last in later]


def events(proxy: Proxy) -> list[dict[str, Any]]:
    """The log of the only game that the program played through the proxy."""
    (game,) = {path.rsplit("/", 1)[0] for _, path, _ in proxy.seen if path.endswith("/rolls")}
    found: list[dict[str, Any]] = httpx.get(f"{proxy.url}{game}/events").json()["items"]
    return found
