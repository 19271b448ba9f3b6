"""The verifier written from the specification alone gives every value, refusal and verdict that the vectors give."""

import ast
import hashlib
import json
import sys
from pathlib import Path

import pytest
from nacl.signing import SigningKey

from tests.audit.stranger import CODES
from tests.stranger import chance
from tests.stranger.account import Request, check_registration, check_statement
from tests.stranger.acts import read_act, read_move_text, seal_of
from tests.stranger.bundle import read_form
from tests.stranger.clock import Event, Timer, follow
from tests.stranger.compare import compare
from tests.stranger.entries import read_entry
from tests.stranger.judge import judge
from tests.stranger.keybox import open_backup, write_code
from tests.stranger.keys import kid_of, read_jwk, read_key, verify
from tests.stranger.lines import K, Newer, Refused, bytes32, leaf, need, read_line, read_sent, to_base64url
from tests.stranger.notes import notes_in, read_note
from tests.stranger.server_list import server_keys

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "conformance" / "vectors"
VALUES = json.loads((VECTORS / "values.json").read_text("utf-8"))


def un(hexed):
    return bytes.fromhex(hexed)


def of_labels(it):
    return K(un(it["secret"]), it["label"], it["a"], it["b"]).hex(), it["key"]


def of_links(it):
    made = [chance.chain(un(it["secret"]), it["draws"], link["d"]).hex() for link in it["links"]]
    return made, [link["key"] for link in it["links"]]


def of_entropy(it):
    people = [un(seat["thumbprint"]) + un(seat["nonce"]) for seat in it["seats"]]
    return chance.entropy(un(it["created"]), people).hex(), it["entropy"]


def of_draws(it):
    made = chance.draw(un(it["key"]), un(it["entropy"]), it["d"], it["n"])
    return made, (it["result"], it["bytes_read"])


def of_keys(it):
    public = bytes(SigningKey(un(it["seed"])).verify_key)
    return (public, kid_of(public)), (read_jwk(it["jwk"]), it["kid"])


def of_signatures(it):
    verify(un(it["public"]), un(it["message"]), un(it["signature"]))
    return SigningKey(un(it["seed"])).sign(un(it["message"])).signature.hex(), it["signature"]


def of_moves(it):
    return seal_of(it["text"].encode("ascii")), it["sealed"]


def of_seals(it):
    made = [chance.seal(un(it["secret"]), it["seq"], i, view) for i, view in enumerate(it["views"])]
    return [to_base64url(each) for each in made], it["seals"]


def of_states(it):
    salt = bytes(32) if it["secret"] is None else K(un(it["secret"]), "state", it["seq"], 0)
    return to_base64url(chance.state_hash(it["state"], salt)), it["hash"]


def of_leaves(it):
    return leaf(it["line"].encode("ascii")).hex(), it["hash"]


def of_notes(it):
    note = read_note(it["note"].encode("utf-8"))
    note.verify(bytes(SigningKey(un(it["seed"])).verify_key))
    return (note.server, note.game, note.size, note.head.hex()), (it["server"], it["game"], it["size"], it["head"])


def of_secrets(it):
    master, seeds = un(it["master"]), it["server_seeds"]
    made = [chance.server_seed(master, number + 1).hex() for number in range(len(seeds))]
    return [chance.secret_of(master, un(it["r"])).hex(), made], [it["secret"], seeds]


MAKERS = {
    "labels": of_labels, "chain": of_links, "entropy": of_entropy, "draws": of_draws, "keys": of_keys,
    "signatures": of_signatures, "moves": of_moves, "seals": of_seals, "states": of_states, "leaves": of_leaves,
    "notes": of_notes, "secrets": of_secrets,
}  # fmt: skip


def test_every_value_is_known():
    assert set(MAKERS) == set(VALUES)


@pytest.mark.parametrize("name", VALUES)
def test_values(name):
    """Each function of the specification returns the value in the vectors."""
    them = VALUES[name] if isinstance(VALUES[name], list) else [VALUES[name]]
    for it in them:
        made, given = MAKERS[name](it)
        assert made == given


def raw(given):
    """The bytes of an input."""
    if isinstance(given, dict):
        return un(given["hex"]) if "hex" in given else "".join(part * count for part, count in given["parts"]).encode()
    return given.encode("utf-8")


SEED = {"player": bytes(SigningKey(b"\1" * 32).verify_key), "server": bytes(SigningKey(b"\t" * 32).verify_key)}


def on_jws(data, case):
    act = read_act(text_of(data))
    act.verify(SEED["player"])


def on_ed25519(data, case):
    verify(un(data.decode()), un(case["message"]), un(case["signature"]))


SERVER, ACCOUNT, NONCE, AT = "games.example", 7, to_base64url(b"\2" * 32), "2026-11-21T10:00:00Z"
RECOVERY = SigningKey(hashlib.sha256(b"a recovery key that everybody knows").digest())


def on_registration(data, _):
    need(check_registration(text_of(data), SERVER, NONCE) == SEED["player"], "another key")


def on_statement(data, case):
    request = Request(SERVER, ACCOUNT, case["act"], case["about"], AT, NONCE)
    recovery = bytes(RECOVERY.verify_key) if case["backup"] else None
    check_statement(text_of(data), request, [SEED["player"]], recovery)


def on_backup(data, case):
    need(open_backup(text_of(data), case["unlock"], SERVER, ACCOUNT) == bytes(RECOVERY), "another key")


def on_move(data, case):
    read_move_text(data)
    need(seal_of(data) == case["sealed"], "another text")


def text_of(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("no text") from None


READERS = {
    "base64url": lambda data, _: bytes32(text_of(data)),
    "bundle-form": lambda data, _: read_form(data),
    "ed25519": on_ed25519,
    "entries": lambda data, _: read_entry(data),
    "jws": on_jws,
    "key-backups": on_backup,
    "keys": lambda data, _: read_key(data),
    "lines": lambda data, _: read_line(data),
    "moves": on_move,
    "notes": lambda data, _: read_note(data).verify(SEED["server"]),
    "registrations": on_registration,
    "sent": lambda data, _: read_sent(data),
    "server-keys": lambda data, _: server_keys(text_of(data)),
    "statements": on_statement,
}


OTHERS = {"values", "clock", "compare", "notes-in-mail"}


def load(name):
    return json.loads((VECTORS / f"{name}.json").read_text("utf-8"))


def named(name, member="cases"):
    return [pytest.param(case, id=case["name"]) for case in load(name)[member]]


def refused(name, case):
    """None, "refused" or "newer-record"."""
    try:
        READERS[name](raw(case["input"]), case)
    except Newer:
        return "newer-record"
    except Refused:
        return "refused"
    return None


def cases():
    for path in sorted(VECTORS.glob("*.json")):
        if path.stem not in OTHERS:
            for case in load(path.stem)["cases"]:
                yield pytest.param(path.stem, case, id=f"{path.stem}: {case['name']}")


@pytest.mark.parametrize(("name", "case"), list(cases()))
def test_cases(name, case):
    """Valid inputs are accepted, invalid ones refused, and a later version is reported as such."""
    given = refused(name, case)
    good = case["code"] is None and case.get("key_ok", True)
    assert (given is None) == good, given
    assert (given == "newer-record") == (case["code"] == "newer-record")


@pytest.mark.parametrize("case", named("notes-in-mail"))
def test_notes_in_mails(case):
    """Every note that a text holds is found, and nothing else."""
    assert [note.text for note in notes_in(case["input"])] == case["notes"]


@pytest.mark.parametrize("case", named("server-keys", "pairs"))
def test_keys_that_follow(case):
    """A client accepts a list that begins with the one that it knew."""
    known = server_keys(json.dumps(case["known"]))
    try:
        server_keys(json.dumps(case["shown"]), known)
    except Refused:
        assert not case["accepted"]
    else:
        assert case["accepted"]


@pytest.mark.parametrize("case", named("compare"))
def test_holdings_compared(case):
    """Two holdings of one game, and the proof where they contradict each other."""
    texts = load("compare")["texts"]
    first, second = ({k: [texts[each] for each in v] for k, v in case[name].items()} for name in ("first", "second"))
    proof = None if case["proof"] is None else [texts[each] for each in case["proof"]]
    assert compare(first, second) == {"relation": case["relation"], "at": case["at"], "proof": proof}


@pytest.mark.parametrize("case", named("clock"))
def test_clocks(case):
    """Bank and deadline of every seat after every entry, and the earliest that a verifier without rules can count."""
    timers = [Timer(case["clock"], case["wait"]) for _ in case["after"][0]]
    for entry, after in zip(case["log"], case["after"], strict=True):
        follow(timers, event_of(entry), set(entry["owing"]))
        made = [
            {
                "bank": it.bank,
                "open": it.open,
                "absent": it.absent,
                "deadline": it.deadline(),
                "earliest": it.earliest(),
            }
            for it in timers
        ]
        assert made == after, entry


def event_of(entry):
    keyed = {"only": entry.get("only", False), "recovers": entry.get("recovers", False)}
    return Event(entry["kind"], entry["at"], entry["seats"], entry.get("seconds", 0), entry.get("open"), **keyed)


def test_the_example_of_a_key_backup():
    """The code, the key's `kid` and the backup that the specification prints are those of the first vector."""
    printed = (ROOT / "docs" / "spec" / "keybox.md").read_text("utf-8").split("```")[1].split()
    case = load("key-backups")["cases"][0]
    assert printed[:2] == [write_code(bytes(range(16))), kid_of(bytes(RECOVERY.verify_key))]
    assert (printed[0], "".join(printed[2:])) == (case["unlock"], case["input"])


def test_the_example_holds():
    """The bundle that the specification explains."""
    report = judge((VECTORS / "example.txt").read_bytes())
    assert (report["verdict"], report["stage"]) == ("holds", "finished")


FILES = [*sorted((ROOT / "tests" / "stranger").glob("*.py")), ROOT / "tests" / "audit" / "stranger.py"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_stands_alone(path):
    """It imports itself, the standard library and cryptography, and nothing else of the project."""
    own = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            own += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            own.append(node.module)
    ours = [name for name in own if name.split(".")[0] not in sys.stdlib_module_names | {"cryptography"}]
    assert [name for name in ours if name.split(".")[:2] != ["tests", "stranger"]] == []


VERDICTS = load("bundles/verdicts")
# Faults against the rules alone: a verifier without them finds nothing, and must report that it did not look.
NEED_RULES = {
    f"broken/{name}.txt"
    for name in [
        "clock-early-after-a-grant",
        "clock-early-after-a-grant-and-it-came-back",
        "clock-early-after-an-absent-seat-was-taken",
        "clock-early-after-an-increment",
        "clock-early-by-a-bank-that-the-end-shows",
        "clock-early-by-a-second",
        "clock-early-by-the-bank",
        "clock-early-by-the-grace",
        "clock-granted-to-who-owes-nothing",
        "clock-plays-who-owes-nothing",
        "false-hidden-card",
        "open-a-member-of-another-kind",
        "open-a-secret-left-out",
        "open-an-event-of-another-game",
        "open-told-a-bid",
        "open-told-a-card",
        "open-told-a-false-bid",
        "open-unknown-event",
        "open-unknown-event-beside",
        "open-unknown-member-of-an-event",
        "outcome-another-reason",
        "outcome-nobody-won",
        "outcome-other-winner",
        "outcome-seat-put-out",
        "quiet-end",
    ]
}
# Only a verifier with rules can report that it lacks these; the files also fail otherwise.
UNKNOWN_GAMES = {"broken/newer-rules.txt", "broken/unknown-game.txt"}
OWN = ("chain", "signatures", "draws", "note")


def failing(report):
    return {check: it["first_failure"] for check, it in report["checks"].items() if it["ok"] is False}


@pytest.mark.parametrize("name", sorted(VERDICTS.keys() - NEED_RULES - UNKNOWN_GAMES))
def test_bundles(name):
    """Verdict and stage are the ones given; so is the place of every failure that can be seen without rules."""
    given, made = VERDICTS[name], judge((VECTORS / "bundles" / name).read_bytes())
    assert (made["verdict"], CODES[made["verdict"]], made["stage"]) == (
        given["verdict"], given["exit"], given["stage"],
    )  # fmt: skip
    fails, due = failing(made), given.get("fails", {})
    if given["stage"] is None:
        assert fails.keys() <= {"chain", "note"}
        return
    assert {check: due.get(check, "holds") for check in fails} == fails
    assert {check for check in OWN if check in due} <= fails.keys()


@pytest.mark.parametrize("name", sorted(NEED_RULES))
def test_bundles_that_need_rules(name):
    """Nothing fails that can be seen without rules, and the report says that rules and outcome were not looked at."""
    given, made = VERDICTS[name], judge((VECTORS / "bundles" / name).read_bytes())
    assert given["verdict"] == "fails"
    assert given["fails"].keys() <= {"rules", "outcome", "seals"}
    assert failing(made) == {}
    assert made["verdict"] == ("open" if name.startswith("broken/open-") else "holds")
    assert made["checks"]["rules"]["ok"] is made["checks"]["outcome"]["ok"] is None
    assert made["not_looked_at"]


@pytest.mark.parametrize("name", sorted(UNKNOWN_GAMES))
def test_bundles_of_unknown_games(name):
    """For an auditor their game is unknown; without any rules they are judged like all others."""
    assert VERDICTS[name]["verdict"] == "unknown"
    assert judge((VECTORS / "bundles" / name).read_bytes())["checks"]["rules"]["ok"] is None
