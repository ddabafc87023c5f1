"""The README and the page for operators: their commands run against a real server, in order."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from app.config import Settings
from app.fairness import verify_document
from app.rules import fold, parse_game
from tests.docs.pages import (
    FAIRNESS,
    OPERATE,
    PAGES,
    README,
    ROOT,
    blocks,
    links,
    page_id,
    read,
    rows,
    section,
    span,
)
from tests.docs.test_pages import commands

TEXT = read(README)
OPERATED = read(OPERATE)
PLAYED = ("Play a game", "Play together", "When something goes wrong")
"""The sections whose sh blocks are run; the first contains the others."""
ANY_GAME = "http://localhost:8000/v1/games/GAME_ID"
START_SECONDS = 30
BIN = Path(sys.executable).parent


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server on a free port, its database in the folder."""
    log = folder / "log.txt"
    with log.open("wb") as stderr:
        server = subprocess.Popen(
            [BIN / "yacht", "serve", "--port", "0"], cwd=folder, stderr=stderr, env=environment()
        )
    try:
        yield address(server, log)
    finally:
        server.terminate()
        server.wait(START_SECONDS)


def address(server: "subprocess.Popen[bytes]", log: Path) -> str:
    """Where the server listens, as it logs; whoever calls before it is ready is kept waiting."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and server.poll() is None:
        found = re.search(r"listening on (http://\S+)", log.read_text(encoding="utf-8"))
        if found is not None:
            return found[1]
        time.sleep(0.02)
    raise AssertionError(f"the server did not start:\n{log.read_text(encoding='utf-8')}")


def environment(**variables: str) -> dict[str, str]:
    """The environment of a reader who has set nothing, with the project's commands on the path."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("YACHT_")}
    # The server is on this machine; a proxy for the world outside has nothing to do with it.
    own = {name: value for name, value in own.items() if not name.lower().endswith("_proxy")}
    return own | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"} | variables


def shell(script: str, folder: Path, **variables: str) -> str:
    """What the script prints, run by sh, which stops at the first command that fails."""
    ended = subprocess.run(
        ["sh", "-eu", "-c", script],  # noqa: S607 - whichever sh the reader has
        check=False,
        cwd=folder,
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=90,
    )
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    return ended.stdout


class Played:
    """What the README's commands printed, and the document that they fed to `yacht verify`."""

    def __init__(self, printed: str, game: dict[str, Any], checked: dict[str, Any]) -> None:
        self.lines = printed.splitlines()
        self.game = game
        self.checked = checked


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps its database and the reader's shell is."""
    return tmp_path_factory.mktemp("readme")


@pytest.fixture(scope="module")
def played(folder: Path) -> Played:
    """One reader who runs every command of the sections on play, in order, in one shell."""
    assert shutil.which("curl"), "the README plays its game with curl"
    solo, *_ = section(TEXT, PLAYED[0]).partition("\n### ")
    together = "".join(section(TEXT, heading) for heading in PLAYED[1:])
    script = [
        *blocks(solo, "sh"),
        *(block.replace(ANY_GAME, "$game") for block in blocks(read(FAIRNESS), "sh")),
        # Beside what the README does: the game as it ended, for a look at its total and its dice.
        'curl -fsS "$game" > game.json',
        'curl -fsS "$game/fairness" > fairness.json',
        'curl -fsS "$game/events" > events.json',
        *blocks(together, "sh"),
    ]
    with serving(folder) as url:
        printed = shell("\n".join(script), folder, YACHT=url)
        backup = shell("\n".join(blocks(OPERATED, "sh")), folder)
    assert not backup
    game, fairness, events = (
        json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("game", "fairness", "events")
    )
    return Played(printed, game, {"fairness": fairness, "events": events})


def test_the_game_is_played_to_its_end_and_its_total_is_right(played: Played) -> None:
    card = played.game["seats"][0]["scorecard"]
    assert None not in card.values()
    (last,) = (line for line in played.lines if line.startswith("round 12: "))
    assert last.endswith(f", {sum(card.values())} points")


def test_each_of_the_other_eleven_rounds_fills_another_category(played: Played) -> None:
    taken = [line.split()[2].rstrip(",") for line in played.lines if line.startswith("round ")]
    assert {*taken, "choice"} == set(played.game["seats"][0]["scorecard"])


def test_verify_says_that_the_dice_hold(played: Played) -> None:
    """Once for the README, once for the page about fairness."""
    assert played.lines.count("the dice are those that were promised") == 2
    assert verify_document(played.checked) == []


def test_a_held_die_stays_as_the_readme_says(played: Played) -> None:
    rolled = [json.loads(line) for line in played.lines[1:4]]
    assert rolled[1] == [True, True, False, False, False]
    assert rolled[2][:2] == rolled[0][:2]


def test_a_friend_joins_and_the_game_starts(played: Played) -> None:
    assert ("waiting", "active") in pairwise(played.lines)


def test_a_call_sent_again_rolls_once(played: Played) -> None:
    first, second = played.lines[-4:-2]
    assert first == second
    assert len(json.loads(first)) == 5


def test_refusals_print_what_the_readme_says(played: Played) -> None:
    assert played.lines[-2] == "stale-version"
    assert played.lines[-1] == "Seat 0 is on turn."


def test_the_backup_holds_the_games(played: Played, folder: Path) -> None:
    backup = sqlite3.connect(folder / "yacht-backup.db")
    try:
        found = backup.execute("SELECT status FROM games WHERE id = ?", [played.game["id"]])
        assert found.fetchone() == ("finished",)
    finally:
        backup.close()


def test_the_words_for_make_are_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake ([a-z]+)\b", "".join(blocks(TEXT, "console"))))
    assert named == {"run", "test"}
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_every_sh_block_of_the_readme_is_run() -> None:
    """So that a block elsewhere is not taken for one that is tested."""
    assert blocks(section(TEXT, PLAYED[0]), "sh") == blocks(TEXT, "sh")


def test_what_comes_back_is_shown_as_it_comes(played: Played) -> None:
    """Beside what depends on the dice."""
    shown_lines = re.findall(r"^# (.*)$", "".join(blocks(TEXT, "sh")), re.MULTILINE)
    fixed = [line for line in shown_lines if re.fullmatch(r"[a-zA-Z. -]+[a-z.]|.*true.*", line)]
    assert len(fixed) >= 5
    assert {line for line in fixed if not line.startswith("field ")} <= {*played.lines}


def test_the_written_game_is_a_real_one() -> None:
    """It parses, and the commands before it printed what happened in it."""
    (sheet,) = blocks(TEXT, "text")
    game = fold(parse_game(sheet))
    assert game.status == "finished"
    assert f"# round 12: yacht, {game.seats[0].card.total} points" in TEXT
    assert "# round 2: ones, 16 points" in TEXT
    assert [game.seats[0].card.choice, game.seats[0].card.ones] == [14, 2]
    for roll in re.findall(r"^# \[(\d, \d, \d, \d, \d)\]$", TEXT, re.MULTILINE):
        assert roll.replace(", ", " ") in re.sub(r"[][]", "", sheet)


def test_every_page_for_readers_is_linked() -> None:
    linked = {link for link in links(TEXT) if not re.match(r"\w+:", link)}
    pages = {page_id(page) for page in PAGES} - {"README.md"}
    assert {link.partition("#")[0] for link in linked} - {""} >= pages


def test_it_is_read_in_three_minutes() -> None:
    """At 240 words a minute, code and the game that is folded away left out."""
    bare = re.sub(
        r"<details>.*?</details>|^```.*?^```$|^\|.*$", "", TEXT, flags=re.DOTALL | re.MULTILINE
    )
    assert len(bare.split()) <= 720


def test_the_settings_are_those_of_the_server() -> None:
    """Each has its heading for operators; the README has the four that most need."""
    settings = {
        f"YACHT_{name}".upper(): (f"--{name.replace('_', '-')}", shown(field.default))
        for name, field in Settings.model_fields.items()
    }
    documented = re.findall(
        r"^### `(YACHT_\w+)`\n\n(.*?)(?=^#)", OPERATED, re.MULTILINE | re.DOTALL
    )
    assert sorted(variable for variable, _ in documented) == sorted(settings)
    for variable, told in documented:
        flag, default = settings[variable]
        given = f"default `{default}`" if default else "empty by default"
        assert told.startswith(f"Flag `{flag}`, {given}: "), variable
    for variable, flag, default, _ in rows(TEXT, "variable", "flag", "default"):
        assert settings[span(variable)] == (span(flag), span(default))


def shown(default: object) -> str:
    """A default as an operator would write it."""
    return str(default).lower() if isinstance(default, bool) else str(default)


def test_the_commands_are_those_of_the_command_line() -> None:
    documented = re.findall(r"^### `yacht (\w+)`$", OPERATED, re.MULTILINE)
    assert sorted(documented) == sorted(commands())
