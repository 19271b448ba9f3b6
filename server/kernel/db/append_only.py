"""Triggers that refuse to change or remove rows: entries, whose hash chain reveals tampering, and the operator's log.

The triggers stop accidents, and a role that does not own the tables (`server.kernel.db.roles`).
"""

from __future__ import annotations

TABLES = ("entry", "entry_private", "operator_log")


def statements(dialect: str) -> list[str]:
    """The DDL of the first migration: what all triggers call, and those of the log of games."""
    return [*_function(dialect), *triggers(dialect, "entry"), *triggers(dialect, "entry_private")]


def triggers(dialect: str, table: str) -> list[str]:
    """The DDL that makes a table append-only, for the migration that adds it. Not idempotent: it runs once."""
    if dialect == "sqlite":
        return [
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
            "BEGIN SELECT RAISE(ABORT, 'append-only'); END"
            for verb in ("UPDATE", "DELETE")
        ]
    verbs = "UPDATE OR DELETE OR TRUNCATE"
    calls = "FOR EACH STATEMENT EXECUTE FUNCTION refuse_append_only()"
    return [f"CREATE TRIGGER {table}_append_only BEFORE {verbs} ON {table} {calls}"]


def _function(dialect: str) -> list[str]:
    refuse = (
        "CREATE FUNCTION refuse_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'append-only'; END $$"
    )
    return [] if dialect == "sqlite" else [refuse]
