"""Bots: accounts of machines, tables that let them sit or do not, and seats that are kept for house players."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("account", sa.Column("bot", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("account", sa.Column("owner_id", sa.Integer(), nullable=True))
    op.add_column("account", sa.Column("level", sa.String(length=10), nullable=True))
    op.create_index(op.f("ix_account_owner_id"), "account", ["owner_id"], unique=False)
    op.create_index(op.f("ix_account_level"), "account", ["level"], unique=False)
    op.add_column("game", sa.Column("bots", sa.String(length=5), nullable=False, server_default="any"))
    op.add_column("game", sa.Column("related", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("game", sa.Column("stand_in", sa.String(length=10), nullable=True))
    op.create_table(
        "invitation",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_invitation_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_invitation_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_invitation")),
    )
    op.create_index(op.f("ix_invitation_account_id"), "invitation", ["account_id"], unique=False)


def downgrade() -> None:
    op.drop_table("invitation")
    for column in ("stand_in", "related", "bots"):
        op.drop_column("game", column)
    op.drop_index(op.f("ix_account_level"), table_name="account")
    op.drop_index(op.f("ix_account_owner_id"), table_name="account")
    for column in ("level", "owner_id", "bot"):
        op.drop_column("account", column)
