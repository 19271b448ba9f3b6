"""The walk through the entries of a bundle: all checks of an entry that do not need the rules of the game."""

from dataclasses import dataclass, field
from typing import Any

from tests.stranger import chance
from tests.stranger.acts import KINDS, Act, read_act, read_move_text, seal_of
from tests.stranger.bundle import Bundle
from tests.stranger.entries import WITH_EVENTS, Entry, read_entry
from tests.stranger.keys import kid_of
from tests.stranger.laws import broken
from tests.stranger.lines import H, Refused, from_base64url, need, to_base64url
from tests.stranger.seats import Step, Table, apply, table_of

NAMES = ("chain", "signatures", "draws", "seals", "rules", "outcome", "note")
SAME = ("game", "seat", "seq", "prev", "bot")  # members that an act shares with the entry that logs it


@dataclass
class Check:
    """The number of things that a check has judged, and the first entry that fails it; `says` explains that failure."""

    count: int = 0
    failed: bool = False
    place: int | None = None
    says: str = ""

    def fails(self, place: int | None, says: str) -> None:
        if not self.failed or (place is not None and (self.place is None or place < self.place)):
            self.place, self.says = place, says
        self.failed = True


@dataclass
class Walk:
    bundle: Bundle
    checks: dict[str, Check] = field(default_factory=lambda: {name: Check() for name in NAMES})
    entries: list[Entry] = field(default_factory=list)
    acts: list[Act | None] = field(default_factory=list)
    table: Table | None = None
    stopped: bool = False
    secret: bytes | None = None
    entropy: bytes | None = None
    drawn: int = 0
    link: bytes | None = None
    attested: int = 0
    holders: list[dict[str, Any]] = field(default_factory=list)
    recoveries: list[dict[str, Any]] = field(default_factory=list)
    signed: dict[str, set[int]] = field(default_factory=dict)

    def fails(self, check: str, place: int | None, says: object) -> None:
        self.checks[check].fails(place, str(says))

    @property
    def restored(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.kind == "restored"]

    @property
    def hidden(self) -> bool:
        return self.table is not None and bool(self.table.created.hidden)


def walk(bundle: Bundle) -> Walk:
    it = Walk(bundle)
    for place, line in enumerate(bundle.lines):
        it.checks["chain"].count += 1
        try:
            entry = read_entry(line)
            need(place or entry.kind == "created", "the first entry is not `created`")
        except Refused as refused:
            it.fails("chain", place, refused)
            it.stopped = True
            break
        _entry(it, place, entry)
    if it.table is not None:
        _data_files(it, it.table)
    if not it.stopped:
        _openings(it)
    return it


def _entry(it: Walk, place: int, entry: Entry) -> None:
    if it.table is None:
        it.table, it.link = table_of(entry), from_base64url(entry.chance["chain"])
    it.acts.append(_act(it, place, entry))
    step = Step(it.table, entry, place, it.acts[-1])
    _chain(it, place, entry)
    if place:
        for law in broken(step):
            it.fails(law.check, place, law.code)
    if step.act is not None:
        _signature(it, step)
    _draws(it, step)
    _seals(it, place, entry)
    _secret(it, place, entry)
    it.checks["rules"].count += entry.kind in WITH_EVENTS
    it.attested += "via" in entry.value
    _holder(it, step)
    apply(step)
    it.entries.append(entry)


def _chain(it: Walk, place: int, entry: Entry) -> None:
    try:
        need(entry.seq == place, f"seq {entry.seq} in place {place}")
        if it.entries:
            last = it.entries[-1]
            need(entry.prev == last.hash, "prev is not the hash of the entry before")
            need(entry.time >= last.time, "it is dated before the entry before")
            need(entry.game == it.entries[0].game, "it is of another game")
    except Refused as refused:
        it.fails("chain", place, refused)


def _act(it: Walk, place: int, entry: Entry) -> Act | None:
    """The act of an entry if it can be read and has its kind."""
    if entry.get("jws") is None:
        return None
    it.checks["signatures"].count += 1
    try:
        act = read_act(entry.jws)
        need(KINDS[act.act] == entry.kind, f"the act {act.act} in {entry.kind}")
    except Refused as refused:
        it.fails("signatures", place, refused)
        return None
    return act


def _signature(it: Walk, step: Step) -> None:
    entry, act = step.entry, step.readable
    expected = {"aud": step.table.created.server}
    expected |= {member: entry.value[member] for member in SAME if member in entry.value}
    try:
        for member, value in expected.items():
            need(act.payload[member] == value, f"the act says {act.payload[member]} for {member}, the entry {value}")
        act.verify(step.signer())
    except Refused as refused:
        it.fails("signatures", step.place, refused)
        return
    it.signed.setdefault(act.kid, set()).add(entry.seat)
    if step.has_seats and step.by_recovery and act.act in ("key", "offer"):
        it.recoveries.append({"seq": entry.seq, "seat": entry.seat})


def _draws(it: Walk, step: Step) -> None:
    entry, table = step.entry, step.table
    if it.entropy is None and (entry.kind == "started" or "draws" in entry.value):
        it.entropy = table.entropy()
    if it.entropy is None or "draws" not in entry.value:
        return
    first, got, last = entry.draws["first"], entry.draws["got"], from_base64url(entry.draws["key"])
    it.checks["draws"].count += len(got)
    try:
        need(first == it.drawn + 1, f"draw {first} after draw {it.drawn}")
        need(first + len(got) - 1 <= table.created.chance["draws"], "more draws than there are keys")
        keys = chance.keys_back(last, first, len(got))
        need(keys[0] == it.link, "the key does not lead back to the one before")
        for d, key, (n, result) in zip(range(first, first + len(got)), keys[1:], got, strict=True):
            need(chance.draw(key, it.entropy, d, n)[0] == result, f"draw {d} from {n} is not {result}")
    except Refused as refused:
        it.fails("draws", step.place, refused)
    if step.has_seats:
        it.drawn, it.link = first + len(got) - 1, last


def _seals(it: Walk, place: int, entry: Entry) -> None:
    due = len(it.table.seats) + 1 if it.table and it.hidden and entry.kind in WITH_EVENTS else 0
    if len(entry.get("seals") or []) != due:
        it.fails("seals", place, f"{len(entry.get('seals') or [])} seals where {due} are due")


def _secret(it: Walk, place: int, entry: Entry) -> None:
    if entry.get("secret") is None or it.table is None:
        return
    it.secret = from_base64url(entry.value["secret"])
    it.checks["outcome"].count += 1
    promised = it.table.created.chance
    if to_base64url(chance.chain(it.secret, promised["draws"], 0)) != promised["chain"]:
        it.fails("outcome", place, "the secret does not give the chain of entry 0")


def _holder(it: Walk, step: Step) -> None:
    entry = step.entry
    if entry.kind not in ("joined", "left", "taken") or not step.has_seats:
        return
    for each in it.holders:
        if each["seat"] == entry.seat and each["until"] is None:
            each["until"] = entry.seq
    if step.act is None or step.act.key is None:
        return
    by = "join" if entry.kind == "joined" else "offer" if step.seat.timer.is_ripe(entry.time) else "absence"
    kid = kid_of(step.act.key)
    it.holders.append({"seat": entry.seat, "kid": kid, "bot": entry.bot, "since": entry.seq, "until": None, "by": by})


def _openings(it: Walk) -> None:
    """Check that a hidden game has one opening for each entry with events once its secret is shown, and none before."""
    due = it.hidden and it.secret is not None
    decided = [(place, entry) for place, entry in enumerate(it.entries) if due and entry.kind in WITH_EVENTS]
    for seq in it.bundle.openings.keys() - {entry.seq for _, entry in decided}:
        it.fails("seals", seq if seq < len(it.entries) else None, "an opening that is not due")
    for place, entry in decided:
        it.checks["seals"].count += 1
        try:
            need(entry.seq in it.bundle.openings, "the opening is missing")
            _opening(it, entry, it.acts[place], it.bundle.openings[entry.seq])
        except Refused as refused:
            it.fails("seals", place, refused)


def _opening(it: Walk, entry: Entry, act: Act | None, opening: dict[str, Any]) -> None:
    seats = it.table.seats if it.table else []
    made = chance.seal(it.secret or b"", entry.seq, len(seats), opening["events"])
    need((entry.get("seals") or [None])[-1] == to_base64url(made), "the last seal is not over the full events")
    text = opening["move"]
    sealed = act.payload.get("sealed") if act else entry.get("sealed")
    if sealed is None:
        need(text is None or entry.get("jws"), "a text where nothing was sealed")
        return
    it.checks["seals"].count += 1
    need(text is not None, "the text of the move is missing")
    read_move_text(text.encode("ascii"))
    need(seal_of(text.encode("ascii")) == sealed, "the text is not the one that was signed")


def _data_files(it: Walk, table: Table) -> None:
    named = table.created.rules["data"] or {}
    if named.keys() != it.bundle.data.keys():
        it.fails("chain", None, "the data files are not those that entry 0 names")
    if named.keys() - {"edition.json"}:
        it.fails("rules", 0, "a data file by another name than edition.json")
    for name in named.keys() & it.bundle.data.keys():
        it.checks["rules"].count += 1
        if to_base64url(H(it.bundle.data[name])) != named[name]:
            it.fails("rules", 0, f"{name} has another hash")
