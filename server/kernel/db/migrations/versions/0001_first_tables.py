"""The first tables, by what they are for, and the triggers that keep entries as they are."""

import sqlalchemy as sa
from alembic import op

from server.kernel.db import append_only

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_accounts()
    _create_games()
    _create_entries()
    _create_hooks()
    _create_mail()
    _create_quarantine()
    for statement in append_only.statements(op.get_bind().dialect.name):
        op.execute(statement)


def _create_accounts() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("events", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("bot", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("owner_id", sa.Integer(), nullable=True),
        sa.Column("level", sa.String(length=10), nullable=True),
        sa.Column("zone", sa.String(length=40), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_account"),
        sa.UniqueConstraint("email", name="uq_account_email"),
    )
    op.create_index("ix_account_level", "account", ["level"])
    op.create_index("ix_account_owner_id", "account", ["owner_id"])
    op.create_table(
        "login_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("account_name", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("leads_to", sa.String(length=200), nullable=True),
        sa.Column("box", sa.String(length=254), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("id", name="pk_login_link"),
    )
    op.create_index("ix_login_link_box", "login_link", ["box"])
    op.create_index("ix_login_link_email", "login_link", ["email"])
    op.create_table(
        "account_key",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("kid", sa.String(length=43), nullable=False),
        sa.Column("x", sa.String(length=43), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("session_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_account_key_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_account_key"),
        sa.UniqueConstraint("kid", name="uq_account_key_kid"),
    )
    op.create_index("ix_account_key_account_id", "account_key", ["account_id"])
    op.create_table(
        "api_token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("scopes", sa.String(length=60), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("account_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_api_token_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_api_token"),
        sa.UniqueConstraint("hash", name="uq_api_token_hash"),
    )
    op.create_index("ix_api_token_account_id", "api_token", ["account_id"])
    op.create_table(
        "calendar_link",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_calendar_link_account_id_account"),
        sa.PrimaryKeyConstraint("account_id", name="pk_calendar_link"),
        sa.UniqueConstraint("hash", name="uq_calendar_link_hash"),
    )
    op.create_table(
        "former_box",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("kid", sa.String(length=43), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_former_box_account_id_account"),
        sa.PrimaryKeyConstraint("account_id", "kid", name="pk_former_box"),
    )
    op.create_table(
        "key_box",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("box", sa.String(length=4096), nullable=False),
        sa.Column("kid", sa.String(length=43), nullable=False),
        sa.Column("x", sa.String(length=43), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_key_box_account_id_account"),
        sa.PrimaryKeyConstraint("account_id", name="pk_key_box"),
        sa.UniqueConstraint("kid", name="uq_key_box_kid"),
    )
    op.create_table(
        "key_challenge",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("nonce", sa.String(length=43), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_key_challenge_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_key_challenge"),
        sa.UniqueConstraint("nonce", name="uq_key_challenge_nonce"),
    )
    op.create_index("ix_key_challenge_account_id", "key_challenge", ["account_id"])
    op.create_table(
        "waiting_act",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("act", sa.String(length=10), nullable=False),
        sa.Column("about", sa.String(length=254), nullable=False),
        sa.Column("is_signed", sa.Boolean(), nullable=False),
        sa.Column("old_said_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("new_said_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("how", sa.String(length=10), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_waiting_act_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_waiting_act"),
    )
    op.create_index("ix_waiting_act_account_id", "waiting_act", ["account_id"])
    op.create_index("ix_waiting_act_due", "waiting_act", ["ended_at", "due_at"])
    op.create_table(
        "web_session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_web_session_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_web_session"),
        sa.UniqueConstraint("hash", name="uq_web_session_hash"),
    )
    op.create_index("ix_web_session_account_id", "web_session", ["account_id"])


def _create_games() -> None:
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
        sa.Column("clock_grants", sa.Integer(), nullable=True),
        sa.Column("handover", sa.String(length=6), nullable=False),
        sa.Column("offer_wait", sa.Integer(), nullable=False),
        sa.Column("terms", sa.String(length=43), nullable=True),
        sa.Column("head_seq", sa.Integer(), nullable=False),
        sa.Column("head_hash", sa.LargeBinary(), nullable=False),
        sa.Column("creator_id", sa.Integer(), nullable=False),
        sa.Column("secret_r", sa.LargeBinary(), nullable=False),
        sa.Column("faulted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("key_number", sa.Integer(), nullable=False, server_default="1"),
        sa.Column("shown_size", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("missing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bots", sa.String(length=5), nullable=False, server_default="any"),
        sa.Column("related", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("stand_in", sa.String(length=10), nullable=True),
        sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.true()),
        sa.Column("audit_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["creator_id"], ["account.id"], name="fk_game_creator_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
    )
    op.create_index("ix_game_audit_at", "game", ["audit_at"])
    op.create_index("ix_game_created_at", "game", ["created_at"])
    op.create_index("ix_game_creator_id", "game", ["creator_id"])
    op.create_index("ix_game_key_number", "game", ["key_number", "created_at"])
    op.create_index("ix_game_status", "game", ["status"])
    op.create_index("ix_game_type", "game", ["type"])
    op.create_table(
        "audit",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("head_hash", sa.LargeBinary(), nullable=False),
        sa.Column("verdict", sa.String(length=10), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=True),
        sa.Column("says", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_audit_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", name="pk_audit"),
    )
    unsound = sa.text("verdict IN ('fails', 'unknown')")
    op.create_index("ix_audit_unsound", "audit", ["verdict"], sqlite_where=unsound, postgresql_where=unsound)
    op.create_table(
        "former_holder",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("until_seq", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("since_seq", sa.Integer(), nullable=False),
        sa.Column("ended", sa.String(length=7), nullable=False),
        sa.Column("muted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_former_holder_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_former_holder_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "until_seq", name="pk_former_holder"),
    )
    op.create_index("ix_former_holder_account_id", "former_holder", ["account_id"])
    op.create_table(
        "handed_text",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("sealed", sa.String(length=43), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_handed_text_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "sealed", name="pk_handed_text"),
    )
    op.create_table(
        "idempotency_key",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("request_hash", sa.LargeBinary(), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_idempotency_key_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_idempotency_key_game_id_game"),
        sa.PrimaryKeyConstraint("id", name="pk_idempotency_key"),
        sa.UniqueConstraint("account_id", "key", name="uq_idempotency_key_account_id"),
    )
    op.create_table(
        "invitation",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_invitation_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_invitation_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_invitation"),
    )
    op.create_index("ix_invitation_account_id", "invitation", ["account_id"])
    op.create_table(
        "plan",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("since_seq", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("commands", sa.Text(), nullable=False),
        sa.Column("notation", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_plan_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_plan_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_plan"),
    )
    op.create_index("ix_plan_account_id", "plan", ["account_id"])
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
        sa.Column("free_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("muted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_seat_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_seat_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seat"),
        sa.UniqueConstraint("game_id", "account_id", name="uq_seat_game_id"),
    )
    op.create_index("ix_seat_account_id", "seat", ["account_id"])
    op.create_index("ix_seat_deadline", "seat", ["deadline"])
    op.create_index("ix_seat_remind_at", "seat", ["remind_at"])
    op.create_table(
        "shown_note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("relation", sa.String(length=10), nullable=False),
        sa.Column("shown_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_shown_note_game_id_game"),
        sa.PrimaryKeyConstraint("id", name="pk_shown_note"),
        sa.UniqueConstraint("game_id", "size", "hash", name="uq_shown_note_game_id"),
    )


def _create_entries() -> None:
    op.create_table(
        "account_event",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_account_event_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_account_event_game_id_game"),
        sa.PrimaryKeyConstraint("account_id", "n", name="pk_account_event"),
    )
    op.create_index("ix_account_event_created_at", "account_event", ["created_at"])
    op.create_table(
        "entry",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("line", sa.LargeBinary(), nullable=False),
        sa.Column("leaf_hash", sa.LargeBinary(), nullable=False),
        sa.Column("jws_sha256", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_entry_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_entry"),
        sa.UniqueConstraint("jws_sha256", name="uq_entry_jws_sha256"),
    )
    op.create_table(
        "entry_private",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("opening", sa.LargeBinary(), nullable=True),
        sa.Column("done", sa.Integer(), nullable=True),
        sa.Column("refusal", sa.String(), nullable=True),
        sa.Column("hidden_next", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_entry_private_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "seq", name="pk_entry_private"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("login_link_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("dispatched_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("waiting_act_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_outbox_game_id_game"),
        sa.ForeignKeyConstraint(["login_link_id"], ["login_link.id"], name="fk_outbox_login_link_id_login_link"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
    )
    op.create_index("ix_outbox_waiting", "outbox", ["dispatched_at", "id"])


def _create_hooks() -> None:
    op.create_table(
        "hook",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("host", sa.String(length=500), nullable=False),
        sa.Column("kinds", sa.String(length=200), nullable=True),
        sa.Column("signature", sa.String(length=3), nullable=False),
        sa.Column("secret_r", sa.LargeBinary(), nullable=False),
        sa.Column("former_r", sa.LargeBinary(), nullable=True),
        sa.Column("former_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cursor", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("paused", sa.String(length=10), nullable=True),
        sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_hook_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_hook"),
    )
    op.create_index("ix_hook_account_id", "hook", ["account_id"])
    op.create_table(
        "hook_delivery",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hook_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=True),
        sa.Column("lane", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("reason", sa.String(length=20), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["hook_id"], ["hook.id"], name="fk_hook_delivery_hook_id_hook"),
        sa.PrimaryKeyConstraint("id", name="pk_hook_delivery"),
        sa.UniqueConstraint("hook_id", "n", name="uq_hook_delivery_hook_id"),
    )
    op.create_index("ix_hook_delivery_due", "hook_delivery", ["state", "next_at"])
    op.create_index("ix_hook_delivery_ended_at", "hook_delivery", ["ended_at"])
    op.create_index("ix_hook_delivery_lane", "hook_delivery", ["hook_id", "lane", "state", "n"])
    op.create_table(
        "hook_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("delivery_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("error", sa.String(length=20), nullable=True),
        sa.Column("ms", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["delivery_id"], ["hook_delivery.id"], name="fk_hook_answer_delivery_id_hook_delivery"),
        sa.PrimaryKeyConstraint("id", name="pk_hook_answer"),
    )
    op.create_index("ix_hook_answer_delivery_id", "hook_answer", ["delivery_id"])


def _create_mail() -> None:
    op.create_table(
        "inbound_mail",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=6), nullable=False),
        sa.Column("token", sa.String(length=24), nullable=False),
        sa.Column("notification_id", sa.Integer(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("via", sa.String(length=8), nullable=False),
        sa.Column("relayed", sa.Boolean(), nullable=False),
        sa.Column("room", sa.String(length=6), nullable=False),
        sa.Column("once", sa.String(length=100), nullable=True),
        sa.Column("name", sa.LargeBinary(), nullable=True),
        sa.Column("state", sa.String(length=11), nullable=False),
        sa.Column("reason", sa.String(length=200), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_inbound_mail"),
        sa.UniqueConstraint("name", name="uq_inbound_mail_name"),
        sa.UniqueConstraint("once", name="uq_inbound_mail_once"),
    )
    op.create_index("ix_inbound_mail_due", "inbound_mail", ["state", "next_at"])
    op.create_index("ix_inbound_mail_ended_at", "inbound_mail", ["ended_at"])
    op.create_index("ix_inbound_mail_notification_id", "inbound_mail", ["notification_id"])
    op.create_table(
        "mail_choice",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("says", sa.Text(), nullable=False),
        sa.Column("reminds", sa.Boolean(), nullable=False),
        sa.Column("hours_since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_mail_choice_account_id_account"),
        sa.PrimaryKeyConstraint("account_id", name="pk_mail_choice"),
    )
    op.create_table(
        "mail_report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("notification_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=9), nullable=False),
        sa.Column("says", sa.String(length=500), nullable=False),
        sa.Column("via", sa.String(length=8), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("spent", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_mail_report_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_mail_report"),
    )
    op.create_index("ix_mail_report_account_id", "mail_report", ["account_id"])
    op.create_index("ix_mail_report_at", "mail_report", ["at"])
    op.create_index("ix_mail_report_notification_id", "mail_report", ["notification_id"])
    op.create_table(
        "mail_stop",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("why", sa.String(length=9), nullable=False),
        sa.Column("says", sa.String(length=500), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_mail_stop_account_id_account"),
        sa.PrimaryKeyConstraint("account_id", name="pk_mail_stop"),
    )
    op.create_table(
        "mail_exception",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("says", sa.Text(), nullable=False),
        sa.Column("reminds", sa.Boolean(), nullable=True),
        sa.Column("hours_since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_mail_exception_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_mail_exception_game_id_game"),
        sa.PrimaryKeyConstraint("account_id", "game_id", name="pk_mail_exception"),
    )
    op.create_table(
        "mail_reminder",
        sa.Column("game_id", sa.String(length=36), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("deadline_seq", sa.Integer(), nullable=False),
        sa.Column("hours", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_mail_reminder_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_mail_reminder_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_mail_reminder"),
    )
    op.create_index("ix_mail_reminder_account_id", "mail_reminder", ["account_id"])
    op.create_index("ix_mail_reminder_at", "mail_reminder", ["at"])
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
        sa.Column("hook_id", sa.Integer(), nullable=True),
        sa.Column("waiting_act_id", sa.Integer(), nullable=True),
        sa.Column("inbound_id", sa.Integer(), nullable=True),
        sa.Column("said", sa.String(length=500), nullable=True),
        sa.Column("said_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("waited", sa.String(length=10), nullable=True),
        sa.Column("digest_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_notification_account_id_account"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_notification_game_id_game"),
        sa.ForeignKeyConstraint(["login_link_id"], ["login_link.id"], name="fk_notification_login_link_id_login_link"),
        sa.PrimaryKeyConstraint("id", name="pk_notification"),
        sa.UniqueConstraint("dedupe_key", name="uq_notification_dedupe_key"),
    )
    op.create_index("ix_notification_account_id", "notification", ["account_id"])
    op.create_index("ix_notification_digest_id", "notification", ["digest_id"])
    op.create_index("ix_notification_due", "notification", ["state", "next_at"])
    op.create_index("ix_notification_game_id", "notification", ["game_id"])
    op.create_index("ix_notification_kind", "notification", ["state", "kind", "next_at"])
    op.create_index("ix_notification_message_id", "notification", ["message_id"])


def _create_quarantine() -> None:
    op.create_table(
        "quarantine",
        sa.Column("loop", sa.String(length=20), nullable=False),
        sa.Column("key", sa.String(length=60), nullable=False),
        sa.Column("error", sa.String(length=60), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("loop", "key", name="pk_quarantine"),
    )


LAST_FIRST = """
quarantine notification mail_reminder mail_exception mail_stop mail_report mail_choice inbound_mail
hook_answer hook_delivery hook outbox entry_private entry account_event shown_note seat plan
invitation idempotency_key handed_text former_holder audit game web_session waiting_act
key_challenge key_box former_box calendar_link api_token account_key login_link account
"""


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION refuse_append_only CASCADE")
    for table in LAST_FIRST.split():
        op.drop_table(table)
