"""Why a game is stopped by a fault, and the key backups that newer ones have replaced."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("fault", sa.String(length=24), nullable=True))
    op.add_column("former_box", sa.Column("box", sa.String(length=4096), nullable=True))


def downgrade() -> None:
    op.drop_column("former_box", "box")
    op.drop_column("game", "fault")
