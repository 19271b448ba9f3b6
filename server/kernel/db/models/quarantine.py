"""Items that a loop of the workers failed at, and when each is tried again."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from server.kernel.db.models.base import Base


class Quarantined(Base):
    """An item, identified by its loop's name and its key there; `error` is the kind of the last failure."""

    __tablename__ = "quarantine"
    loop: Mapped[str] = mapped_column(String(20), primary_key=True)
    key: Mapped[str] = mapped_column(String(60), primary_key=True)
    error: Mapped[str] = mapped_column(String(60))
    failures: Mapped[int]
    since: Mapped[datetime]
    next_at: Mapped[datetime]
