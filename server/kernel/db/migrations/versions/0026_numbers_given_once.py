"""On SQLite, the number of a deleted row is not given to another one where somebody may still mean it."""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

CHILDREN = ("hook_answer", "hook_delivery", "push_message")  # each before the table that its rows refer to
TABLES = (
    *("hook", "hook_delivery", "push_subscription", "push_message"),
    *("inbound_mail", "holiday", "report", "uninvited"),
)


def upgrade() -> None:
    _rewrite(numbered_once=True)


def downgrade() -> None:
    _rewrite(numbered_once=False)


def _rewrite(*, numbered_once: bool) -> None:
    """A table can be made anew only while no row refers to it."""
    if op.get_bind().dialect.name != "sqlite":
        return
    for name in CHILDREN:
        op.execute(f"CREATE TEMPORARY TABLE kept_{name} AS SELECT * FROM {name}")  # noqa: S608 - all constants
        op.execute(f"DELETE FROM {name}")  # noqa: S608
    for name in TABLES:
        with op.batch_alter_table(name, recreate="always", table_kwargs={"sqlite_autoincrement": numbered_once}):
            pass
    for name in reversed(CHILDREN):
        op.execute(f"INSERT INTO {name} SELECT * FROM kept_{name}")  # noqa: S608
        op.execute(f"DROP TABLE kept_{name}")
