"""What each process says of its program, its disks and the certificate that its settings name."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import Metric

from server.kernel.config import settings
from server.kernel.db import schema
from server.operate.process_metrics import ProcessCollector
from tests.server.harness import MASTER

END = "sealedmove_certificate_end_timestamp_seconds"


def certificate(path: Path, end: datetime) -> Path:
    """Write a certificate that ends then."""
    key, name = Ed25519PrivateKey.generate(), x509.Name([])
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, end - timedelta(days=90), end).sign(key, None)
    path.write_bytes(made.public_bytes(Encoding.PEM))
    return path


def numbers(**environ: str) -> CollectorRegistry:
    found = CollectorRegistry()
    found.register(ProcessCollector(settings({"SEALEDMOVE_MASTER": MASTER.hex(), **environ})))
    return found


def test_the_versions_of_program_and_schema_are_labels():
    labels = {"version": version("sealedmove"), "schema": schema.NEWEST}
    assert numbers().get_sample_value("sealedmove_build_info", labels) == 1


@pytest.mark.parametrize("folder", [".", "to/be/made"])
def test_the_free_share_of_the_data_folders_disk_is_shown(tmp_path, folder, monkeypatch):
    """Also of a folder that does not exist yet."""
    asked: list[Path] = []

    def usage(path: Path):
        asked.append(path)
        return shutil._ntuple_diskusage(200, 150, 50)

    monkeypatch.setattr("server.operate.process_metrics.shutil.disk_usage", usage)
    found = numbers(DATA_DIR=str(tmp_path / folder))
    assert found.get_sample_value("sealedmove_disk_free_ratio", {"folder": "data"}) == 0.25
    assert asked[-2] == tmp_path


def test_the_end_of_the_certificate_is_read_again_each_time(tmp_path):
    """As the proxy renews it. The certificates of its authorities follow it in the file."""
    first, second = datetime(2027, 1, 1, tzinfo=UTC), datetime(2027, 4, 1, tzinfo=UTC)
    path = certificate(tmp_path / "cert.pem", first)
    found = numbers(CERTIFICATE_FILE=str(path))
    assert found.get_sample_value(END) == first.timestamp()
    other = certificate(tmp_path / "other.pem", second + timedelta(days=1000)).read_bytes()
    path.write_bytes(certificate(path, second).read_bytes() + other)
    assert found.get_sample_value(END) == second.timestamp()


@pytest.mark.parametrize("says", [None, "no certificate"])
def test_a_certificate_that_cannot_be_read_has_ended(tmp_path, says: str | None):
    """So that the alert fires, too, if the file has moved."""
    path = tmp_path / "cert.pem"
    if says is not None:
        path.write_text(says)
    assert numbers(CERTIFICATE_FILE=str(path)).get_sample_value(END) == 0


def test_without_a_certificate_in_the_settings_there_is_no_metric():
    families: list[Metric] = list(numbers().collect())
    assert END not in {family.name for family in families}
