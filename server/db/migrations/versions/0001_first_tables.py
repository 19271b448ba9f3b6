"""The first tables, and the triggers that keep entries as they are."""

import sqlalchemy as sa
from alembic import op

from server.db import append_only

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("email", name=op.f("uq_account_email")),
    )
    op.create_table(
        "login_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("account_name", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_link")),
    )
    with op.batch_alter_table("login_link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_login_link_email"), ["email"], unique=False)

    op.create_table(
        "account_key",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("kid", sa.String(length=43), nullable=False),
        sa.Column("x", sa.String(length=43), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_account_key_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_key")),
        sa.UniqueConstraint("kid", name=op.f("uq_account_key_kid")),
    )
    with op.batch_alter_table("account_key", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_account_key_account_id"), ["account_id"], unique=False)

    op.create_table(
        "api_token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("scopes", sa.String(length=60), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_api_token_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("hash", name=op.f("uq_api_token_hash")),
    )
    with op.batch_alter_table("api_token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_api_token_account_id"), ["account_id"], unique=False)

    op.create_table(
        "game",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("options", sa.String(), nullable=False),
        sa.Column("edition", sa.LargeBinary(), nullable=True),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("clock_move", sa.Integer(), nullable=True),
        sa.Column("clock_bank", sa.Integer(), nullable=True),
        sa.Column("clock_increment", sa.Integer(), nullable=True),
        sa.Column("clock_cap", sa.Integer(), nullable=True),
        sa.Column("clock_grace", sa.Integer(), nullable=True),
        sa.Column("clock_missed", sa.Integer(), nullable=True),
        sa.Column("handover", sa.String(length=6), nullable=False),
        sa.Column("terms", sa.String(length=43), nullable=True),
        sa.Column("head_seq", sa.Integer(), nullable=False),
        sa.Column("head_hash", sa.LargeBinary(), nullable=False),
        sa.Column("creator_id", sa.Integer(), nullable=False),
        sa.Column("secret_r", sa.LargeBinary(), nullable=False),
        sa.Column("faulted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["creator_id"], ["account.id"], name=op.f("fk_game_creator_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
    )
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_game_created_at"), ["created_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_game_creator_id"), ["creator_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_game_status"), ["status"], unique=False)
        batch_op.create_index(batch_op.f("ix_game_type"), ["type"], unique=False)

    op.create_table(
        "key_challenge",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("nonce", sa.String(length=43), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_key_challenge_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_key_challenge")),
        sa.UniqueConstraint("nonce", name=op.f("uq_key_challenge_nonce")),
    )
    with op.batch_alter_table("key_challenge", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_key_challenge_account_id"), ["account_id"], unique=False)

    op.create_table(
        "entry",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("line", sa.LargeBinary(), nullable=False),
        sa.Column("leaf_hash", sa.LargeBinary(), nullable=False),
        sa.Column("jws_sha256", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_entry_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "seq", name=op.f("pk_entry")),
        sa.UniqueConstraint("jws_sha256", name=op.f("uq_entry_jws_sha256")),
    )
    op.create_table(
        "entry_private",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("opening", sa.LargeBinary(), nullable=True),
        sa.Column("done", sa.Integer(), nullable=True),
        sa.Column("refusal", sa.String(), nullable=True),
        sa.Column("hidden_next", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_entry_private_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "seq", name=op.f("pk_entry_private")),
    )
    op.create_table(
        "idempotency_key",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("request_hash", sa.LargeBinary(), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_idempotency_key_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_idempotency_key_game_id_game")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_idempotency_key")),
        sa.UniqueConstraint("account_id", "key", name=op.f("uq_idempotency_key_account_id")),
    )
    op.create_table(
        "notification",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("dedupe_key", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("game_id", sa.String(length=36), nullable=True),
        sa.Column("login_link_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("message_id", sa.String(length=250), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.String(length=500), nullable=True),
        sa.Column("reason", sa.String(length=200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_notification_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_notification_game_id_game")),
        sa.ForeignKeyConstraint(
            ["login_link_id"], ["login_link.id"], name=op.f("fk_notification_login_link_id_login_link")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notification")),
        sa.UniqueConstraint("dedupe_key", name=op.f("uq_notification_dedupe_key")),
    )
    with op.batch_alter_table("notification", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_notification_account_id"), ["account_id"], unique=False)
        batch_op.create_index("ix_notification_due", ["state", "next_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_notification_game_id"), ["game_id"], unique=False)

    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("login_link_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("dispatched_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_outbox_game_id_game")),
        sa.ForeignKeyConstraint(["login_link_id"], ["login_link.id"], name=op.f("fk_outbox_login_link_id_login_link")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("ix_outbox_waiting", ["dispatched_at", "id"], unique=False)

    op.create_table(
        "seat",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("since_seq", sa.Integer(), nullable=False),
        sa.Column("question_seq", sa.Integer(), nullable=True),
        sa.Column("active_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deadline_seq", sa.Integer(), nullable=True),
        sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reminded_seq", sa.Integer(), nullable=True),
        sa.Column("bank", sa.Integer(), nullable=True),
        sa.Column("absent", sa.Boolean(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("free", sa.Boolean(), nullable=False),
        sa.Column("muted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_seat_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_seat_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seat")),
        sa.UniqueConstraint("game_id", "account_id", name=op.f("uq_seat_game_id")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_account_id"), ["account_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_seat_deadline"), ["deadline"], unique=False)
        batch_op.create_index(batch_op.f("ix_seat_remind_at"), ["remind_at"], unique=False)

    op.create_table(
        "former_holder",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("until_seq", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("since_seq", sa.Integer(), nullable=False),
        sa.Column("ended", sa.String(length=7), nullable=False),
        sa.Column("muted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_former_holder_account_id_account")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_former_holder_game_id_game")),
        sa.PrimaryKeyConstraint("game_id", "until_seq", name=op.f("pk_former_holder")),
    )
    with op.batch_alter_table("former_holder", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_former_holder_account_id"), ["account_id"], unique=False)
    for statement in append_only.statements(op.get_bind().dialect.name):
        op.execute(statement)


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION refuse_append_only CASCADE")
    op.drop_table("former_holder")
    op.drop_table("seat")
    op.drop_table("outbox")
    op.drop_table("notification")
    op.drop_table("idempotency_key")
    op.drop_table("entry_private")
    op.drop_table("entry")
    op.drop_table("key_challenge")
    op.drop_table("game")
    op.drop_table("api_token")
    op.drop_table("account_key")
    op.drop_table("login_link")
    op.drop_table("account")
