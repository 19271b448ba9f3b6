"""Alembic's entry point: runs on the connection that it is given."""

from alembic import context

from server.kernel.db.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    compare_type=True,
    transactional_ddl=False,  # the caller's transaction spans all migrations
)
context.run_migrations()
