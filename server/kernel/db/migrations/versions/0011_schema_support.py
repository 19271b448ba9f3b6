"""The oldest version of the program that works with the schema, so that old and new processes can run side by side."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    made = op.create_table(
        "schema_support",
        sa.Column("oldest", sa.String(length=8), nullable=False),
        sa.PrimaryKeyConstraint("oldest", name="pk_schema_support"),
    )
    op.bulk_insert(made, [{"oldest": revision}])


def downgrade() -> None:
    op.drop_table("schema_support")
