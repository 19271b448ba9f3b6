"""Why a game is stopped by a fault."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("fault", sa.String(length=24), nullable=True))


def downgrade() -> None:
    op.drop_column("game", "fault")
