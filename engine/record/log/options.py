"""A game's options as the record holds them: all plain ones, defaults too; the edition's data apart, by its hash.

An options Struct may have a field `edition`, component data whose default is the house edition. It is in no entry:
`created.rules.data` names the file `edition.json` by its hash, and the bundle carries the file. The house edition is
part of the rules version and is written as null.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.errors import BadRecord
from engine.game import Game, Options
from engine.record.encoding import canonical
from engine.record.encoding.canonical import H

FILE = "edition.json"
MOST_EDITION = 2**18


def load_options(game: Game[Any], plain: Mapping[str, Any], edition: bytes | None = None) -> Options:
    """The options from their plain values (left-out ones get the default) and the bytes of an edition's file.

    BadRecord `bad-options` or `bad-edition` if they are not of the game's types or name `edition` among the plain ones.
    """
    kind = game.meta.options
    if "edition" in plain:
        raise BadRecord("bad-options", "an edition is a separate file, not an option")
    try:
        given = {} if edition is None else {"edition": _load_edition(kind, edition)}
        options: Options = msgspec.convert({**plain, **given}, kind)
    except msgspec.ValidationError as no:
        raise BadRecord("bad-options", f"options of {game.meta.key}: {no}".replace("`", "'")) from None
    return options


def dump_options(options: Options) -> tuple[dict[str, Any], bytes | None]:
    """All plain options, and the canonical bytes of the edition: None if it is the house edition."""
    plain: dict[str, Any] = msgspec.to_builtins(options)
    plain.pop("edition", None)
    edition = getattr(options, "edition", None)
    house = type(options)().edition if edition is not None else None  # type: ignore[attr-defined]  # same Struct
    return plain, None if edition == house else canonical.dumps(edition)


def data_hash(data: bytes) -> str:
    """The name by which `rules.data` knows a file: SHA-256 in base64url."""
    return canonical.to_base64url(H(data))


def _load_edition(kind: type[Options], edition: bytes) -> Any:
    """As plain JSON: its Struct is read with the options, so its types and bounds hold."""
    if len(edition) > MOST_EDITION:
        raise BadRecord("bad-edition", f"an edition has at most {MOST_EDITION} bytes")
    if "edition" not in kind.__struct_fields__:
        raise BadRecord("bad-edition", "this game has no editions")
    return canonical.loads(edition)
