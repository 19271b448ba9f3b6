"""Triggers that refuse to change or remove entries. The hash chain reveals tampering; the triggers stop accidents."""

from __future__ import annotations

TABLES = ("entry", "entry_private")


def statements(dialect: str) -> list[str]:
    """The DDL for a dialect, for the migration. Not idempotent: it runs once."""
    return _sqlite() if dialect == "sqlite" else _postgresql()


def _sqlite() -> list[str]:
    return [
        f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
        "BEGIN SELECT RAISE(ABORT, 'append-only'); END"
        for table in TABLES
        for verb in ("UPDATE", "DELETE")
    ]


def _postgresql() -> list[str]:
    refuse = (
        "CREATE FUNCTION refuse_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'append-only'; END $$"
    )
    triggers = [
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_append_only()"
        for table in TABLES
    ]
    return [refuse, *triggers]
