"""`make run` starts the whole server, keeps it running, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import pytest

from client import keys, session
from client.caught_mails import Mailbox
from client.game import Player
from client.http import Api
from client.memory import Memory
from tests.e2e.instance import ROOT, Instance
from tests.kit.patience import PATIENCE, until
from tests.servers import patient

pytestmark = pytest.mark.slow


@pytest.fixture
def start(tmp_path):
    """Starts instances in folders of this test and ends those that it left running."""
    started = []

    def start(name="var"):
        started.append(Instance(tmp_path / name))
        return started[-1].start()

    yield start
    for instance in started:
        if instance.process.poll() is None:
            instance.stop()


def gone(processes, patience=PATIENCE):
    return not psutil.wait_procs(processes, timeout=patience)[1]


@pytest.fixture
def sign_in():
    """Sign Ann in at an instance with the link in a mail."""
    with httpx.Client(timeout=PATIENCE) as web:

        def sign_in(instance):
            api = Api(instance.url, None, web)
            mailbox = Mailbox(Api(instance.mail_url, None, web), "ann@players.example")
            session.request_link(api, mailbox.address, "Ann")
            mail = mailbox.wait_for(lambda one: session.token_in(one["text"]) is not None, "the link", PATIENCE)
            return session.confirm(api, session.token_in(mail["text"]))

        yield sign_in


def test_two_run_side_by_side(start, sign_in):
    """Two instances with other ports and folders do not disturb each other: each has its own games and mails."""
    one, two = start("one"), start("two")
    game = session.create_game(sign_in(one), "livingstone", 2)
    assert patient.get(f"{one.url}/v1/games/{game}").status_code == 200
    assert patient.get(f"{two.url}/v1/games/{game}").status_code == 404
    assert patient.get(f"{two.mail_url}/mail.json").json() == []
    one.stop()
    assert two.healthy()
    sign_in(two)


def test_make_run_prints_its_addresses_and_a_signal_stops_it(start):
    """The site, the page of the API and the page of the mails answer; a link signs in, once.

    The runner ends with status 0, and so do all its processes, the embedded server included.
    """
    instance = start()
    family = instance.family()
    printed = [word for word in instance.said().split() if word.startswith("http://")]
    assert printed[:3] == [f"{instance.url}/", f"{instance.url}/v1/docs", f"{instance.mail_url}/"]
    assert [patient.get(url).status_code for url in printed[:3]] == [200, 200, 200]
    with patient.client(headers={"Sec-Fetch-Site": "same-origin"}, follow_redirects=True) as browser:
        assert printed[3].startswith(f"{instance.url}/login/")
        assert ">Guest</a>" in browser.post(printed[3]).text
        assert browser.post(printed[3]).status_code == 410
    stopped(instance, family, signal.SIGTERM)


@pytest.mark.parametrize("when", ["while it starts", "when it is up"])
def test_a_signal_to_its_group_ends_everything(tmp_path, when):
    """As a shell or a supervisor sends it. While it starts, the group has a second member, which prepares the data.

    How long the runner waits at most is tested with a clock of its own (`tests/workers/dev/test_runner.py`).
    """
    instance = Instance(tmp_path / "var")
    instance.launch(process_group=0)
    until(instance.is_up if when == "when it is up" else lambda: instance.named("migrate"), instance.said)
    family = instance.family()
    os.killpg(instance.process.pid, signal.SIGTERM)
    assert instance.process.wait(PATIENCE) == 0, instance.said()
    assert gone(family)
    assert (instance.data_dir / "run.json").read_text() == "{}"


def is_for_others(path):
    """Whether others may read or write it; not if it is gone by now."""
    with suppress(FileNotFoundError):
        return path.stat().st_mode & 0o077 and not path.is_socket()
    return False


def test_files_at_rest_are_the_owners_alone_and_a_fatal_signal_leaves_a_trace(start):
    """The database, the mails and the folders around them; and the stack of the thread that a signal hit."""
    before = os.umask(0o022)
    try:
        instance = start()
    finally:
        os.umask(before)
    kept = [path for path in instance.data_dir.rglob("*") if path.name != "output"]
    assert {path.name for path in kept} >= {"sealedmove.db", "master.key", "mail"}
    assert not [path for path in kept if is_for_others(path)]
    worker = instance.named("worker")[0]
    worker.send_signal(signal.SIGSEGV)
    until(lambda: "Fatal Python error: Segmentation fault" in instance.said(), instance.said)
    assert instance.stop() == 0


def stopped(instance, family, number):
    """Stop everything by one signal."""
    assert instance.healthy()
    assert instance.stop(number) == 0, instance.output
    assert len(family) > 5
    assert gone(family)


def move_by_mail(instance, ann, folder) -> str:
    """The log line of a reply on the mail page, in a game that Ann plays alone."""
    game, key = session.create_game(ann, "lewis_clark", 1, unsigned=True), keys.make()
    session.register_key(ann, key)
    player = Player(ann.api, game, key, Memory(folder), unsigned=True, by_mail=True)
    player.join(0)
    (move, *_) = player.legal()
    with httpx.Client(timeout=PATIENCE) as web:
        mailbox = Mailbox(Api(instance.mail_url, None, web), "ann@players.example")
        mail = mailbox.wait_for(lambda one: one["reply_to"], "to be asked", PATIENCE)
        sent = web.post(f"{instance.mail_url}/mail/{mail['id']}/answer", data={"text": move["notation"]})
        assert sent.status_code == 303
        mailbox.wait_for(lambda one: ".answer" in one["message_id"], "the answer", PATIENCE)
    player.sync()
    assert (player.log.entries[-1].body["via"], player.log.entries[-1].body["seat"]) == ("mail", 0)
    return game


def test_a_second_start_finds_the_games_of_the_first(start, sign_in, tmp_path):
    """The same game with the same log, for the same token; and the mails that were caught, one of them answered."""
    instance = start()
    ann = sign_in(instance)
    game = move_by_mail(instance, ann, tmp_path / "ann")
    log = ann.api.get(f"/v1/games/{game}/log").value
    stopped(instance, instance.family(), signal.SIGINT)
    instance.start()
    assert ann.api.get(f"/v1/games/{game}/log").value == log
    assert ann.api.get("/v1/me").value["name"] == "Ann"
    assert game in [listed["id"] for listed in ann.api.get("/v1/games").value["games"]]
    assert len(patient.get(f"{instance.mail_url}/mail.json").json()) == 3


def test_one_folder_has_one_runner(start):
    """A second runner in the same folder ends with an error; the first goes on."""
    instance = start()
    command = [Path(sys.executable).with_name("sealedmove"), "run"]
    second = subprocess.run(
        command, cwd=ROOT, env=instance.environment(), capture_output=True, text=True, timeout=PATIENCE
    )
    assert second.returncode == 1
    assert "another `sealedmove run` uses" in second.stderr
    assert instance.healthy()


def test_a_second_start_keeps_the_secret_and_the_database(start):
    instance = start()
    secret = (instance.data_dir / "master.key").read_bytes()
    assert (instance.data_dir / "master.key").stat().st_mode & 0o777 == 0o600
    instance.stop()
    instance.start()
    assert instance.healthy()
    assert (instance.data_dir / "master.key").read_bytes() == secret
    assert (instance.data_dir / "sealedmove.db").is_file()


def test_a_killed_runner_ends_all_its_processes(start):
    """With their children; then another server can use its folder and its ports."""
    instance = start()
    family = instance.family()
    instance.stop(signal.SIGKILL)
    assert len(family) > 10
    assert gone(family)
    instance.start()
    assert instance.healthy()


def test_the_next_start_ends_the_processes_of_a_killed_runner(start):
    """Its watcher was killed first; the next start in the same folder also gets its ports."""
    instance = start()
    watching, orphans = parted(instance.family()[1:])
    watching.kill()
    instance.stop(signal.SIGKILL)
    assert any(orphan.is_running() for orphan in orphans)
    instance.start()
    assert gone(orphans)
    assert instance.healthy()


def parted(family):
    """The process that ends the server when its runner is killed, and all others."""
    [watching] = [one for one in family if "workers.dev.watch" in one.cmdline()]
    return watching, [one for one in family if one != watching]


def test_a_crashed_process_is_started_again(start):
    """Kill the web server's whole family: after the pause it answers again."""
    instance = start()
    web = instance.named("gunicorn")[0]
    for process in (web, *web.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            process.kill()

    def is_back():
        try:
            return instance.healthy()
        except httpx.HTTPError:
            return False

    until(is_back, instance.said)


def test_a_killed_house_is_started_again(start):
    """Its programs end by themselves, and then there is one of each again."""
    instance = start()
    before = instance.named("worker")
    instance.named("house")[0].kill()
    assert gone(before)
    until(lambda: len(instance.named("worker")) == 1 and instance.healthy(), instance.said)


def test_a_failed_start_is_an_error(tmp_path):
    """With an invalid secret the web server cannot start: the runner ends with an error and leaves nothing."""
    instance = Instance(tmp_path / "var")
    environment = {**instance.environment(), "SEALEDMOVE_MASTER": "none"}
    command = [Path(sys.executable).with_name("sealedmove"), "run"]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 1
    assert "at its start" in run.stderr
    assert not (instance.data_dir / "redis" / "redis.sock").exists()
