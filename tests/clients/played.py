"""What the programs of the page print when all went well."""

import re


def assert_played(printed: str) -> None:
    """A stale move was refused, and the game of two was played to its end."""
    refused, ended = printed.splitlines()
    assert refused == "stale-version"
    match = re.fullmatch(r"finished Ada: (\d+) Bo: (\d+)", ended)
    assert match, ended
    # Whoever keeps what there is most of and takes what brings most has far more than nothing.
    assert all(20 < int(total) < 298 for total in match.groups())
