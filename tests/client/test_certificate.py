"""`sealedmove certificate`: one page about a game that passes the audit, as text and as a drawing with a code."""

import json
import re
import struct
import zlib
from xml.etree import ElementTree as ET

import pytest
import segno
from click.testing import CliRunner

from client import home
from client.certificate_svg import FOOT, LEFT
from client.commands import compare
from client.commands.certificate import main
from engine.record.encoding import canonical
from engine.record.log import bundle
from engine.record.signed import keys, note, server_keys
from tests.kit.games.bids import BidsOptions
from tests.kit.games.pig import PigOptions
from tests.kit.play_record import GAME_ID, OTHER_SEED, SERVER, SERVER_SEED, Record, seed_of
from workers.mail.picture import drawn

KEY = canonical.to_base64url(keys.public_of(SERVER_SEED))
DOTS = 4  # per millimetre of a test's drawing


def pig(**given):
    return Record("pig", seed=2, options=PigOptions(goal=8), **given)


@pytest.fixture
def certify(tmp_path):
    """The certificate of a bundle, with the drawing beside it, if there is one."""

    def certify(data, *options, svg=True):
        (tmp_path / "game.txt").write_bytes(data)
        drawn = tmp_path / "page.svg"
        drawn.unlink(missing_ok=True)
        done = CliRunner().invoke(main, [str(tmp_path / "game.txt"), *options, *(("--svg", str(drawn)) if svg else ())])
        return done, drawn.read_text("utf-8") if drawn.exists() else None

    return certify


def said(svg):
    """All text of a drawing."""
    return [node.text or "" for node in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_a_certificate_shows_the_result_the_keys_and_the_end_of_the_log(certify):
    """And the server's key."""
    record = pig().play()
    done, svg = certify(record.bundle())
    assert done.exit_code == 0
    assert done.stdout.startswith(
        "CERTIFICATE OF A GAME: HOLDS\n          Under a key that was compared with nothing.\n"
    )
    assert "Under a key that was compared with nothing." in said(svg)
    for page in (done.stdout, "\n".join(said(svg))):
        assert "Pig: 2 seats, rules 1, open" in page
        assert '{"goal":8}' in page
        assert "Somebody has reached the goal." in page
        for seat in (0, 1):
            kid = keys.thumbprint(keys.public_of(seed_of(seat)))
            assert re.search(f"Seat {seat + 1}\\s+{kid}\\s+joined, entry {seat + 1}", page)
            assert f"Seat {seat + 1} ({record.table.state.scores[seat]})" in " ".join(page.split())
        assert KEY in page
        assert f"https://{SERVER}/.well-known/sealedmove.json" in page
        assert set(record.note().split("\n\n")[0].splitlines()) <= set(page.splitlines())
    assert record.note() in done.stdout


def test_places_and_points_by_heading(certify):
    """Ties, players who resigned or are out, and the total."""
    record = Record("livingstone", seats=4, seed=2).play()
    done, svg = certify(record.bundle())
    assert done.exit_code == 0
    assert re.search(r"columns +market +cards +rows +gems +total\n", done.stdout)
    assert re.search(r"\d\. Seat \d \(out\)(?: +\d+){6}\n", done.stdout)
    assert "total" in said(svg)


def test_every_holder_is_named(certify):
    """Holders who left before the start, stayed, or took over; recovery keys that signed."""
    record = Record("pig", seed=2, options=PigOptions(goal=30), start=False, handover="both")
    record.join(0)
    record.leave(0)
    record.seeds[0] = seed_of(0, 5)
    record.join(0, recovery=b"r" * 32)
    record.join(1, bot=True)
    record.start()
    record.recover(0, b"r" * 32)
    record.offer(1)
    record.take(1)
    for _ in range(4):
        record.expire(record.table.active[0])
    record.take(0)
    done, svg = certify(record.play().bundle())
    assert done.exit_code == 0
    for page in (done.stdout, "\n".join(said(svg))):
        assert re.search(r"Seat 1\s+\S{43}\s+joined, entry 1 to 2\n", page)
        assert re.search(r"Seat 1\s+\S{43}\s+joined, entry 3 to 13\n", page)
        assert re.search(r"Seat 1\s+\S{43}\s+took the seat of an absent holder, entry 13\n", page)
        assert re.search(r"Seat 2\s+\S{43}\s+joined, entry 4 to 8, a bot\n", page)
        assert re.search(r"Seat 2\s+\S{43}\s+took the offered seat, entry 8\n", page)
        assert "Entry 6 is signed by the recovery key of Seat 1." in page


# --- verdicts ---------------------------------------------------------------------------------------------------------


def test_a_bundle_that_fails_gets_no_certificate(certify):
    """Exit 1 with the report; nothing is drawn."""
    record = pig().play()
    done, svg = certify(record.bundle().replace(record.lines[5] + b"\n", b""))
    assert (done.exit_code, done.stdout, svg) == (1, "", None)
    assert done.stderr.startswith("No certificate. fails")


def test_a_file_that_cannot_be_judged_gets_no_certificate(certify):
    """Exit 2, in the audit's words."""
    done, svg = certify(b"%PDF-1.7\n")
    assert (done.exit_code, done.stdout, svg) == (2, "", None)
    assert "this file is not a Sealed Move bundle" in done.stderr


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (pig().play(3), "The game is not over; everything so far holds"),
        (pig(start=False), "The game is not over; everything so far holds"),
        (Record("bids", seed=2).play(1), "the hidden parts can be checked when the game is over"),
    ],
    ids=["running", "lobby", "hidden"],
)
def test_a_game_that_is_not_over_is_open(certify, record, why):
    """Exit 3, and the page says so: it is not a result."""
    done, svg = certify(record.bundle())
    assert done.exit_code == 3
    assert done.stdout.startswith("CERTIFICATE OF A GAME: OPEN\n")
    assert why in done.stdout
    assert "Result    none yet\n" in done.stdout
    assert "OPEN" in said(svg)
    assert "HOLDS" not in said(svg)


def test_a_cancelled_game_has_no_result(certify):
    """Its bundle holds; without its secret it is open."""
    record = Record("bids", seed=2, options=BidsOptions(lots=2)).play(1)
    record.cancel()
    done, _ = certify(record.bundle())
    assert done.exit_code == 0
    assert "Result    none: the server cancelled the game (stopped)\n" in done.stdout


def test_the_certificate_states_what_the_servers_key_was_compared_with(certify, tmp_path, monkeypatch):
    """With another key there is no certificate."""
    monkeypatch.setenv("SEALEDMOVE_HOME", str(tmp_path / "home"))
    made = server_keys.document(SERVER, [SERVER_SEED], [None], spec="", software="", contact=None)
    (tmp_path / "server.json").write_text(json.dumps(made))
    data = pig().play().bundle()
    for options, compared in (
        ((), "Under a key that was compared with nothing."),
        (("--server-key", KEY), "Under the key that was given."),
        (("--server", str(tmp_path / "server.json")), "Under a key of the server's list."),
    ):
        assert compared in certify(data, *options)[0].stdout
    home.Home(tmp_path / "home").pins(SERVER).check(SERVER, keys.public_of(SERVER_SEED), None)
    assert "Under the key that was kept of this server." in certify(data)[0].stdout
    other = canonical.to_base64url(keys.public_of(OTHER_SEED))
    assert certify(data, "--server-key", other)[0].exit_code == 1


def test_a_key_that_differs_from_the_kept_one_gets_no_certificate(certify, tmp_path, monkeypatch):
    """This machine has played at that server with another key."""
    monkeypatch.setenv("SEALEDMOVE_HOME", str(tmp_path / "home"))
    home.Home(tmp_path / "home").pins(SERVER).check(SERVER, keys.public_of(OTHER_SEED), None)
    assert certify(pig().play().bundle())[0].exit_code == 1


def test_lost_entries_are_stated_in_the_headline(certify):
    """A server that has lost part of the log states it for good."""
    record = pig().play(2)
    record.restored(len(record.lines) + 3, b"\7" * 32)
    done, svg = certify(record.play().bundle())
    for page in (done.stdout, "\n".join(said(svg))):
        assert "The server lost 3 entries, under a key that was compared with nothing." in page


def test_a_kept_note_must_be_continued(certify, tmp_path):
    """As in the audit; a file without a checkpoint is exit 2."""
    record, kept = pig().play(), tmp_path / "kept.txt"
    kept.write_text(record.note(size=4), encoding="utf-8")
    assert certify(record.bundle(), "--note", str(kept))[0].exit_code == 0
    kept.write_text(note.write(SERVER, GAME_ID, 4, b"\7" * 32, SERVER_SEED), encoding="utf-8")
    assert certify(record.bundle(), "--note", str(kept))[0].exit_code == 1
    kept.write_text("hello")
    assert certify(record.bundle(), "--note", str(kept))[0].exit_code == 2


def test_an_unwritable_drawing_exits_with_2(certify, tmp_path):
    """The text is still printed."""
    done, _ = certify(pig().play().bundle(), "--svg", str(tmp_path / "none" / "page.svg"), svg=False)
    assert done.exit_code == 2
    assert "No such file or directory" in done.stderr
    assert done.stdout.startswith("CERTIFICATE")


# --- the drawing ------------------------------------------------------------------------------------------------------


def pixels(svg):
    """Rows of brightness, 0 to 255, of the drawing at `DOTS` dots a millimetre."""
    png = drawn(svg, 210 * DOTS)
    width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
    assert (depth, colour) == (8, 6)
    data = zlib.decompress(b"".join(chunk for kind, chunk in chunks(png) if kind == b"IDAT"))
    rows, red = [], bytes(width)
    for start in range(0, len(data), 4 * width + 1):
        red = unfiltered(data[start], data[start + 1 : start + 4 * width : 4], red)
        rows.append(red)
    assert len(rows) == height
    return rows


def chunks(png):
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def unfiltered(how, line, above):
    """One colour of a line of a PNG with its filter taken back (PNG specification, section 9)."""
    made, left, corner = bytearray(), 0, 0
    for value, up in zip(line, above, strict=True):
        if how == 4:
            guess = left + up - corner
            add = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        else:
            add = (0, left, up, (left + up) // 2)[how]
        left, corner = (value + add) % 256, up
        made.append(left)
    return bytes(made)


@pytest.mark.slow
def test_the_code_holds_the_signed_text_of_the_note(certify):
    """Printed and scanned, it has the modules of these three lines, and a white margin of four around them."""
    record = pig().play()
    shown = pixels(certify(record.bundle())[1])
    code = segno.make("\n".join(record.note().split("\n")[:3]), error="m", micro=False)
    wide = len(code.matrix) + 8
    step = 44 * DOTS / wide
    for row in range(wide):
        for column in range(wide):
            inside = 4 <= row < wide - 4 and 4 <= column < wide - 4
            dark = bool(inside and code.matrix[row - 4][column - 4])
            x, y = int(LEFT * DOTS + (column + 0.5) * step), int((FOOT + 4.5) * DOTS + (row + 0.5) * step)
            assert (shown[y][x] < 128) == dark, (row, column)


def test_the_drawing_is_one_page_in_black_and_white(certify):
    """A4, without external files, colours or grey."""
    svg = certify(pig().play().bundle())[1]
    root = ET.fromstring(svg)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("210mm", "297mm", "0 0 210 297")
    assert set(re.findall(r"#[0-9a-f]+", svg)) == {"#000", "#fff"}
    assert not re.search(r"href|url\(|@import|<style|<image|<script", svg)


def crowded():
    record = pig(seats=4, start=False)
    for number in range(60):
        record.seeds[0] = seed_of(0, 100 + number)
        record.join(0)
        record.leave(0)
    for seat in range(4):
        record.join(seat)
    record.start()
    return record.play().bundle()


def long_named():
    name = "a-very-long-name." * 14 + "example:65535"
    record = pig(server=name, terms=canonical.to_base64url(b"t" * 32))
    record.play()
    return bundle.write(record.lines, note.write(name, GAME_ID, len(record.lines), record.table.head, SERVER_SEED))


@pytest.mark.parametrize("data", [crowded(), long_named(), pig().play().bundle()], ids=["crowded", "long", "usual"])
def test_everything_stays_inside_the_frame(certify, data):
    """With any server name and number of holders all ink lies inside the inner line, 13 mm from the edge."""
    done, svg = certify(data)
    assert done.exit_code == 0, done.stderr
    sides = [*range(13 * DOTS, 19 * DOTS), *range(191 * DOTS, 197 * DOTS)]
    for y, row in enumerate(pixels(svg)):
        if 13 * DOTS < y < 284 * DOTS:
            inked = [x for x in (range(13 * DOTS, 197 * DOTS) if y > 282 * DOTS else sides) if row[x] < 200]
            assert not inked, (inked, y)


def test_of_too_many_holders_the_last_are_drawn(certify):
    """Holders who left before the start are only in the text, to which the drawing refers."""
    done, svg = certify(crowded())
    words = said(svg)
    assert len(re.findall(r"joined, entry", done.stdout)) == 64
    assert any(word.startswith("... and ") for word in words)
    for seat in range(4):
        assert keys.thumbprint(keys.public_of(seed_of(0, 159) if seat == 0 else seed_of(seat))) in words


# --- comparing with it ------------------------------------------------------------------------------------------------


def test_a_certificate_and_its_code_can_be_compared(certify, tmp_path):
    """The text holds the checkpoint; a scanner reads from the drawing a head without a signature."""
    record = pig().play()
    page = tmp_path / "page.txt"
    page.write_text(certify(record.bundle())[0].stdout, encoding="utf-8")
    scanned = tmp_path / "scanned.txt"
    scanned.write_text("\n".join(record.note().split("\n")[:3]))
    game = str(tmp_path / "game.txt")
    for kept in (page, scanned):
        done = CliRunner().invoke(compare.main, [game, str(kept)])
        assert done.exit_code == 0
        assert f"{game} and {kept}: the same, {len(record.lines)} entries." in done.stdout
