"""On SQLite, the number of a session that has ended is not given to another one."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _rewrite(numbered_once=True)


def downgrade() -> None:
    _rewrite(numbered_once=False)


def _rewrite(*, numbered_once: bool) -> None:
    if op.get_bind().dialect.name == "sqlite":
        again = {"sqlite_autoincrement": numbered_once}
        with op.batch_alter_table("web_session", recreate="always", table_kwargs=again):
            pass
