"""The indexes of the lists of games hold what filters ask, so that a rare value is found without reading every row."""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

NEWEST = ("created_at", "id")
FILTERED = ("door", "seats", "hidden", "bots", "handover", "clock_move", "clock_bank", "clock_increment")
LISTS = {
    "ix_game_newest": (),
    "ix_game_status_newest": ("status",),
    "ix_game_type_newest": ("type",),
}


def upgrade() -> None:
    _replace(*NEWEST, *FILTERED)


def downgrade() -> None:
    _replace(*NEWEST)


def _replace(*columns: str) -> None:
    """The same number of indexes: a move writes no more than before."""
    for name, first in LISTS.items():
        op.drop_index(name, "game")
        op.create_index(name, "game", [*first, *columns])
