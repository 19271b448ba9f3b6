"""Room to grow: 64-bit integers on PostgreSQL, and acts that are unique within their game, so that entries divide."""

import sqlalchemy as sa
from alembic import op

from server.kernel.db import append_only

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

COLUMNS = sa.text(
    "SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables"
    " USING (table_schema, table_name) WHERE table_schema = current_schema() AND data_type = :type"
    " AND table_type = 'BASE TABLE' ORDER BY table_name"
)
SEQUENCES = sa.text("SELECT sequencename FROM pg_sequences WHERE schemaname = current_schema()")
WIDE, NARROW = "bigint", "integer"


def upgrade() -> None:
    _widen(NARROW, WIDE)
    _unique("uq_entry_jws_sha256", "uq_entry_game_id", ["game_id", "jws_sha256"])


def downgrade() -> None:
    _unique("uq_entry_game_id", "uq_entry_jws_sha256", ["jws_sha256"])
    _widen(WIDE, NARROW)


def _widen(before: str, after: str) -> None:
    """SQLite's integers have 64 bits already. A table is written anew once, however many of its columns change."""
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        return
    changes: dict[str, list[str]] = {}
    for table, column in connection.execute(COLUMNS, {"type": before}):
        changes.setdefault(table, []).append(f'ALTER COLUMN "{column}" TYPE {after}')
    for table, each in changes.items():
        op.execute(f'ALTER TABLE "{table}" {", ".join(each)}')
    for name in connection.scalars(SEQUENCES).all():
        op.execute(f'ALTER SEQUENCE "{name}" AS {after}')


def _unique(former: str, name: str, columns: list[str]) -> None:
    with op.batch_alter_table("entry") as entry:
        entry.drop_constraint(former, type_="unique")
        entry.create_unique_constraint(name, columns)
    if op.get_bind().dialect.name == "sqlite":  # which makes the table anew, without its triggers
        for statement in append_only.triggers("sqlite", "entry"):
            op.execute(statement)
