"""The server's public keys that games were made with: a process under another master is refused."""

import base64
import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

# By key number the game whose master is most surely the right one: the oldest that has not ended, or the newest.
ONE_OF_EACH = """
SELECT key_number, line FROM (
  SELECT key_number, id, row_number() OVER (
    PARTITION BY key_number
    ORDER BY status IN ('lobby', 'running') DESC,
      CASE WHEN status IN ('lobby', 'running') THEN created_at END, created_at DESC
  ) AS place FROM game
) AS placed JOIN entry ON entry.game_id = placed.id AND entry.seq = 0 WHERE place = 1
"""


def upgrade() -> None:
    made = op.create_table(
        "server_key",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("public", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_server_key"),
    )
    for number, line in op.get_bind().execute(sa.text(ONE_OF_EACH)).all():
        public = base64.urlsafe_b64decode(json.loads(bytes(line))["server_key"] + "=")
        op.execute(sa.insert(made).values(number=number, public=public))


def downgrade() -> None:
    op.drop_table("server_key")
