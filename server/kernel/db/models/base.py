"""The base of all tables: names of constraints, and the types of moments and bytes."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import LargeBinary, MetaData
from sqlalchemy.orm import DeclarativeBase

from server.kernel.db.session import Moment

NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {datetime: Moment, bytes: LargeBinary}  # noqa: RUF012 - SQLAlchemy reads it so
