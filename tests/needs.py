"""What a test needs of the machine beside Python, and what happens where it is missing."""

import os
from typing import NoReturn

import pytest


def lacking(reason: str) -> NoReturn:
    """Skip the test, or fail it where nothing may be skipped: YACHT_TEST_REQUIRE_ALL=1."""
    if os.environ.get("YACHT_TEST_REQUIRE_ALL") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def registries() -> None:
    """Skip where packages would be installed, which takes minutes, and something may be skipped."""
    if os.environ.get("YACHT_TEST_REQUIRE_ALL") != "1":
        pytest.skip("installs packages from registries; YACHT_TEST_REQUIRE_ALL=1 runs it")
