"""Hosts, doors, ends and rematches of tables; places that are kept for somebody; consents; handles of accounts.

`place` takes over `invitation`. A table that waits for players today ends in 14 days, like one that somebody joins now.
"""

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
ASKED = sa.text("state = 'asked'")
MOMENT = sa.DateTime(timezone=True)
MINUTES, DAYS = timedelta(minutes=10), timedelta(days=14)


def upgrade() -> None:
    for column in _of_game():
        op.add_column("game", column)
    op.execute("UPDATE game SET host_id = creator_id")
    op.execute("UPDATE game SET door = 'link' WHERE NOT listed")
    op.drop_column("game", "listed")
    op.create_index("ix_game_host_id", "game", ["host_id"])
    op.create_index("uq_game_rematch_of", "game", ["rematch_of"], unique=True)
    lobby = sa.text("status = 'lobby'")
    op.create_index("ix_game_ends_at", "game", ["ends_at"], sqlite_where=lobby, postgresql_where=lobby)
    op.add_column("seat", sa.Column("ready", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("account", sa.Column("handle", sa.String(length=8), nullable=True))
    op.create_index("uq_account_handle", "account", ["handle"], unique=True)
    op.add_column("outbox", sa.Column("place_id", sa.Integer(), nullable=True))
    op.add_column("notification", sa.Column("place_id", sa.Integer(), nullable=True))
    _create_tables()
    _fill()
    op.drop_table("invitation")


def _of_game() -> list[sa.Column[Any]]:
    return [
        sa.Column("host_id", sa.Integer(), nullable=True),
        sa.Column("door", sa.String(length=7), nullable=False, server_default="open"),
        sa.Column("start", sa.String(length=5), nullable=False, server_default="full"),
        sa.Column("ends_at", MOMENT, nullable=True),
        sa.Column("warned_at", MOMENT, nullable=True),
        sa.Column("kept_open", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("rematch_of", sa.String(length=36), nullable=True),
        sa.Column("series_id", sa.String(length=36), nullable=True),
    ]


def _create_tables() -> None:
    op.create_table(
        "place",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("box_mac", sa.LargeBinary(), nullable=True),
        sa.Column("kind", sa.String(length=7), nullable=False),
        sa.Column("by_id", sa.Integer(), nullable=True),
        sa.Column("until", MOMENT, nullable=False),
        sa.Column("state", sa.String(length=9), nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.Column("mailed_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_place_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_place_game_id_game"),
        sa.PrimaryKeyConstraint("id", name="pk_place"),
        sqlite_autoincrement=True,
    )
    for name, columns in {"seat": ["game_id", "seat"], "account": ["game_id", "account_id"]}.items():
        op.create_index(f"uq_place_{name}", "place", columns, unique=True, sqlite_where=ASKED, postgresql_where=ASKED)
    op.create_index("ix_place_account_id", "place", ["account_id"])
    op.create_index("ix_place_box_mac", "place", ["box_mac"])
    op.create_index("ix_place_by_id", "place", ["by_id", "made_at"])
    op.create_index("ix_place_email", "place", ["email"])
    op.create_index("ix_place_until", "place", ["until"], sqlite_where=ASKED, postgresql_where=ASKED)
    op.create_table(
        "uninvited",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("box_mac", sa.LargeBinary(), nullable=True),
        sa.Column("by_id", sa.Integer(), nullable=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_uninvited"),
    )
    op.create_index("ix_uninvited_account_id", "uninvited", ["account_id"])
    op.create_index("ix_uninvited_box_mac", "uninvited", ["box_mac"])
    op.create_table(
        "quota",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_quota_account_id_account"),
        sa.PrimaryKeyConstraint("account_id", name="pk_quota"),
    )
    op.create_table(
        "consent",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("what", sa.String(length=6), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("about", sa.String(length=40), nullable=True),
        sa.Column("since_seq", sa.Integer(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_consent_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_consent_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "what", "account_id", name="pk_consent"),
    )


def _fill() -> None:
    here = op.get_bind()
    game, account, place, invitation = (
        sa.table("game", sa.column("status"), sa.column("ends_at", MOMENT)),
        sa.table("account", sa.column("id"), sa.column("handle"), sa.column("erased_at", MOMENT)),
        sa.table("place", *(sa.column(n) for n in ("game_id", "seat", "account_id", "kind", "state")), *_moments()),
        sa.table(
            "invitation", *(sa.column(n) for n in ("game_id", "seat", "account_id")), sa.column("created_at", MOMENT)
        ),
    )
    here.execute(sa.update(game).where(game.c.status == "lobby").values(ends_at=datetime.now(UTC) + DAYS))
    for number in here.scalars(sa.select(account.c.id).where(account.c.erased_at.is_(None))).all():
        drawn = "".join(LETTERS[byte % 32] for byte in secrets.token_bytes(8))
        here.execute(sa.update(account).where(account.c.id == number).values(handle=drawn))
    for row in here.execute(sa.select(invitation)).mappings().all():
        times = {"made_at": row["created_at"], "until": row["created_at"] + MINUTES}
        kept = {name: row[name] for name in ("game_id", "seat", "account_id")}
        here.execute(sa.insert(place).values(**kept, **times, kind="house", state="asked"))


def _moments() -> list[sa.ColumnClause[datetime]]:
    return [sa.column("made_at", MOMENT), sa.column("until", MOMENT)]


def downgrade() -> None:
    op.create_table(
        "invitation",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_invitation_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_invitation_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_invitation"),
    )
    op.create_index("ix_invitation_account_id", "invitation", ["account_id"])
    op.execute(
        "INSERT INTO invitation (game_id, seat, account_id, created_at) SELECT game_id, seat, account_id, made_at "
        "FROM place WHERE kind = 'house' AND state = 'asked'"
    )
    for table in ("consent", "quota", "uninvited", "place"):
        op.drop_table(table)
    op.drop_column("notification", "place_id")
    op.drop_column("outbox", "place_id")
    op.drop_index("uq_account_handle", "account")
    op.drop_column("account", "handle")
    op.drop_column("seat", "ready")
    for index in ("ix_game_ends_at", "uq_game_rematch_of", "ix_game_host_id"):
        op.drop_index(index, "game")
    op.add_column("game", sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.execute(sa.text("UPDATE game SET listed = :no WHERE door != 'open'").bindparams(no=False))
    for column in _of_game():
        op.drop_column("game", column.name)
