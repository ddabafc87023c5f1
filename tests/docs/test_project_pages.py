"""The pages for those who change the server: what they list is what there is."""

import ast
import re

from app.api.pages import SIZE
from app.live import LIFE_SECONDS, PING_SECONDS
from app.server import DRAIN_SECONDS, STALLED_SECONDS, STOP_SECONDS
from app.store.engine import READERS
from app.store.ledger import MAX_BATCH, MAX_WAITING
from app.store.tables import metadata
from app.sweep import CLOCK_SECONDS, FORGOTTEN_SECONDS
from tests.docs.pages import CONTRIBUTING, ROOT, read, rows, section, span, spans

ARCHITECTURE = read(ROOT / "docs" / "architecture.md")
DECISIONS = read(ROOT / "docs" / "decisions.md")


def test_the_words_for_make_are_all_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE)
    listed = {span(row[0]) for row in rows(read(CONTRIBUTING), "word", "does")}
    assert listed == {f"make {name}" for name in targets}


def test_every_room_of_the_package_has_its_place_in_the_picture() -> None:
    rooms = {
        f"{path.name}/" if path.is_dir() else path.name
        for path in (ROOT / "app").iterdir()
        if path.name[0] not in "_."
    }
    listed = {name for row in rows(ARCHITECTURE, "room") for name in spans(row[0])}
    assert listed == rooms
    picture = section(ARCHITECTURE, "Rooms").partition("```")[2].partition("```")[0]
    assert set(re.findall(r"[a-z]+(?:\.py|/)", picture)) == rooms


def test_every_room_stands_above_all_that_it_imports() -> None:
    picture = section(ARCHITECTURE, "Rooms").partition("```")[2].partition("```")[0]
    levels = [re.findall(r"([a-z]+)(?:\.py|/)", line) for line in picture.splitlines()]
    height = {room: -level for level, names in enumerate(levels) for room in names}
    for room, level in height.items():
        files = [*(ROOT / "app").glob(f"{room}.py"), *(ROOT / "app" / room).glob("**/*.py")]
        imported = {name for file in files for name in imports(read(file))} - {room}
        assert all(height[other] < level for other in imported), (room, imported)


def imports(source: str) -> set[str]:
    """The rooms of `app` that a module imports from."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "app":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("app."):
            found.add((node.module or "").split(".")[1])
    return found


def test_the_tables_are_those_of_the_database() -> None:
    listed = {span(row[0]) for row in rows(ARCHITECTURE, "table", "a row is")}
    assert listed == {*metadata.tables, "alembic_version"}


def test_the_numbers_of_the_ledger_are_those_of_the_code() -> None:
    assert f"up to {MAX_BATCH}," in ARCHITECTURE
    assert f"more than {MAX_WAITING:,} commands" in ARCHITECTURE
    assert f"on {READERS} threads" in ARCHITECTURE


def test_the_numbers_of_streams_and_of_the_end_are_those_of_the_code() -> None:
    assert f"up to {SIZE} events" in ARCHITECTURE
    assert f"after {PING_SECONDS:g} seconds with nothing to say" in ARCHITECTURE
    assert f"| {LIFE_SECONDS / 60:g} minutes; then" in ARCHITECTURE
    assert f"unread for {STALLED_SECONDS} seconds" in ARCHITECTURE
    assert f"({DRAIN_SECONDS:g} seconds) the server is still there" in ARCHITECTURE
    assert STOP_SECONDS == 1
    assert "waits a second at most" in ARCHITECTURE
    assert (1 / CLOCK_SECONDS, FORGOTTEN_SECONDS) == (4, 60)
    assert "four times a second" in ARCHITECTURE


def test_decisions_are_numbered_without_a_gap_and_say_their_cost() -> None:
    records = re.split(r"^## ", DECISIONS, flags=re.MULTILINE)[1:]
    numbers = [int(record.partition(".")[0]) for record in records]
    assert numbers == list(range(1, len(records) + 1))
    for record in records:
        assert "\n*Cost:* " in record, record.partition("\n")[0]
