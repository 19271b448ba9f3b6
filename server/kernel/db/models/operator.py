"""The log of operators: what they did at the command line."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from server.kernel.db.models.base import Base


class SchemaSupport(Base):
    """One row: programs whose newest migration is `oldest`, or a later one, work with the schema of this database.

    A migration that only adds leaves it alone; one that takes something away sets it (`server.kernel.db.schema`).
    """

    __tablename__ = "schema_support"
    oldest: Mapped[str] = mapped_column(String(8), primary_key=True)


class OperatorAct(Base):
    """One act of an operator, written in the transaction that carries it out. Nothing changes or removes it.

    `about` names the subject by its kind and number (`account 7`), never by a name or an address, which can be erased.
    """

    __tablename__ = "operator_log"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    who: Mapped[str] = mapped_column(String(60))
    act: Mapped[str] = mapped_column(String(30))
    about: Mapped[str] = mapped_column(String(120), index=True)
    why: Mapped[str] = mapped_column(String(500))
