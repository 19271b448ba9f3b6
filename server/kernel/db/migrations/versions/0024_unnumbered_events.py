"""Events of accounts before they have numbers, so that an entry locks no account."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

WIDE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "unnumbered_event",
        sa.Column("id", WIDE, nullable=False),
        sa.Column("account_id", WIDE, nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", WIDE, nullable=False),
        sa.Column("seq", WIDE, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("deadline", MOMENT, nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("request_id", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_unnumbered_event"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_unnumbered_event_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_unnumbered_event_game_id_game"),
    )
    op.create_index("ix_unnumbered_event_account_id", "unnumbered_event", ["account_id"])
    op.create_index("ix_unnumbered_event_created_at", "unnumbered_event", ["created_at"])


def downgrade() -> None:
    """Readers of the events that are lost get `reset`."""
    op.execute("UPDATE account SET events = events + 1 WHERE id IN (SELECT account_id FROM unnumbered_event)")
    op.drop_table("unnumbered_event")
