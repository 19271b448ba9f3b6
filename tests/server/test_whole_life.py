"""One game over HTTP with a stolen device, an offer that waits, a restore, a certificate and an audit alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit import installed
from tests.server.harness import WHY, Player, seed_of, sqlite_url
from tests.server.lost import Backup, Lost
from tests.server.test_give_up import run
from tests.server.test_restore import running
from tests.server.test_tricks import RECOVERY, jwk, thief_of
from tests.tooling import auditor

WAIT = 600  # seconds that an offered seat waits


@pytest.mark.slow
def test_a_game_with_a_theft_a_handover_and_a_loss_passes_the_audit(open_house, tmp_path: Path):
    """The thief gets nothing, the offered seat changes hands, and every headline states the loss."""
    hall = open_house(sqlite_url(tmp_path))
    ada, ben, cy = (hall.player(number) for number in range(3))
    wish = {"options": {"lots": 9}, "clock": {"move": 3600}, "offer_wait": WAIT}
    game = Lost(hall, [ada, ben], hall.game("bids", [ada, ben], recovery=RECOVERY, **wish))
    game.play(2)
    recover_from_a_thief(ben, cy, game)  # before real processes: here the clock stands still
    game.play(2)
    hand_over(ada, cy, game)
    game.players = [cy, ben]
    with running(hall):
        game.play(2)
        game.size = len(game.now())
        backup = Backup(hall, tmp_path)
        game.play(3)
        game.remember()
        document = hall.client.get("/.well-known/sealedmove.json").get_json()
    backup.restore()
    with running(hall):
        assert game.compare().get_json()["relation"] == "newer"
        assert run(hall, "give-up", game.game, *WHY).exit_code == 0
        game.play(400)
        assert game.detail()["status"] == "finished"
        bundle = hall.client.get(f"/v1/games/{game.game}/bundle").get_data()
    lost = len(game.lines) - game.size
    check_alone(tmp_path, bundle, document, f"the server lost {lost} entries")


def recover_from_a_thief(owner: Player, ally: Player, game: Lost) -> None:
    """The thief offers the seat with the device key; the owner's recovery code ends that before an ally takes it."""
    thief = thief_of(owner)
    assert thief.offer(game.game).status_code == 201
    assert ally.take(game.game, owner.seat).get_json()["code"] == "offer-waits"
    owner.seed = seed_of("a new device")
    assert owner.post("/me/keys", {"jws": owner.harness.proof(owner)}).status_code == 201
    assert owner.rekey(game.game, by=RECOVERY, only=[jwk(owner.seed)]).status_code == 201
    assert thief.resign(game.game).get_json()["code"] == "dropped-key"
    assert ally.take(game.game, owner.seat).get_json()["code"] == "not-free"


def hand_over(giver: Player, taker: Player, game: Lost) -> None:
    """Hand the seat over, after the offer has waited."""
    assert giver.offer(game.game).status_code == 201
    game.hall.clock.forward(seconds=WAIT - 1)
    assert taker.take(game.game, giver.seat).get_json()["code"] == "offer-waits"
    game.hall.clock.forward(seconds=1)
    assert taker.take(game.game, giver.seat).status_code == 201
    offered, taken = game.now()[-2:]
    assert json.loads(taken)["at"] >= json.loads(offered)["at"]


def check_alone(folder: Path, bundle: bytes, document: object, headline: str) -> None:
    """The certificate, and the report of the one-file auditor, on a Python without packages."""
    (folder / "game.txt").write_bytes(bundle)
    (folder / "server.json").write_text(json.dumps(document), "utf-8")
    given = [folder / "game.txt", "--server", folder / "server.json"]
    environment = {**os.environ, **installed.ENV, "SEALEDMOVE_HOME": str(folder)}
    certificate = output([sys.executable, "-m", "sealedmove", "certificate", *given], environment)
    assert headline in certificate.lower()
    auditor.main(folder / "auditor")
    installed.into(folder / "auditor" / auditor.LIBRARIES)
    bare = [sys._base_executable, "-I", "-S", folder / "auditor" / auditor.NAME]
    report = output([*bare, *given], environment)
    assert report.startswith("holds")
    assert headline in report.splitlines()[0]


def output(words: list[object], environment: dict[str, str]) -> str:
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
