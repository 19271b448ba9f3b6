"""The examples in deploy/ are valid, for the programs that read them, and fit the project."""

import os
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

import sealedmove
from server.kernel import config
from server.operate import variables
from tests.deploy.nginx import Site, program

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
OPERATE = (ROOT / "docs/operate.md").read_text("utf-8")
UNITS = sorted(DEPLOY.glob("systemd/*.service"))
KNOWN = set(re.findall(r"^\| `(\w+)`", variables.table(), re.MULTILINE))
PASSWORDS = {"POSTGRES_PASSWORD", "POSTGRES_RUN_PASSWORD"}
OF_COMPOSE = {*PASSWORDS, "POSTGRES_USER", "POSTGRES_DB", "SEALEDMOVE_WEB"}


def text(name):
    return (DEPLOY / name).read_text("utf-8")


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, **more)


def test_systemd_accepts_the_units(tmp_path):
    """Without a warning; the programs stand for those of an installation."""
    checker, places = program("systemd-analyze"), []
    for name in ("gunicorn", "sealedmove"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    for unit in UNITS:
        places.append(tmp_path / unit.name)
        places[-1].write_text(unit.read_text("utf-8").replace("/opt/sealedmove/venv/bin", str(tmp_path)))
    done = run(checker, "verify", *places)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_finds_little_that_a_unit_may_do(unit):
    """Its measure goes from 0 to 10; a service without any restriction has 9.6."""
    done = run(program("systemd-analyze"), "security", "--offline=true", "--threshold=20", unit)
    assert done.returncode == 0, done.stdout
    assert re.findall(r"^User=(.*)$", unit.read_text("utf-8"), re.MULTILINE) == ["sealedmove"]


def house():
    """The lines of the unit that runs everything beside the web server."""
    return text("systemd/sealedmove-house.service").splitlines()


def test_the_house_may_listen_where_the_document_lets_it():
    """`inbound` at ports below 1024, for which a user needs this one capability."""
    assert min(map(int, re.findall(r"`(?:lmtp|smtp)://[\d.]+:(\d+)`", OPERATE))) < 1024
    capability = "CAP_NET_BIND_SERVICE"
    assert {f"AmbientCapabilities={capability}", f"CapabilityBoundingSet={capability}"} <= set(house())


@pytest.mark.parametrize("name", ["house", "doctor"])
def test_a_unit_may_read_what_its_metrics_need(name):
    """Without /proc/stat the library serves no memory, processor time and open files; `web` serves none of these."""
    assert "\nProcSubset=" not in text(f"systemd/sealedmove-{name}.service")


def metered(listen):
    """The host and port of each process."""
    return dict(config.settings({"SEALEDMOVE_MASTER": "0" * 64, "METRICS_LISTEN": listen}).metrics_listen)


def test_the_examples_serve_metrics_of_every_process_where_prometheus_looks():
    """On the host its own settings find them. In containers the network of compose does, at the same ports."""
    host = metered(re.search(r"^METRICS_LISTEN=(.*)$", text("env.example"), re.MULTILINE)[1])
    services = yaml.safe_load(text("compose.yaml"))["services"]
    targets = re.findall(r'- "([\d.]+):(\d+)"  # (\w+)', text("prometheus.yml"))
    assert sorted(host) == sorted(config.METERED)
    assert host == {process: (where, int(port)) for where, port, process in targets}
    for name in ("web", "house", "doctor"):
        inside = metered(services[name]["environment"]["METRICS_LISTEN"])
        assert inside == {process: ("0.0.0.0", port) for process, (_, port) in host.items()}
        assert "ports" not in services[name]


def test_prometheus_looks_only_for_processes_that_run_without_a_choice():
    """It would report `inbound` as down on a server without replies by mail."""
    (job,) = yaml.safe_load(text("prometheus.yml"))["scrape_configs"]
    (listed,) = job["static_configs"]
    assert len(listed["targets"]) == len(config.METERED) - 1
    assert not re.search(r"^ +- .*# inbound", text("prometheus.yml"), re.MULTILINE)


def test_the_logs_of_containers_do_not_grow_without_end():
    """Docker keeps them all by default, and `web` logs three lines every five seconds for Caddy's looks alone."""
    for name, service in yaml.safe_load(text("compose.yaml"))["services"].items():
        assert {"max-size", "max-file"} <= set(service["logging"]["options"]), name


def test_the_steps_on_debian_need_no_sudo():
    """They are done as root, and an installation with a password for root does not have it."""
    steps = OPERATE.partition("\n### On Debian 12\n")[2].partition("\n### ")[0]
    assert "runuser -u postgres psql" in steps
    assert "sudo" not in steps


def test_nginx_accepts_the_site(tmp_path):
    done = Site(tmp_path, 8000).check()
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr


def test_caddy_accepts_the_site(tmp_path):
    """Also its form."""
    caddy, home = program("caddy"), os.environ | {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    done = run(caddy, "validate", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile", env=home)
    assert done.returncode == 0, done.stderr
    assert run(caddy, "fmt", DEPLOY / "Caddyfile").stdout == text("Caddyfile")


def test_caddy_counts_no_failures_of_a_host():
    """It would count a body that is too long, and close the site for everybody (`test_caddy.py`, with a real Caddy)."""
    assert not re.findall(r"^\s*(fail_duration|max_fails|unhealthy_\w+)", text("Caddyfile"), re.MULTILINE)


def test_the_proxies_pass_bodies_of_the_documented_sizes():
    """64 KiB, and 33 MiB for missing entries and incoming mails. In Caddy a KB has 1,000 bytes."""
    assert sorted(re.findall(r"max_size (.*)", text("Caddyfile"))) == ["33MiB", "33MiB", "64KiB"]
    assert sorted(re.findall(r"client_max_body_size (.*);", text("nginx.conf"))) == ["33m", "33m", "64k"]


def test_compose_accepts_the_containers(tmp_path):
    """In a copy that has the file with the passwords."""
    commands = [["docker", "compose"], ["docker-compose"], ["podman-compose"]]
    found = [one for one in commands if shutil.which(one[0]) and run(*one, "version").returncode == 0]
    if not found:
        pytest.skip("docker compose is not installed")
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    (tmp_path / "deploy/env").write_text(text("env.example"))
    file = tmp_path / "deploy/compose.yaml"
    for profile in ([], ["--profile", "two-hosts"]):
        done = run(*found[0], "-f", file, *profile, "config", env=os.environ | dict.fromkeys(PASSWORDS, "p"))
        assert done.returncode == 0, done.stderr
    refused = run(*found[0], "-f", file, "config")
    assert (refused.returncode != 0, "set it in deploy/env" in refused.stderr) == (True, True)


def test_every_variable_of_the_examples_exists():
    """Misspelt, it would have no effect."""
    named = set(re.findall(r"^([A-Z_]+)=", text("env.example"), re.MULTILINE))
    named |= set(re.findall(r"^ +([A-Z_]+): ", text("compose.yaml"), re.MULTILINE))
    named |= {
        name for unit in UNITS for name in re.findall(r"^Environment=(\w+)=", unit.read_text("utf-8"), re.MULTILINE)
    }
    assert len(named) > 10
    assert named - OF_COMPOSE <= KNOWN


def test_every_command_of_the_examples_exists():
    """`web` is started as in the Procfile."""
    web = re.search(r"^web: (.*)$", (ROOT / "Procfile").read_text("utf-8"), re.MULTILINE)[1]
    starts = [
        re.search(r"^ExecStart=/opt/sealedmove/venv/bin/(.*)$", one.read_text("utf-8"), re.MULTILINE)[1]
        for one in UNITS
    ]
    starts += [line.replace(",", "") for line in re.findall(r"command: \[(sealedmove.*)\]", text("compose.yaml"))]
    twice = ["sealedmove house", "sealedmove doctor --watch"] * 2
    assert sorted(starts) == sorted([*twice, "sealedmove migrate --grant sealedmove_run", web])
    assert {shlex.split(one)[1] for one in starts if one != web} <= set(sealedmove.COMMANDS)
    assert re.search(r"^CMD \[(.*)\]$", text("Containerfile"), re.MULTILINE)[1].replace('", "', " ").strip(
        '"'
    ) == " ".join(shlex.split(web))


def test_the_image_has_every_package_but_the_conformance_suite_and_runs_without_root():
    """That one is for authors of games, and needs pytest, which a server does not have."""
    lines = text("Containerfile").replace("\\\n", " ").splitlines()
    sources = [
        word for line in lines if line.startswith("COPY ") and "--from" not in line for word in line.split()[1:-1]
    ]
    assert all((ROOT / source).exists() for source in sources)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = {name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert packages - {"conformance"} | {"sealedmove.py", "pyproject.toml", *project["project"]["license-files"]} <= {
        *sources
    }
    assert [line for line in lines if line.startswith("USER ")] == ["USER 10001"]


def test_the_secrets_of_an_installation_stay_out_of_the_image_and_of_the_repository():
    for name in (".dockerignore", ".gitignore"):
        assert "deploy/env" in (ROOT / name).read_text("utf-8").replace("/deploy", "deploy").splitlines()


def test_one_service_builds_the_image_and_the_others_wait_for_it():
    """Docker Compose builds services at the same time, and a second build cannot export an image of the same name."""
    services = yaml.safe_load(text("compose.yaml"))["services"]
    ours = {name: one for name, one in services.items() if one["image"] == "sealedmove"}
    assert [name for name, one in ours.items() if "build" in one] == ["migrate"]
    assert all("migrate" in one["depends_on"] for name, one in ours.items() if name != "migrate")
    assert {one["pull_policy"] for one in ours.values()} == {"never"}


def test_the_second_host_has_the_processes_of_the_first_and_a_volume_of_its_own():
    """It starts only with its profile, and only the data folder differs."""
    services = yaml.safe_load(text("compose.yaml"))["services"]
    for name in ("web", "house"):
        first, second = services[name], services[f"{name}-south"]
        assert second.pop("profiles") == ["two-hosts"]
        assert first.pop("volumes") == ["state:/var/lib/sealedmove"]
        assert second.pop("volumes") == ["south:/var/lib/sealedmove"]
        assert first == second
