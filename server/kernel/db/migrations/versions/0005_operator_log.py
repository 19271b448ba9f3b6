"""The append-only log of operators, and the accounts that are blocked."""

import sqlalchemy as sa
from alembic import op

from server.kernel.db import append_only

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("blocked_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "operator_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(length=60), nullable=False),
        sa.Column("act", sa.String(length=30), nullable=False),
        sa.Column("about", sa.String(length=120), nullable=False),
        sa.Column("why", sa.String(length=500), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_operator_log"),
    )
    op.create_index("ix_operator_log_about", "operator_log", ["about"])
    for statement in append_only.triggers(op.get_bind().dialect.name, "operator_log"):
        op.execute(statement)


def downgrade() -> None:
    op.drop_table("operator_log")
    op.drop_column("account", "blocked_at")
