"""An entry of the public log in one line of text for anyone; seats count from 1, as at the table.

In the record, in JSON and in the audit's report they count from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from engine.game import Outcome
from engine.kit import count, ending, tell
from engine.record.encoding import canonical
from engine.record.log.entry import Entry
from engine.record.log.table import Table
from engine.record.signed import acts, keys
from engine.record.signed.acts import Act

ONLY_KEYS = "The recovery key of {who} makes {keys} the only keys of {who}."
NEXT_RECOVERY = "The recovery key of {who} is replaced by {recovery}."
RENEWED = "The recovery key of {who} makes {keys} the only keys of {who} and is replaced by {recovery}."
_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


def entry_sentence(entry: Entry, before: Table) -> str:
    """Describe an entry that holds, given the table before it."""
    said = WORDS[entry.kind](entry, before)
    events = before.load_events(entry.body.get("events", ()))
    sentences = [said, *filter(None, map(tell, events))]
    if entry.kind == "resigned":
        sentences = sentences[1:] or [said]  # the event's sentence has it already
    if "outcome" in entry.body:
        sentences.append(over(before, entry.body["outcome"]))
    return " ".join(sentences)


def created(table: Table) -> str:
    """Describe entry 0."""
    body, meta = table.created, table.game.meta
    secret = "hidden" if table.hidden else "open"
    seats = count(table.seats, "seat")
    said = f"{meta.title} (rules {table.rules}, {secret}) for {seats} at {table.server}; {clock_words(body['clock'])}."
    return said + (" Moves without a signature are possible." if body["unsigned"] else "")


def over(table: Table, outcome: Mapping[str, Any]) -> str:
    """The end of a game: the reason and the places."""
    ended = msgspec.convert(dict(outcome), Outcome)
    try:
        return f"The end. {ending(table.game, ended)} {standing(ended)}"
    except (KeyError, IndexError, ValueError):  # in a hidden game, whose rules can be checked only in its bundle
        return f"The end, according to the server: {ended.reason}."


def standing(ended: Outcome) -> str:
    """The places with the seats' points, ties together: `1. Seat 2 (12). 2. Seat 1 (9) and Seat 3 (9).`"""
    points = ended.sheet[-1][1] if ended.sheet else ()
    said, rank = [] if ended.won else ["Nobody has won."], 1
    for place in ended.places:
        said.append(f"{rank}. {people([_with_points(seat, points) for seat in place])}.")
        rank += len(place)
    return " ".join(said)


def _with_points(seat: int, points: Sequence[int]) -> str:
    return f"{seat_name(seat)} ({points[seat]})" if points else seat_name(seat)


def seat_name(seat: int) -> str:
    return f"Seat {seat + 1}"


def people(names: Iterable[str]) -> str:
    """`Seat 1`, `Seat 1 and Seat 2`, `Seat 1, Seat 2 and Seat 3`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def span(seconds: int) -> str:
    """A time in its two largest units."""
    parts = []
    for unit, length in _UNITS:
        number, seconds = divmod(seconds, length)
        if number:
            parts.append(count(number, unit))
    return " ".join(parts[:2]) or "0 seconds"


def clock_words(clock: Mapping[str, int] | None) -> str:
    """The clock of a game."""
    if clock is None:
        return "no clock"
    said = f"{span(clock['move'])} a turn"
    if clock["cap"]:
        grows = f" (+{span(clock['increment'])} a turn, to {span(clock['cap'])})" if clock["increment"] else ""
        said += f", a bank of {span(clock['bank'])}{grows}"
    return f"{said}, then a grace period of {span(clock['grace'])}"


# --- by kind ----------------------------------------------------------------------------------------------------------


def _who(entry: Entry) -> str:
    return seat_name(entry.body["seat"])


def _act(entry: Entry) -> Act:
    return acts.read_act(keys.read_jws(entry.body["jws"]))


def _kid(key: Mapping[str, str] | None) -> str:
    return keys.thumbprint(keys.parse_jwk(key))


def _comes(act: Act) -> str:
    bot = ", a bot" if act.bot else ""
    return f"{bot} with the key {_kid(act.key)}{' and a recovery key' if act.recovery else ''}"


def _joined(entry: Entry, _before: Table) -> str:
    return f"{_who(entry)} joined{_comes(_act(entry))}."


def _left(entry: Entry, _before: Table) -> str:
    return f"{_who(entry)} left." if entry.body["jws"] else f"The server removed {_who(entry)}."


def _started(_entry: Entry, _before: Table) -> str:
    return "The game starts."


def _moved(entry: Entry, _before: Table) -> str:
    if "via" not in entry.body:
        return f"{_who(entry)} moved."
    return f"{_who(entry)} moved by {entry.body['via']} without a signature, attested by the server."


def _keyed(entry: Entry, _before: Table) -> str:
    act = _act(entry)
    if act.add is not None:
        return f"{_who(entry)} added the key {_kid(act.add)}."
    if act.drop is not None:
        return f"{_who(entry)} dropped the key {act.drop}."
    told = {"who": _who(entry), "keys": people(map(_kid, act.only or ()))}
    if act.recovery is None:
        return ONLY_KEYS.format(**told)
    return (RENEWED if act.only else NEXT_RECOVERY).format(**told, recovery=_kid(act.recovery))


def _offered(entry: Entry, before: Table) -> str:
    if not _act(entry).open:
        return f"{_who(entry)} is no longer offered."
    occupant, kid = before.occupants[entry.body["seat"]], keys.kid_of(entry.body["jws"])
    if occupant and kid and occupant.recovers(kid):
        return f"{_who(entry)} is offered to others by its recovery key."
    wait = before.created["handover"]["wait"]
    return f"{_who(entry)} is offered to others{f' from {_later(entry, wait)} on' if wait else ''}."


def _later(entry: Entry, seconds: int) -> str:
    return canonical.instant(entry.time + seconds)


def _taken(entry: Entry, before: Table) -> str:
    since = before.offered_from(entry.body["seat"])
    why = "which was offered" if since is not None and since <= entry.time else "whose holder was absent"
    return f"{_who(entry)}, {why}, was taken{_comes(_act(entry))}."


def _resigned(entry: Entry, _before: Table) -> str:
    return f"{_who(entry)} resigned."


def _expired(entry: Entry, before: Table) -> str:
    if entry.body["seat"] in before.gone:
        return f"The server played a default move for {_who(entry)}, which has resigned."
    return f"The time of {_who(entry)} ran out: the server played a default move."


def _granted(entry: Entry, _before: Table) -> str:
    given = f"{people(map(seat_name, entry.body['seats']))} {span(entry.body['seconds'])} more"
    return f"The server gave {given} ({entry.body['why']})."


def _restored(entry: Entry, _before: Table) -> str:
    lost = count(entry.body["size"] - entry.seq, "entry", "entries")
    return f"The server states that it has lost {lost} of the log here. The game continued without them."


def _cancelled(entry: Entry, _before: Table) -> str:
    lost = "" if entry.body["secret"] else " It states that it has lost the secret."
    return f"The server cancelled the game: {entry.body['reason']}.{lost}"


WORDS: Mapping[str, Callable[[Entry, Table], str]] = {
    "joined": _joined,
    "left": _left,
    "started": _started,
    "moved": _moved,
    "keyed": _keyed,
    "offered": _offered,
    "taken": _taken,
    "resigned": _resigned,
    "expired": _expired,
    "granted": _granted,
    "restored": _restored,
    "cancelled": _cancelled,
}
