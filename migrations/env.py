"""Runs migrations on the connection that the caller hands in, inside the caller's transaction."""

from alembic import context

from app.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters a table by copying it
    compare_type=True,
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
