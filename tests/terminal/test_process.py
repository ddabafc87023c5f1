"""`yacht play` and `watch` as they are started: processes with a pipe or a terminal around them."""

import os
import re
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import httpx
import pytest

from app.cli import main
from app.rules import parse_game
from tests.table import OPEN, Visitor, friend
from tests.terminal.seat import LETTERS, ONE_CARD

pty = pytest.importorskip("pty", reason="there are no such terminals here")

YACHT = (sys.executable, "-m", "app.cli")
ME = {"type": "me"}
PATIENCE = 40
LEAVING_SECONDS = 10
PROMPT = re.compile(r"(?:(?:Ada|Bo|leaves|keeps it)> |\][:]? |none: )\Z")
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Terminal:
    """A terminal with `yacht play` in it."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self._master = master
        self.raw = ""

    @property
    def shown(self) -> str:
        return ESCAPE.sub("", self.raw)

    def prompt(self) -> str:
        """Wait until something is asked; the question."""
        limit = monotonic() + PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(self._master, selectors.EVENT_READ)
            while not PROMPT.search(self.shown):
                assert monotonic() < limit, self.raw
                if selector.select(timeout=1):
                    self._read()
        return self.shown.splitlines()[-1]

    def read_until(self, word: str) -> None:
        """Wait until this is shown."""
        while word not in self.shown:
            assert self._read(), self.raw

    def type(self, line: str) -> None:
        self.raw += "\n"  # what was asked is answered, even before the echo comes
        os.write(self._master, f"{line}\n".encode())

    def type_unasked(self, *lines: str) -> None:
        """Type while nothing is asked, until it is on the screen."""
        for line in lines:
            os.write(self._master, f"{line}\n".encode())
            self.read_until(f"\n{line}\r\n")

    def interrupt(self) -> None:
        """Press Ctrl+C, until it is noticed: between a prompt and its reading nobody listens."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._master, selectors.EVENT_READ)
            self.process.send_signal(signal.SIGINT)
            while not selector.select(timeout=1):
                self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Wait for the end; the exit status."""
        try:
            while self._read():
                pass
        except OSError:  # so the end is told here
            pass
        return self.process.wait(PATIENCE)

    def _read(self) -> bool:
        told = os.read(self._master, 65536).decode()
        self.raw += told
        return bool(told)


def _as_in_a_terminal() -> None:
    """Ctrl+C counts, also where whoever runs the tests was started to ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def terminal(
    folder: Path, *arguments: str, command: str = "play", **environment: str
) -> Iterator[Terminal]:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*YACHT, command, *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=surroundings(folder, TERM="xterm-256color", COLUMNS="100", **environment),
        preexec_fn=_as_in_a_terminal,  # noqa: PLW1509 - no thread is started before it
    )
    os.close(slave)
    try:
        yield Terminal(process, master)
    finally:
        process.kill()
        process.wait()
        os.close(master)


def piped(
    folder: Path, lines: str, *arguments: str, command: str = "play"
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*YACHT, command, *arguments],
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=surroundings(folder),
        timeout=PATIENCE,
        check=False,
    )


def surroundings(folder: Path, **further: str) -> Mapping[str, str]:
    unwanted = ("YACHT_", "NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    return {**kept, "XDG_DATA_HOME": str(folder), "PYTHONUTF8": "1", **further}


def test_a_script_plays_a_whole_game_on_a_server_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    lines = "".join(f"{line}\n" for line in ONE_CARD)
    played = piped(tmp_path, lines, "--name", "Ada", "--turn-seconds", "600", "--save", str(file))
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.startswith("Playing on a server of your own at http://127.0.0.1:")
    assert "The dice are those that the server had promised." in played.stdout
    assert "This turn has time until" in played.stdout
    assert "\x1b" not in played.stdout
    assert parse_game(file.read_text(encoding="utf-8"))[-1].type == "game_finished"
    assert {path.name for path in (tmp_path / "yacht").iterdir()} >= {"players.json", "yacht.db"}


def test_a_whole_game_is_played_in_a_terminal_at_a_server_named_in_the_environment(
    tmp_path: Path, url: str
) -> None:
    letters = iter(LETTERS)
    with terminal(tmp_path, YACHT_SERVER=url) as seat:
        assert "Your name" in seat.prompt()
        seat.type("Ada")
        while "The game is over" not in seat.shown:
            if "[y/N]" in seat.prompt():
                seat.type("y")
            elif "The game is over" not in seat.shown:
                has_dice = "Rolls left: " in seat.shown.rsplit("Round", 1)[1]
                seat.type(next(letters) if has_dice else "")
        assert "Check the dice" in seat.prompt()
        seat.type("")
        assert "File to save" in seat.prompt()
        seat.type("")
        assert "Play again?" in seat.prompt()
        seat.type("n")
        assert seat.end() == 0
        assert "Ada has scored" in seat.shown
        assert "\x1b[" in seat.raw
        assert "●" in seat.shown
    assert not (tmp_path / "yacht" / "yacht.db").exists()


def test_ctrl_c_leaves_and_says_how_to_come_back(tmp_path: Path) -> None:
    with terminal(tmp_path, "--name", "Ada", NO_COLOR="1") as seat:
        assert seat.prompt() == "Ada> "
        seat.type("")
        seat.prompt()
        seat.interrupt()
        assert seat.end() == 0
        [game_id] = re.findall(r"yacht play --name Ada --join (\S+)", seat.shown)
        assert "Traceback" not in seat.raw
        assert "\x1b" not in seat.raw
    back = piped(tmp_path, "1 r\n", "--join", game_id)
    assert "Welcome back, Ada." in back.stdout
    assert "Rolls left: 1." in back.stdout


def test_a_second_player_on_this_computer_finds_the_server_of_the_first(tmp_path: Path) -> None:
    with terminal(tmp_path, "--name", "Ada", "--open", "1") as ada:
        assert ada.prompt().startswith("Enter waits")
        invitation = rf"XDG_DATA_HOME={tmp_path} yacht play --name NAME --join (\S+)"
        [game_id] = re.findall(invitation, ada.shown)
        assert "reached from this computer only" in ada.shown
        assert "yacht serve --host 0.0.0.0" in ada.shown
        ada.type("")
        with terminal(tmp_path, "--name", "Bo", "--join", game_id) as bos:
            assert ada.prompt() == "Ada> "
            assert "Bo sits down." in ada.shown
            ada.type("resign")
            ada.prompt()
            ada.type("y")
            assert "Check the dice" in bos.prompt()
            assert "Bo wins." in bos.shown


def test_whoever_leaves_does_not_wait_for_neighbours_who_follow_the_game(tmp_path: Path) -> None:
    with terminal(tmp_path, "--name", "Ada") as seat:
        assert seat.prompt() == "Ada> "
        [url] = re.findall(r"server of your own at (http://\S+);", seat.shown)
        [game_id] = re.findall(r"Game (\S+)", seat.shown)
        with httpx.stream("GET", f"{url}/v1/games/{game_id}/stream") as following:
            told = following.iter_bytes()  # which ends the connection once nobody refers to it
            assert next(told)
            seat.type("q")
            assert seat.process.wait(LEAVING_SECONDS) == 0


def test_what_is_typed_while_others_play_is_no_move(
    tmp_path: Path, url: str, guest: Visitor
) -> None:
    bo = guest.player("Bo")
    game = bo.open(ME, OPEN)
    with terminal(tmp_path, "--name", "Ada", "--server", url, "--join", game["id"]) as seat:
        seat.read_until("Waiting for Bo.")
        seat.type_unasked("r", "1 r", "r")
        game = bo.turn(bo.read(game))
        assert seat.prompt() == "Ada> "
        seat.type("k")
        seat.read_until("Roll first")
        assert guest.read(game)["turn"]["rolls_used"] == 0


def test_what_is_typed_while_others_play_answers_no_question_after_the_game(
    tmp_path: Path, url: str, guest: Visitor
) -> None:
    bo = guest.player("Bo")
    game = bo.open(ME, OPEN)
    with terminal(tmp_path, "--name", "Ada", "--server", url, "--join", game["id"]) as seat:
        seat.read_until("Waiting for Bo.")
        seat.type_unasked("resign", "y", "n")
        bo.resign(guest.read(game), 0)
        assert "Check the dice" in seat.prompt()
        seat.type("")
        assert "File to save" in seat.prompt()


def test_ctrl_c_ends_watching_politely(tmp_path: Path, url: str, guest: Visitor) -> None:
    game = guest.player("Ada").open()
    with terminal(tmp_path, f"{url}/v1/games/{game['id']}", command="watch") as screen:
        screen.read_until("Total")
        screen.interrupt()
        assert screen.end() == 0
    assert f"Watch it again with: yacht watch --server {url} {game['id']}" in screen.shown
    assert "Traceback" not in screen.raw


def test_an_ended_game_is_watched_by_its_id_at_a_server(
    tmp_path: Path, url: str, guest: Visitor
) -> None:
    ada = guest.player("Ada")
    game = ada.open({"type": "me"}, friend("Bo"))
    ada.resign(game, 0)
    watched = piped(tmp_path, "", game["id"], "--server", url, command="watch")
    assert (watched.returncode, watched.stderr) == (0, "")
    assert "Bo wins." in watched.stdout


@pytest.mark.parametrize("named", [[], ["--server", "{url}/v1/"]], ids=["not", "as well"])
def test_a_game_is_joined_at_the_server_of_its_address(
    named: list[str], tmp_path: Path, url: str, guest: Visitor
) -> None:
    game = guest.player("Bo").open(ME, OPEN, OPEN)
    server = [word.format(url=url) for word in named]
    address = f" {url}/v1/games/{game['id']}/"
    with terminal(tmp_path, "--name", "Ada", "--join", address, *server) as seat:
        assert seat.prompt().startswith("Enter waits")
    assert [seat["name"] for seat in guest.read(game)["seats"]] == ["Bo", "Ada", None]


@pytest.mark.parametrize("command", [["play", "--join"], ["watch"]], ids=["play", "watch"])
def test_an_address_and_a_flag_that_name_two_servers_are_refused(
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    address = "http://one.example/v1/games/01a0a1b2"
    assert main([*command, address, "--server", "http://two.example"]) == 1
    assert capsys.readouterr().out == (
        "The game's address is of http://one.example, but --server names http://two.example: "
        "leave one of them out.\n"
    )


@pytest.mark.parametrize("command", [("play",), ("watch", "01a0a1b2")], ids=["play", "watch"])
@pytest.mark.parametrize(
    ("address", "message"),
    [
        pytest.param("http://127.0.0.1:9", "No answer from http://127.0.0.1:9 (", id="nobody"),
        pytest.param("ftp://127.0.0.1", "'ftp://127.0.0.1' is no address", id="no address"),
    ],
)
def test_a_server_that_is_not_there_is_one_line_and_a_status(
    command: tuple[str, ...],
    address: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main([*command, "--server", address]) == 1
    told = capsys.readouterr()
    assert told.out.startswith(message)
    assert (told.out.count("\n"), told.err) == (1, "")
