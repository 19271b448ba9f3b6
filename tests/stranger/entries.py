"""Entries, each judged alone (section 4 and 4.1)."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.stranger.acts import SERVER, UUID, read_commands
from tests.stranger.keys import check_public
from tests.stranger.lines import (
    SEATS,
    Json,
    Newer,
    Refused,
    array,
    ascending_seats,
    bytes32,
    flag,
    leaf,
    matching,
    members,
    name,
    need,
    number,
    one_of,
    read_line,
    to_base64url,
)

DATA_FILE = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}"
LONG = 2**25
MANY = 2**20
COMMON = {"v", "game", "seq", "prev", "at", "kind"}
CREATED = {
    "server", "server_key", "rules", "options", "seats", "hidden", "clock", "handover", "unsigned", "terms",
    "chance",
}  # fmt: skip
EVENTS = {"events", "state"}
SOMETIMES = frozenset({"seals", "draws", "outcome", "secret"})


@dataclass(frozen=True)
class Entry:
    """An entry as written in its line; `time` is its `at` in seconds."""

    value: dict[str, Any]
    hash: str
    time: int

    def __getattr__(self, member: str) -> Any:
        try:
            return self.value[member]
        except KeyError:
            raise AttributeError(member) from None

    def get(self, member: str) -> Any:
        return self.value.get(member)

    @property
    def named(self) -> list[int]:
        """The seats that the entry is about."""
        return self.value.get("seats", []) if self.kind == "granted" else [self.seat] if "seat" in self.value else []

    @property
    def ends(self) -> bool:
        return self.kind == "cancelled" or "outcome" in self.value


def read_time(value: Json) -> int:
    matching(value, r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
    try:
        time = dt.datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=dt.UTC)
    except ValueError:
        raise Refused(f"{value} is not a time") from None
    need(time.year >= 1970 and value[17:19] < "60", f"{value} is not a time from 1970 to 9999")
    return int(time.timestamp())


def read_entry(line: bytes) -> Entry:
    value = read_line(line)
    need(isinstance(value, dict), "this is not an object")
    version = value.get("v")
    if type(version) is int and version > 1:
        raise Newer(f"version {version} of the record")
    need(type(version) is int and version == 1, f"version {version}")
    kind = one_of(value.get("kind"), KINDS)
    matching(value.get("game"), UUID)
    first = number(value.get("seq"), 0, MANY - 1) == 0
    previous = bytes32(value.get("prev"))
    need(
        first == (kind == "created") and (not first or not any(previous)), "entry 0 is `created`, with a prev of zeros"
    )
    further = {member: each for member, each in value.items() if member not in COMMON}
    members(value, COMMON | further.keys())
    KINDS[kind](further)
    return Entry(value, to_base64url(leaf(line)), read_time(value["at"]))


def is_newer(line: bytes) -> bool:
    """True if this first line belongs to a later version, whatever else is wrong with it."""
    try:
        read_entry(line)
    except Newer:
        return True
    except Refused:
        pass
    return False


def _created(it: Json) -> None:
    members(it, CREATED)
    matching(it["server"], SERVER)
    check_public(bytes32(it["server_key"]))
    _rules(members(it["rules"], {"game", "version", "data"}))
    need(isinstance(it["options"], dict), "the options are not an object")
    number(it["seats"], 1, SEATS)
    flag(it["hidden"])
    flag(it["unsigned"])
    need(it["clock"] is None or it["seats"] > 1, "a game of one seat has a clock")
    if it["clock"] is not None:
        _clock(it["clock"])
    _handover(members(it["handover"], {"by", "wait"}))
    if it["terms"] is not None:
        bytes32(it["terms"])
    number(members(it["chance"], {"draws", "chain"})["draws"], 0, MANY)
    bytes32(it["chance"]["chain"])


def _rules(it: Json) -> None:
    name(it["game"])
    number(it["version"], 1)
    if it["data"] is not None:
        need(isinstance(it["data"], dict) and it["data"], "the data are neither null nor an object that names files")
        for file, digest in it["data"].items():
            matching(file, DATA_FILE)
            bytes32(digest)


def _clock(clock: Json) -> None:
    for each in members(clock, {"move", "bank", "increment", "cap", "grace", "grants", "missed"}).values():
        number(each, 0, LONG)
    need(clock["bank"] <= clock["cap"], "the bank is above its cap")
    need(clock["move"] + clock["bank"] >= 60 and clock["grace"] >= 60, "less than a minute")


def _handover(it: Json) -> None:
    by = one_of(it["by"], ("none", "offer", "absent", "both"))
    number(it["wait"], 0, LONG if by in ("offer", "both") else 0)


def _seat(it: Json) -> None:
    number(it["seat"], 0, SEATS - 1)


def _by_player(it: Json) -> None:
    _seat(it)
    need(isinstance(it["jws"], str), "the JWS is not a string")


def _joined(it: Json) -> None:
    _by_player(members(it, {"seat", "bot", "jws"}))
    flag(it["bot"])


def _left(it: Json) -> None:
    _seat(members(it, {"seat", "jws"}))
    need(it["jws"] is None or isinstance(it["jws"], str), "the JWS is neither null nor a string")


def _signed(it: Json) -> None:
    _by_player(members(it, {"seat", "jws"}))


def _moved(it: Json) -> None:
    if "jws" in it:
        _by_player(members(it, {"seat", "jws"} | EVENTS, SOMETIMES))
    else:
        sealed = "sealed" in it
        _seat(members(it, {"seat", "via", "sealed" if sealed else "commands"} | EVENTS, SOMETIMES))
        name(it["via"])
        bytes32(it["sealed"]) if sealed else read_commands(it["commands"])
    _events(it)


def _started(it: Json) -> None:
    _events(members(it, EVENTS, SOMETIMES))


def _expired(it: Json) -> None:
    _seat(members(it, {"seat"} | EVENTS, SOMETIMES))
    _events(it)


def _resigned(it: Json) -> None:
    _by_player(members(it, {"seat", "jws"} | EVENTS, SOMETIMES))
    _events(it)


def _granted(it: Json) -> None:
    ascending_seats(members(it, {"seats", "seconds", "why"})["seats"], 1)
    number(it["seconds"], 1, LONG)
    name(it["why"])


def _restored(it: Json) -> None:
    number(members(it, {"size", "hash"})["size"], 1, MANY)
    bytes32(it["hash"])


def _cancelled(it: Json) -> None:
    name(members(it, {"reason", "secret"})["reason"])
    if it["secret"] is not None:
        bytes32(it["secret"])


def _events(it: Json) -> None:
    need(all(isinstance(event, dict) for event in array(it["events"])), "an event is not an object")
    bytes32(it["state"])
    for seal in array(it["seals"], 2, SEATS + 1) if "seals" in it else []:
        bytes32(seal)
    if "draws" in it:
        _draws(members(it["draws"], {"first", "got", "key"}))
    need(("outcome" in it) == ("secret" in it), "outcome and secret do not come together")
    if "outcome" in it:
        _outcome(members(it["outcome"], {"places", "points", "out", "reason", "won"}))
        bytes32(it["secret"])


def _draws(it: Json) -> None:
    number(it["first"], 1)
    bytes32(it["key"])
    for each in array(it["got"], 1):
        possibilities, result = array(each, 2, 2)
        number(result, 0, number(possibilities, 1, 2**32) - 1)


def _outcome(it: Json) -> None:
    for place in array(it["places"]):
        ascending_seats(place, 1)
    for each in array(it["points"]):
        heading, points = array(each, 2, 2)
        need(isinstance(heading, str), "the heading of points is not a string")
        for point in array(points):
            number(point, -(2**53 - 1))
    ascending_seats(it["out"])
    name(it["reason"])
    flag(it["won"])


KINDS: dict[str, Callable[[Json], None]] = {
    "created": _created, "joined": _joined, "left": _left, "started": _started, "moved": _moved, "keyed": _signed,
    "offered": _signed, "taken": _joined, "resigned": _resigned, "expired": _expired, "granted": _granted,
    "restored": _restored, "cancelled": _cancelled,
}  # fmt: skip
WITH_EVENTS = frozenset({"started", "moved", "resigned", "expired"})
