"""The page's curl commands, run in order in one shell."""

from pathlib import Path

from tests.clients.page import program
from tests.docs.pages import README, blocks, read
from tests.docs.test_readme import shell


def test_the_commands_say_what_the_page_says(address: str, tmp_path: Path) -> None:
    setting_up, *_ = blocks(read(README), "sh")
    printed = shell(f"{setting_up}\n{program('sh')}", tmp_path, YACHT=address).splitlines()
    first, again, unchanged, refused = printed
    assert first == again
    assert (unchanged, refused) == ("304", "stale-version")
