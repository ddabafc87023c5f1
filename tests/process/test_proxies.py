"""Whose X-Forwarded-For counts: a trusted proxy's and nobody else's."""

import sys
from collections.abc import Iterator

import pytest

from tests.process.client import Reply
from tests.process.server import Server, serving

QUOTA = 20
CALLS = 2 * QUOTA + 2
"""So many within two windows of a minute go past the quota in one of them."""
PROXY = "127.0.0.2"
behind_a_proxy = pytest.mark.skipif(
    sys.platform != "linux", reason="needs a second address on the loopback"
)


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a quota that trusts one proxy."""
    folder = tmp_path_factory.mktemp("limited")
    with serving(folder, rate_limit=QUOTA, trusted_proxies=f"{PROXY}/32") as server:
        yield server


def call(server: Server, source: str, *forwarded: str) -> list[Reply]:
    """The answers to calls from this address, each with its own X-Forwarded-For."""
    with server.client(source) as client:
        return [client.call("GET", "/healthz", x_forwarded_for=value) for value in forwarded]


def test_a_stranger_cannot_buy_calls_with_a_header(limited: Server) -> None:
    replies = call(limited, "127.0.0.1", *[f"203.0.113.{i}" for i in range(CALLS)])
    refused = [reply for reply in replies if reply.status == 429]
    assert refused
    assert {reply.status for reply in replies} <= {200, 429}
    assert refused[0].json["code"] == "rate-limited"
    assert 1 <= int(refused[0].headers["retry-after"]) <= 60


@behind_a_proxy
def test_each_address_behind_a_trusted_proxy_has_a_quota_of_its_own(limited: Server) -> None:
    replies = call(limited, PROXY, *[f"203.0.113.{i}" for i in range(CALLS)])
    assert [reply.status for reply in replies] == [200] * CALLS


@behind_a_proxy
def test_an_address_behind_a_trusted_proxy_is_limited(limited: Server) -> None:
    replies = call(limited, PROXY, *["198.51.100.1"] * CALLS)
    assert 429 in {reply.status for reply in replies}


@behind_a_proxy
def test_what_the_proxy_was_told_by_a_stranger_does_not_count(limited: Server) -> None:
    """A proxy adds the address it sees at the end; what stands before it is hearsay."""
    replies = call(limited, PROXY, *[f"203.0.113.{i}, 198.51.100.2" for i in range(CALLS)])
    assert 429 in {reply.status for reply in replies}


@behind_a_proxy
@pytest.mark.parametrize("value", ["", ",", "unknown", "a" * 5000, "::1]:x", "1.2.3.4:99999, \t"])
def test_a_header_that_is_no_address_hurts_nobody(limited: Server, value: str) -> None:
    [reply] = call(limited, PROXY, value)
    assert reply.status in (200, 429)
