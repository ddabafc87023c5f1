"""The migrations: up, down and up again over data; they make the tables that the code expects."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect

from app.store.engine import (
    MIGRATIONS,
    Database,
    is_migrated,
    migrate,
    reading_engine,
    writing_engine,
)
from app.store.tables import metadata
from tests.store.desk import ME, OPEN, Desk, join, key, open_game, register, roll

REVISIONS = [script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()]
TABLES = set(metadata.tables)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Database]:
    """A database without a table."""
    file = tmp_path / "yacht.db"
    database = Database(writing_engine(file), reading_engine(file))
    yield database
    database.reading.dispose()
    database.writing.dispose()


def tables(engine: Engine) -> set[str]:
    return set(inspect(engine).get_table_names()) - {"alembic_version"}


def fill(database: Database) -> Desk:
    """Put a row into every table."""
    desk = Desk(database)
    desk.do(register("Ada"), register("Bo"))
    desk.do(open_game("Ada", "g", ME, OPEN, visibility="public"), open_game("Ada", "h"))
    desk.do(join("Bo", "g"), roll("Ada", "g", key=key("k")))
    assert all(desk.count(table) for table in TABLES)
    return desk


def schema(engine: Engine) -> dict[str, str]:
    """The SQL of each table and index, without layout and the order of a table's constraints."""
    with engine.connect() as connection:
        rows = connection.exec_driver_sql(
            "SELECT name, sql FROM sqlite_master "
            "WHERE sql IS NOT NULL AND name <> 'alembic_version'"
        ).all()
    return {name: _ordered(sql) for name, sql in rows}


def _ordered(sql: str) -> str:
    """The parts of a statement, one a line: a column that came later stands behind the others."""
    head, _, rest = re.sub(r"[\s\"]+", " ", sql).partition("(")
    body, _, tail = rest.rpartition(")")
    parts = re.split(r",(?![^(]*\))", body)
    return "\n".join([head.strip(), *sorted(part.strip() for part in parts), tail.strip()])


def test_up_from_nothing_down_to_nothing_and_up_again(empty: Database) -> None:
    migrate(empty.writing)
    assert tables(empty.writing) == TABLES
    fill(empty)
    migrate(empty.writing, "base")
    assert tables(empty.writing) == set()
    migrate(empty.writing)
    assert tables(empty.writing) == TABLES
    fill(empty)


@pytest.mark.parametrize("revision", REVISIONS)
def test_each_revision_can_be_taken_back_and_made_again(empty: Database, revision: str) -> None:
    """Over data, from the newest revision down to before this one."""
    migrate(empty.writing)
    fill(empty)
    before = schema(empty.writing)
    script = ScriptDirectory(str(MIGRATIONS)).get_revision(revision)
    assert script is not None
    migrate(empty.writing, str(script.down_revision or "base"))
    assert schema(empty.writing) != before
    migrate(empty.writing)
    assert schema(empty.writing) == before


@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_each_revision_but_the_first_can_be_taken_back_and_loses_no_row(
    empty: Database, revision: str
) -> None:
    """What 0002 alone knows is a clock and a rematch: this data has none."""
    migrate(empty.writing)
    desk = fill(empty)
    before = {table: desk.rows(table) for table in TABLES}
    kept = {game: desk.kept(game) for game in ("g", "h")}
    script = ScriptDirectory(str(MIGRATIONS)).get_revision(revision)
    assert script is not None
    migrate(empty.writing, str(script.down_revision))
    migrate(empty.writing)
    after = {table: desk.rows(table) for table in TABLES}
    assert kept == {game: desk.kept(game) for game in ("g", "h")}
    for row in (*before["games"], *after["games"]):
        del row["state"]  # the same game, in other words perhaps
    assert after == before


def test_revisions_form_one_line(empty: Database) -> None:
    script = ScriptDirectory(str(MIGRATIONS))
    assert len(script.get_heads()) == len(script.get_bases()) == 1
    migrate(empty.writing)
    with empty.reading.begin() as connection:
        assert MigrationContext.configure(connection).get_current_revision() == REVISIONS[0]


def test_migrating_twice_changes_nothing(empty: Database) -> None:
    migrate(empty.writing)
    desk = fill(empty)
    before = {table: desk.rows(table) for table in TABLES}
    migrate(empty.writing)
    assert before == {table: desk.rows(table) for table in TABLES}


def test_a_migrated_database_says_so_until_it_is_taken_down(empty: Database) -> None:
    def says() -> bool:
        with empty.reading.begin() as connection:
            return is_migrated(connection)

    assert not says()
    migrate(empty.writing)
    assert says()
    migrate(empty.writing, "base")
    assert not says()


def test_the_migrated_tables_are_those_of_the_code(database: Database) -> None:
    options = {"compare_type": True, "compare_server_default": True}
    with database.writing.connect() as connection:
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []


def test_the_migrated_schema_is_the_codes_to_the_letter(database: Database) -> None:
    """Cascades, names of constraints and WITHOUT ROWID too, which a comparison leaves out."""
    directly = create_engine("sqlite://")
    metadata.create_all(directly)
    assert schema(database.writing) == schema(directly)
    directly.dispose()


def test_every_constraint_has_a_name(database: Database) -> None:
    """SQLite alters a table by copying it, and can drop only what has a name."""
    inspector = inspect(database.writing)
    for table in TABLES:
        assert inspector.get_pk_constraint(table)["name"] == f"pk_{table}"
        for foreign in inspector.get_foreign_keys(table):
            [column] = foreign["constrained_columns"]
            assert foreign["name"] == f"fk_{table}_{column}_{foreign['referred_table']}"
        for unique in inspector.get_unique_constraints(table):
            assert unique["name"] == f"uq_{table}_{unique['column_names'][0]}"
        for index in inspector.get_indexes(table):
            assert str(index["name"]).startswith(f"ix_{table}_")


def test_a_migration_that_fails_leaves_nothing_behind(empty: Database) -> None:
    """All revisions are one transaction: here the last table is in the way."""
    with empty.writing.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE participants (mine TEXT)")
    before = schema(empty.writing)
    with pytest.raises(Exception, match="already exists"):
        migrate(empty.writing)
    assert schema(empty.writing) == before


def test_a_game_takes_its_rows_along(desk: Desk) -> None:
    desk.do(open_game("Ada", "g"))
    desk.do(roll("Ada", "g"))
    with desk.database.writing.begin() as connection:
        connection.exec_driver_sql("DELETE FROM games")
    assert (desk.count("events"), desk.count("participants")) == (0, 0)
    assert desk.count("players") == 3
