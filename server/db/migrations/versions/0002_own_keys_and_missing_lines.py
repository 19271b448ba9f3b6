"""Which of the server's keys signs a game's notes, and what people show and hand in after a restore."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("key_number", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("game", sa.Column("shown_size", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("game", sa.Column("missing_since", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_game_key_number", "game", ["key_number", "created_at"], unique=False)
    op.create_table(
        "shown_note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("relation", sa.String(length=10), nullable=False),
        sa.Column("shown_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_shown_note_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shown_note")),
        sa.UniqueConstraint("game_id", "size", "hash", name=op.f("uq_shown_note_game_id")),
    )
    op.create_table(
        "handed_text",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("sealed", sa.String(length=43), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_handed_text_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "sealed", name=op.f("pk_handed_text")),
    )


def downgrade() -> None:
    op.drop_table("handed_text")
    op.drop_table("shown_note")
    op.drop_index("ix_game_key_number", table_name="game")
    op.drop_column("game", "missing_since")
    op.drop_column("game", "shown_size")
    op.drop_column("game", "key_number")
