"""Section 4: the form of an entry, as far as its line alone tells."""

import re
from datetime import UTC, datetime

from tests.stranger.keys import point
from tests.stranger.lines import Newer, Refused, exactly, need, read, unbase

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
SERVER = re.compile(r"[A-Za-z0-9._:\[\]-]{1,255}")
SECONDS = 2**25


def matches(pattern, value, what):
    need(type(value) is str and pattern.fullmatch(value), f"not {what}")


def between(value, low, high, what):
    need(type(value) is int and low <= value <= high, f"not {what} from {low} to {high}")


def seat(value):
    between(value, 0, 63, "a seat")


def seats(value):
    need(type(value) is list, "not a list of seats")
    for each in value:
        seat(each)
    need(value == sorted(set(value)), "seats not ascending, or one twice")


def seq(value):
    between(value, 0, 2**20 - 1, "a seq")


def game_id(value):
    matches(UUID, value, "a UUID")


def name(value):
    matches(NAME, value, "a name")


def server_name(value):
    matches(SERVER, value, "a host")


def flag(value):
    need(value is True or value is False, "neither true nor false")


def bytes32(value):
    unbase(value, 32)


def bytes32_or_null(value):
    if value is not None:
        unbase(value, 32)


def text(value):
    need(type(value) is str, "not a string")


def text_or_null(value):
    need(value is None or type(value) is str, "neither a string nor null")


def instant(value):
    """The seconds since 1970 of an `at`."""
    matches(TIME, value, "a time")
    try:
        moment = datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise Refused("no moment of the calendar") from None
    need(moment.year >= 1970, "before 1970")
    return int(moment.timestamp())


def commands(value):
    need(type(value) is list and 1 <= len(value) <= 64, "not 1 to 64 commands")


def events(value):
    need(type(value) is list and all(type(each) is dict for each in value), "not an array of objects")


def seals(value):
    need(type(value) is list and 2 <= len(value) <= 65, "not one seal for each seat and one more")
    for each in value:
        unbase(each, 32)


def draws(value):
    exactly(value, "first", "got", "key")
    between(value["first"], 1, 2**20, "a draw")
    bytes32(value["key"])
    need(type(value["got"]) is list and value["got"], "draws of nothing")
    for pair in value["got"]:
        need(type(pair) is list and len(pair) == 2, "not [n, result]")
        between(pair[0], 1, 2**32, "n")
        between(pair[1], 0, pair[0] - 1, "a result")


def outcome(value):
    exactly(value, "places", "points", "out", "reason", "won")
    need(type(value["places"]) is list and type(value["points"]) is list, "places or points are no arrays")
    for place in value["places"]:
        seats(place)
        need(place, "a place of nobody")
    for row in value["points"]:
        need(type(row) is list and len(row) == 2, "not [heading, points]")
        text(row[0])
        need(type(row[1]) is list and all(type(each) is int for each in row[1]), "points that are no integers")
    seats(value["out"])
    name(value["reason"])
    flag(value["won"])


def clock(value, table):
    """The clock of `created`, given the number of seats."""
    if value is None:
        return
    exactly(value, "move", "bank", "increment", "cap", "grace", "missed")
    for each in value.values():
        between(each, 0, SECONDS, "seconds")
    need(value["bank"] <= value["cap"], "a bank above its cap")
    need(value["move"] + value["bank"] >= 60 and value["grace"] >= 60, "a clock too short")
    need(table != 1, "a clock in a game of one seat")


def rules(value):
    exactly(value, "game", "version", "data")
    name(value["game"])
    between(value["version"], 1, 2**53 - 1, "a version")
    if value["data"] is not None:
        need(type(value["data"]) is dict and set(value["data"]) <= {"edition.json"}, "an unknown data file")
        for each in value["data"].values():
            bytes32(each)


def chance(value):
    exactly(value, "draws", "chain")
    between(value["draws"], 0, 2**20, "draws")
    bytes32(value["chain"])


def granted_seats(value):
    seats(value)
    need(value, "granted to nobody")


def one_of(*words):
    def form(value):
        need(type(value) is str and value in words, f"none of {', '.join(words)}")

    return form


def an_object(value):
    need(type(value) is dict, "not an object")


COMMON = {"v": None, "game": game_id, "seq": seq, "prev": bytes32, "at": instant, "kind": text}
EVENTS = {"events": events, "state": bytes32}
MAYBE = {"seals": seals, "draws": draws, "outcome": outcome, "secret": bytes32}
KINDS = {
    "created": {
        "server": server_name, "server_key": point, "rules": rules, "options": an_object,
        "seats": lambda value: between(value, 1, 64, "seats"), "hidden": flag, "clock": lambda _: None,
        "handover": one_of("none", "offer", "absent", "both"), "unsigned": flag, "terms": bytes32_or_null,
        "chance": chance,
    },
    "joined": {"seat": seat, "bot": flag, "jws": text},
    "left": {"seat": seat, "jws": text_or_null},
    "started": EVENTS,
    "moved": {"seat": seat, "jws": text} | EVENTS,
    "keyed": {"seat": seat, "jws": text},
    "offered": {"seat": seat, "jws": text},
    "taken": {"seat": seat, "bot": flag, "jws": text},
    "resigned": {"seat": seat, "jws": text} | EVENTS,
    "expired": {"seat": seat} | EVENTS,
    "granted": {"seats": granted_seats, "seconds": lambda value: between(value, 1, SECONDS, "seconds")},
    "cancelled": {"reason": name, "secret": bytes32_or_null},
}  # fmt: skip
VIA = one_of("mail", "page")


def forms_of(entry):
    """The members that this entry must have, each with its form."""
    kind = entry.get("kind")
    need(type(kind) is str and kind in KINDS, "an unknown kind")
    forms = COMMON | KINDS[kind]
    if kind == "moved" and "jws" not in entry:
        del forms["jws"]
        forms |= {"via": VIA}
        forms |= {"sealed": bytes32} if "sealed" in entry else {"commands": commands}
    if "events" in KINDS[kind]:
        forms |= {member: form for member, form in MAYBE.items() if member in entry}
        need(("outcome" in entry) == ("secret" in entry), "an outcome and the secret come together")
    return forms


def version(entry):
    """Raises Newer for a record of a later version."""
    need(type(entry) is dict and "v" in entry, "no entry")
    need(type(entry["v"]) is int and entry["v"] >= 1, "no version")
    if entry["v"] > 1:
        raise Newer(f"version {entry['v']}")


def read_entry(line):
    """The entry on a line, its form checked as far as it can be without the others."""
    entry = read(line)
    version(entry)
    forms = forms_of(entry)
    exactly(entry, *forms)
    for member, form in forms.items():
        if form is not None:
            form(entry[member])
    if entry["kind"] == "created":
        clock(entry["clock"], entry["seats"])
        need(entry["seq"] == 0 and entry["prev"] == "A" * 43, "created stands as entry 0")
    else:
        need(entry["seq"] > 0, "entry 0 is created")
    return entry
