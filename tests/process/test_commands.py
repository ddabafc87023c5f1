"""The commands beside `serve`: what they print, what they write, and their exit status."""

import copy
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app import cli
from app.store.tables import REVISION
from tests.process.client import Client
from tests.process.server import Server, yacht

Run = Callable[..., tuple[int, str, str]]
COMMANDS = re.findall(r"^ {4}(\w+) ", cli._parser().format_help(), re.MULTILINE)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in an empty folder; gives its exit status, output and complaints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("YACHT_DATABASE_URL", raising=False)

    def run(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        try:
            status = cli.main(arguments)
        except SystemExit as exit_:
            status = exit_.code if isinstance(exit_.code, int) else 1
        return status, *capsys.readouterr()

    return run


def test_the_commands_are_those_that_are_documented() -> None:
    assert set(COMMANDS) == {
        "serve",
        "migrate",
        "prune",
        "solve",
        "openapi",
        "verify",
        "play",
        "watch",
    }


def test_help_lists_every_command(tmp_path: Path) -> None:
    told = yacht(tmp_path, "--help")
    assert told.returncode == 0
    assert all(f"\n    {command} " in told.stdout for command in COMMANDS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(run: Run, command: str) -> None:
    status, out, err = run(command, "--help")
    assert (status, err) == (0, "")
    assert f"usage: yacht {command}" in out


@pytest.mark.parametrize("arguments", [(), ("sail",), ("serve", "--sail"), ("verify",)])
def test_wrong_usage_has_status_2(run: Run, arguments: tuple[str, ...]) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert "usage: yacht" in err


def test_the_bare_command_explains_itself(run: Run) -> None:
    status, out, err = run()
    assert (status, out) == (2, "")
    assert all(f"\n    {command} " in err for command in COMMANDS)


def test_serve_says_what_its_flags_take(run: Run) -> None:
    told = " ".join(run("serve", "--help")[1].split())
    assert "--port N" in told
    assert "--log-level debug|info|warning|error" in told
    assert "--access-log [true|false]" in told
    assert "(default: )" not in told


@pytest.mark.parametrize(
    ("command", "default"),
    [
        ("migrate", "sqlite:///yacht.db"),
        ("prune", "sqlite:///yacht.db"),
        ("openapi", "openapi.json"),
    ],
)
def test_a_command_names_what_it_works_on_by_default(run: Run, command: str, default: str) -> None:
    told = " ".join(run(command, "--help")[1].split())
    assert re.search(rf"\(default: \S*{re.escape(default)}\)", told)


def test_migrate_makes_the_tables_and_takes_them_down_again(run: Run, tmp_path: Path) -> None:
    assert run("migrate") == (0, f"sqlite:///yacht.db is at revision {REVISION}\n", "")
    assert run("migrate")[0] == 0
    assert run("migrate", "--down-to", "-1")[1] == "sqlite:///yacht.db is at revision 0002\n"
    assert run("migrate", "--down-to", "base")[1] == "sqlite:///yacht.db is at revision base\n"
    assert run("migrate", "--down-to", "0001")[0] == 1
    assert run("migrate")[0] == 0
    assert (tmp_path / "yacht.db").is_file()


def test_migrate_takes_the_database_as_a_flag(run: Run, tmp_path: Path) -> None:
    assert run("migrate", "--database-url", f"sqlite:///{tmp_path}/other.db")[0] == 0
    assert (tmp_path / "other.db").is_file()
    assert not (tmp_path / "yacht.db").exists()


def test_migrate_says_in_one_line_that_a_revision_is_unknown(run: Run) -> None:
    run("migrate")
    status, out, err = run("migrate", "--down-to", "none")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("yacht: ")


def test_openapi_prints_the_document_that_the_server_serves(run: Run, client: Client) -> None:
    status, out, _ = run("openapi", "-")
    assert status == 0
    assert json.loads(out) == client.expect(200, "GET", "/v1/openapi.json")


def test_openapi_writes_the_same_into_a_file(run: Run, tmp_path: Path) -> None:
    assert run("openapi", "api.json") == (0, "", "")
    assert (tmp_path / "api.json").read_text(encoding="utf-8") == run("openapi", "-")[1]


def test_openapi_says_in_one_line_that_it_cannot_write(run: Run) -> None:
    status, out, err = run("openapi", "missing/api.json")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "missing/api.json: no such folder; name another file" in err


def test_openapi_outside_a_checkout_asks_for_a_file(run: Run) -> None:
    status, _, err = run("openapi")
    assert status == 1
    assert err.startswith("yacht: openapi/openapi.json: no such folder; name another file, or - ")


@pytest.fixture(scope="module")
def honest(shared: Server) -> Iterator[dict[str, Any]]:
    """A game of two, played out, as anyone can fetch it."""
    with shared.client() as client:
        token = client.register()
        seats = [{"type": "me"}, {"type": "guest", "name": "Kid"}]
        game = client.expect(201, "POST", "/v1/games", {"seats": seats}, token=token)
        path = f"/v1/games/{game['id']}"
        while game["status"] == "active":
            client.expect(201, "POST", f"{path}/rolls", token=token)
            held = {"held": [True, False, True, False, False]}
            game = client.expect(201, "POST", f"{path}/rolls", held, token=token)
            wish = {"category": next(iter(game["turn"]["options"]))}
            game = client.expect(201, "POST", f"{path}/scores", wish, token=token)
        yield {name: client.expect(200, "GET", f"{path}/{name}") for name in ("fairness", "events")}


def test_verify_finds_an_honest_game_honest(
    run: Run, tmp_path: Path, honest: dict[str, Any]
) -> None:
    text = json.dumps(honest)
    (tmp_path / "game.json").write_text(text)
    promised = (0, "the dice are those that were promised\n", "")
    assert run("verify", "game.json") == promised
    assert run("verify", "-", stdin=text) == promised


def other_face(document: dict[str, Any]) -> None:
    event = next(e for e in document["events"]["items"] if e["type"] == "dice_rolled")
    event["dice"][0] = event["dice"][0] % 6 + 1


def other_seed(document: dict[str, Any]) -> None:
    document["fairness"]["server_seed"] = "00" * 32


def lost_roll(document: dict[str, Any]) -> None:
    rolls = [e for e in document["events"]["items"] if e["type"] == "dice_rolled"]
    document["events"]["items"].remove(rolls[3])


@pytest.mark.parametrize("tamper", [other_face, other_seed, lost_roll])
def test_verify_finds_a_tampered_game_out(
    run: Run, honest: dict[str, Any], tamper: Callable[[dict[str, Any]], None]
) -> None:
    document = copy.deepcopy(honest)
    tamper(document)
    status, out, err = run("verify", "-", stdin=json.dumps(document))
    assert (status, err) == (1, "")
    assert out.endswith("the dice do not hold\n")
    assert len(out.splitlines()) > 1


def unfinished(document: dict[str, Any]) -> None:
    document["events"] = document["events"]["items"][:-1]
    document["fairness"].update(server_seed=None, draws=None)


def one_page(document: dict[str, Any]) -> None:
    document["events"]["next_cursor"] = "9"


@pytest.mark.parametrize(
    ("change", "said"),
    [(unfinished, "the game is not over"), (one_page, "this is one page of the events")],
)
def test_verify_accuses_nobody_where_there_is_nothing_to_check_yet(
    run: Run, honest: dict[str, Any], change: Callable[[dict[str, Any]], None], said: str
) -> None:
    document = copy.deepcopy(honest)
    change(document)
    status, out, err = run("verify", "-", stdin=json.dumps(document))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"yacht: Not checked: {said}")


def test_a_revealed_seed_is_checked_though_the_end_is_missing(
    run: Run, honest: dict[str, Any]
) -> None:
    document = copy.deepcopy(honest)
    document["events"]["items"].pop()
    status, out, _ = run("verify", "-", stdin=json.dumps(document))
    assert (status, out.splitlines()[-1]) == (1, "the dice do not hold")


GARBAGE = ["{", "[]", "null", "{}", "[" * 100_000, '{"fairness": 1, "events": 2}', "\udcff"]


@pytest.mark.parametrize("text", GARBAGE, ids=lambda text: repr(text[:30]))
def test_verify_says_that_garbage_is_no_export_and_how_to_get_one(run: Run, text: str) -> None:
    status, out, err = run("verify", "-", stdin=text)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "this is not a game's export; get one with: curl URL/v1/games/ID/export" in err


def test_verify_says_that_a_score_sheet_is_one(run: Run) -> None:
    sheet = 'Yacht, ruleset classic\nSeat 0: human "Ada"\n'
    status, out, err = run("verify", "-", stdin=sheet)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "this is a saved score sheet" in err


def test_verify_says_that_nothing_came(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text("\n")
    assert run("verify", "-", stdin=" ") == (2, "", "yacht: standard input is empty\n")
    assert run("verify", "empty.json") == (2, "", "yacht: empty.json is empty\n")


def test_verify_says_in_one_line_that_there_is_no_file(run: Run, tmp_path: Path) -> None:
    assert run("verify", "missing.json") == (2, "", "yacht: missing.json: no such file\n")
    assert run("verify", str(tmp_path)) == (2, "", f"yacht: {tmp_path}: Is a directory\n")


def test_verify_says_in_one_line_that_bytes_are_no_text(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_bytes(b"\xff\xfe\x00")
    status, out, err = run("verify", "game.json")
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_verify_explains_its_exit_status(run: Run) -> None:
    _, out, _ = run("verify", "--help")
    assert "2 where there was nothing to check" in " ".join(out.split())
