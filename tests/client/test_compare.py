"""`sealedmove compare`: the same, a continuation or a fork, from any kind of file, and who has signed it."""

import base64
import json
from email.message import EmailMessage

import pytest
from click.testing import CliRunner

from client.commands.compare import main
from engine.record.encoding import canonical
from engine.record.encoding.canonical import leaf
from engine.record.signed import keys, note, server_keys
from tests.kit.play_record import GAME_ID, OTHER_SEED, SERVER, SERVER_SEED, Record, bundle_of

KEY = canonical.to_base64url(keys.public_of(SERVER_SEED))


@pytest.fixture(scope="module")
def record():
    return Record("pig", seed=2).play(3)


@pytest.fixture(scope="module")
def shorter():
    return Record("pig", seed=2).play(1)


@pytest.fixture(scope="module")
def other():
    """Another history of the same game, which differs at entry 5."""
    forked = Record("pig", seed=2).play(1)
    forked.now += 1
    return forked.play(2)


@pytest.fixture
def put(tmp_path):
    def put(name, data):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return str(path)

    return put


@pytest.fixture
def page():
    """The server's answer to `log?after=`."""

    def page(record, after=-1):
        lines = [line.decode() for line in record.lines[after + 1 :]]
        return json.dumps({"entries": lines, "note": record.note(), "head": {}})

    return page


def compare(*args):
    return CliRunner().invoke(main, [*args])


def relations(*args):
    done = compare(*args, "--json")
    return [pair["relation"] for pair in json.loads(done.stdout)["pairs"]], done.exit_code


def head_of(record, size):
    hash_ = base64.b64encode(leaf(record.lines[size - 1])).decode()
    return f"{SERVER}/game/{GAME_ID}\n{size}\n{hash_}"


def mail(text, subtype="plain", cte="quoted-printable"):
    made = EmailMessage()
    made["From"], made["Subject"] = "games@games.example", "Your move"
    made.set_content(text, subtype=subtype, cte=cte)
    return made


# --- forms of input ---------------------------------------------------------------------------------------------------


def test_two_bundles_of_one_log_are_the_same(put, record):
    done = compare(put("a.txt", record.bundle()), put("b.txt", record.bundle()))
    assert done.exit_code == 0
    assert "the same, 7 entries." in done.stdout


def test_a_longer_bundle_continues_a_shorter_one(put, record, shorter):
    """In any order."""
    long, short = put("long.txt", record.bundle()), put("short.txt", shorter.bundle())
    for given in ((long, short), (short, long)):
        done = compare(*given)
        assert done.exit_code == 0
        assert f"{long} continues {short}: the same for 5 entries of 7." in done.stdout


def forms(record, page):
    """Ways in which somebody may have kept the end of a log of 5 entries."""
    text = record.note(size=5)
    forwarded = mail("See below.")
    forwarded.add_attachment(mail(text, cte="base64"))
    yield "a note", text
    yield "line ends of Windows", text.replace("\n", "\r\n")
    yield "quoted-printable", mail(text).as_bytes()
    yield "base64", mail(text, cte="base64").as_bytes()
    yield "HTML alone", mail(f"<p>Hello</p><pre>{text}</pre>", subtype="html").as_bytes()
    yield "forwarded", forwarded.as_bytes()
    yield "quoted", "".join(f"> {line}\n" for line in text.splitlines())
    yield "the code of a certificate", head_of(record, 5)
    yield "a log", b"\n".join(record.lines[:5]) + b"\n"
    yield "a log that a crash cut off", b"\n".join(record.lines[:6])


def test_every_form_is_continued_by_the_bundle(put, record, page):
    """Checkpoints, mails, the code of a certificate, logs."""
    bundle = put("bundle.txt", record.bundle())
    for name, data in forms(record, page):
        assert relations(put("kept", data), bundle) == (["continues"], 0), name


def test_every_form_forks_with_another_bundle(put, record, other, page):
    """Entry 4 is the same in both, entry 5 is not: forms of 5 entries agree and those of 6 do not."""
    bundle = put("bundle.txt", other.bundle())
    for name, data in forms(record, page):
        assert relations(put("kept", data), bundle) == (["continues"], 0), name
    assert relations(put("kept", record.note(size=6)), bundle) == (["fork"], 1)


def test_a_page_of_the_log_joins_where_it_begins(put, record, shorter, page):
    """Its first line names the entry before it."""
    kept = put("answer.json", page(record, after=4))
    assert relations(put("short.txt", shorter.bundle()), kept) == (["continues"], 0)


def test_a_page_of_another_log_is_a_fork(put, record, other, page):
    """Although it holds no line before the fork."""
    kept = put("answer.json", page(other, after=5))
    assert relations(put("a.txt", record.bundle()), kept) == (["fork"], 1)


def test_a_clients_folder_is_read_as_one_log(put, tmp_path, record, shorter):
    """Its log with its checkpoint; its secrets are left out."""
    put("game/log", b"\n".join(record.lines[:6]) + b"\n")
    put("game/note", record.note(size=6))
    put("game/nonce", b"ab" * 32)
    put("game/pending", json.dumps({"jws": "x.y.z"}))
    put("game/settings.json", json.dumps({"seen": 3}, indent=1) + "\n")
    done = compare(str(tmp_path / "game"), put("short.txt", shorter.bundle()), "--json")
    listed = json.loads(done.stdout)["sources"]
    assert [(one["what"], one["size"]) for one in listed] == [("a log of 6 entries", 6), ("a bundle of 5 entries", 5)]
    assert [pair["relation"] for pair in json.loads(done.stdout)["pairs"]] == ["continued"]


def test_evidence_in_a_client_s_folder_is_a_fork_by_itself(put, tmp_path, record, other):
    """The contradicting checkpoint is beside the log."""
    put("game/log", b"\n".join(record.lines) + b"\n")
    put("game/note", record.note())
    put("game/note-against", other.note())
    done = compare(str(tmp_path / "game"))
    assert done.exit_code == 1
    assert "A FORK. Two logs of 7 entries" in done.stdout


def test_evidence_of_a_log_that_breaks_is_a_fork_by_itself(put, tmp_path, record, other):
    """The answer has the past as shown before, and then an entry on a different one."""
    lines = [line.decode() for line in [*record.lines[:6], *other.lines[6:]]]
    put("game/log", b"\n".join(record.lines[:4]) + b"\n")
    put("game/note", record.note(size=4))
    put("game/evidence/1.json", json.dumps({"when": "", "what": "log", "entries": lines * 2, "note": other.note()}))
    put("game/evidence/2.json", json.dumps({"what": "view", "shown": {"a": 1}}))
    put("game/distrust", json.dumps({"code": "broken-chain"}))
    done = compare(str(tmp_path / "game"), "--server-key", KEY, "--json")
    assert done.exit_code == 1
    (fork,) = [pair for pair in json.loads(done.stdout)["pairs"] if pair["relation"] == "fork"]
    assert [side["kind"] for side in fork["proof"]] == ["moved", "prev"]
    assert [side["text"].encode() for side in fork["proof"]] == [record.lines[5], other.lines[6]]


def test_each_mail_of_a_folder_is_read_separately(put, tmp_path, record, shorter):
    put("mails/1.eml", mail(shorter.note()).as_bytes())
    put("mails/2.eml", mail(record.note()).as_bytes())
    assert relations(str(tmp_path / "mails"), put("b.txt", record.bundle())) == (
        ["unknown", "continues", "same"],
        0,
    )


def test_a_bundle_with_a_note_of_another_log_is_a_fork(put, record, other):
    """One file, two histories."""
    broken = record.bundle().replace(record.note().encode(), other.note().encode())
    assert relations(put("broken.txt", broken)) == (["fork"], 1)


def test_different_games_are_unrelated(put, record):
    """They do not contradict each other."""
    elsewhere = Record("pig", seed=2, game_id="0193f3c2-0000-7000-8000-000000000002")
    done = compare(put("a.txt", record.bundle()), put("b.txt", elsewhere.lines[0] + b"\n"))
    assert done.exit_code == 0
    assert "are of different games." in done.stdout


def test_notes_of_different_lengths_cannot_be_related_without_a_log(put, record):
    done = compare(put("a.txt", record.note(size=5)), put("b.txt", record.note(size=6)))
    assert done.exit_code == 0
    assert "have no entry in common, so they cannot contradict each other" in done.stdout


def test_notes_of_different_lengths_agree_where_they_overlap(put, record):
    """Both people have the checkpoint of four entries."""
    one = put("a.txt", record.note(size=4) + record.note(size=6))
    other = put("b.txt", record.note(size=4) + record.note(size=7))
    done = compare(one, other)
    assert done.exit_code == 0
    assert "the same for 4 entries; after that, not both are known." in done.stdout


# --- a fork -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def fork(put, record, other):
    return put("a.txt", record.bundle()), put("b.txt", other.bundle())


def proof(*args):
    (pair,) = json.loads(compare(*args, "--json").stdout)["pairs"]
    return pair


def test_a_fork_names_the_two_lines(fork, record, other):
    """The first different ones, in full."""
    pair = proof(*fork)
    assert pair["agree"] == 5
    assert [(side["seq"], side["kind"]) for side in pair["proof"]] == [(5, "moved"), (5, "moved")]
    assert [side["text"].encode() for side in pair["proof"]] == [record.lines[5], other.lines[5]]


def test_a_fork_is_explained_in_words(fork):
    """The entry, both hashes, the signers, and what it proves."""
    done = compare(*fork)
    assert done.exit_code == 1
    assert "A FORK. Two logs of 6 entries end differently." in done.stdout
    assert done.stdout.count("entry 5 (moved), hash ") == 2
    assert f"signed with {KEY}, the key that {fork[0]} names" in done.stdout
    assert "Both are signed with one key" in done.stdout


def test_a_known_server_key_convicts_the_server(fork, put):
    """Given as a key, or in the server's document."""
    made = server_keys.document(SERVER, [SERVER_SEED], [None], spec="", software="", contact=None)
    document = put("server.json", json.dumps(made))
    for options in (("--server-key", KEY), ("--server", document)):
        assert proof(*fork, *options)["proves"] == "server"
    assert "the server has shown two histories" in compare(*fork, "--server-key", KEY).stdout


def test_two_keys_of_the_server_convict_it_too(put, record):
    """Another entry 0 with another key of the document is another history as well."""
    made = server_keys.document(SERVER, [SERVER_SEED, OTHER_SEED], [None, None], spec="", software="", contact=None)
    line = record.lines[0].replace(KEY.encode(), canonical.to_base64url(keys.public_of(OTHER_SEED)).encode())
    text = note.write(SERVER, GAME_ID, 1, leaf(line), OTHER_SEED)
    second = put("b.json", json.dumps({"entries": [line.decode()], "note": text}))
    first = put("a.txt", record.bundle())
    assert proof(first, second)["proves"] == "nothing"
    assert proof(first, second, "--server", put("server.json", json.dumps(made)))["proves"] == "server"


def test_the_key_of_another_server_convicts_nobody(fork):
    """It has signed neither."""
    pair = proof(*fork, "--server-key", canonical.to_base64url(keys.public_of(OTHER_SEED)))
    assert pair["proves"] == "one-key"


def test_an_invented_note_proves_nothing(put, record, other):
    """Anybody can write one. It contradicts, and is reported as unsigned."""
    forged = other.note().replace("\u2014 games.example ", "\u2014 games.example AAAA")
    for text in (note.write(SERVER, GAME_ID, 7, b"\7" * 32, OTHER_SEED), head_of(other, 7), forged):
        pair = proof(put("a.txt", record.bundle()), put("b.txt", text))
        assert pair["relation"] == "fork"
        assert pair["proves"] == "nothing"
        assert pair["proof"][1]["signers"] == []


def test_a_line_after_the_note_is_not_signed(put, record, other):
    """The checkpoint counts fewer entries than the log."""
    kept = put("page.json", json.dumps({"entries": [x.decode() for x in other.lines], "note": other.note(size=5)}))
    pair = proof(put("a.txt", record.bundle()), kept)
    assert pair["proves"] == "nothing"
    assert [len(side["signers"]) for side in pair["proof"]] == [1, 0]


def test_a_line_before_the_note_is_signed(put, record, other):
    """The lines lead to the checkpoint, which counts more entries."""
    pair = proof(put("a.txt", record.bundle()), put("b.txt", bundle_of(other.lines)))
    assert pair["proof"][1]["seq"] < len(other.lines) - 1
    assert pair["proves"] == "one-key"


# --- unreadable files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "it has no bundle, log or checkpoint"),
        (b"\x89PNG\r\n" + bytes(100), "it has no bundle, log or checkpoint"),
        (b"{}", "it has no bundle, log or checkpoint"),
        (b'{"jws": 1}\n', "it has no bundle, log or checkpoint"),
        (b'{"entries": [7]}', "whose entries are not lines"),
        (b"[" * 100_000, "it has no bundle, log or checkpoint"),
        (b"sealedmove bundle 2\n", "this auditor does not know this version of a bundle"),
        (b"sealedmove bundle 1\n\n", "has no entries"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(put, record, data, says):
    """With the reason, and exit 2."""
    bad = put("bad", data)
    done = compare(put("a.txt", record.bundle()), bad)
    assert done.exit_code == 2
    assert f"Error: {bad}: " in done.stderr
    assert says in done.stderr


def test_a_log_with_a_gap_is_refused(put, record):
    """The entries after the gap have no place."""
    for lines in (record.lines[:3] + record.lines[4:], [*record.lines[:3], record.lines[2]]):
        done = compare(put("gap", b"\n".join(lines) + b"\n"))
        assert done.exit_code == 2
        assert "does not name it: this is not a log" in done.stderr


def test_a_log_of_a_later_version_is_reported_as_newer(put, record):
    """And not as broken."""
    done = compare(put("new", record.lines[0].replace(b'"v":1', b'"v":2') + b"\n"))
    assert done.exit_code == 2
    assert "version 2 of the record is newer" in done.stderr


def test_lines_without_entry_0_or_a_note_are_refused(put, record):
    """Nothing else names the server."""
    done = compare(put("part", record.lines[4] + b"\n"))
    assert done.exit_code == 2
    assert "its server is unknown" in done.stderr


def test_a_file_that_is_not_there_exits_with_2(put, record, tmp_path):
    """The others are still compared; a fork among them takes precedence."""
    gone = str(tmp_path / "gone.txt")
    one, other = put("a.txt", record.bundle()), put("b.txt", record.bundle())
    done = compare(one, other, gone)
    assert done.exit_code == 2
    assert "the same, 7 entries." in done.stdout
    assert f"Error: {gone}: No such file or directory" in done.stderr
    forged = put("c.txt", head_of(record, 6).replace("\n6\n", "\n7\n"))
    assert compare(one, forged, gone).exit_code == 1


def test_a_single_file_is_not_compared(put, record):
    """Exit 2, because nothing was found to agree."""
    done = compare(put("a.txt", record.bundle()))
    assert done.exit_code == 2
    assert "nothing to compare it with" in done.stdout
