"""What stays on the computer: who played where, readable by nobody else."""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.terminal.keep import KnownPlayer, PlayerFile, usable_folder

ADA, BO = KnownPlayer("Ada", "token-a"), KnownPlayer("Bo", "token-b")
HOME, AWAY = "http://home", "http://away"


@pytest.fixture
def players(tmp_path: Path) -> PlayerFile:
    return PlayerFile(tmp_path / "players.json")


def test_players_are_kept_for_each_server(players: PlayerFile) -> None:
    players.keep(HOME, ADA)
    players.keep(AWAY, BO)
    assert (players.find(HOME), players.find(AWAY)) == (ADA, BO)
    assert players.find("http://elsewhere") is None


def test_who_played_last_comes_first(players: PlayerFile) -> None:
    players.keep(HOME, ADA)
    players.keep(HOME, BO)
    assert players.find(HOME) == BO
    players.keep(HOME, ADA)
    assert (players.find(HOME), players.find(HOME, "Bo")) == (ADA, BO)


def test_a_new_token_takes_the_place_of_the_old_one(players: PlayerFile) -> None:
    players.keep(HOME, ADA)
    players.keep(HOME, KnownPlayer("Ada", "token-c"))
    assert players.find(HOME, "Ada") == KnownPlayer("Ada", "token-c")


def test_a_name_is_found_however_it_is_typed(players: PlayerFile) -> None:
    players.keep(HOME, KnownPlayer("Zo\u00eb", "token-z"))
    assert players.find(HOME, " Zoe\u0308 ") == KnownPlayer("Zo\u00eb", "token-z")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_only_its_owner_may_read_the_file(players: PlayerFile, tmp_path: Path) -> None:
    file = tmp_path / "players.json"
    players.keep(HOME, ADA)
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    players.keep(HOME, BO)
    assert file.stat().st_mode & 0o777 == 0o600
    assert {left.name for left in tmp_path.iterdir()} == {file.name, "players.lock"}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"http://home": 1}', '{"http://home": [1]}'])
def test_a_broken_file_is_put_aside(content: str, players: PlayerFile, tmp_path: Path) -> None:
    (tmp_path / "players.json").write_text(content, encoding="utf-8")
    assert players.find(HOME) is None
    players.keep(HOME, ADA)
    assert players.find(HOME) == ADA
    assert (tmp_path / "players.broken").read_text(encoding="utf-8") == content


def test_the_file_is_json_that_a_person_can_read(players: PlayerFile, tmp_path: Path) -> None:
    players.keep(HOME, ADA)
    content = json.loads((tmp_path / "players.json").read_text(encoding="utf-8"))
    assert content == {HOME: [{"name": "Ada", "token": "token-a"}]}


def test_the_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = usable_folder(tmp_path / "share" / "yacht")
    assert folder == tmp_path / "share" / "yacht"
    assert sys.platform == "win32" or folder.stat().st_mode & 0o777 == 0o700


def test_where_the_folder_cannot_be_made_another_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "file").touch()
    spare = usable_folder(tmp_path / "file" / "yacht")
    assert spare.parent == tmp_path
    assert usable_folder(tmp_path / "file" / "yacht") == spare


@pytest.mark.skipif(sys.platform == "win32", reason="Windows gives each user a TMP")
def test_a_spare_folder_that_others_can_open_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "file").touch()
    spare = usable_folder(tmp_path / "file" / "yacht")
    spare.chmod(0o777)
    other = usable_folder(tmp_path / "file" / "yacht")
    assert other != spare
    assert other.stat().st_uid == os.getuid()
    assert other.stat().st_mode & 0o077 == 0


def test_players_who_come_at_once_are_all_remembered(tmp_path: Path) -> None:
    known = [KnownPlayer(f"P{i}", f"token {i}") for i in range(40)]
    with ThreadPoolExecutor(8) as threads:
        files = [PlayerFile(tmp_path / "players.json") for _ in known]
        list(threads.map(lambda file, player: file.keep(HOME, player), files, known))
    kept = PlayerFile(tmp_path / "players.json")
    assert all(kept.find(HOME, player.name) == player for player in known)
