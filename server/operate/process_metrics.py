"""Metrics of a process's own program and host: its version, its disks, and the certificate that its settings name."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from cryptography import x509
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from server.kernel.config import Settings
from server.kernel.db import schema


class ProcessCollector:
    """A collector, for every process of the server."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def collect(self) -> Iterator[Metric]:
        build = GaugeMetricFamily(
            "sealedmove_build_info", "Always 1; the labels are the versions.", labels=("version", "schema")
        )
        build.add_metric([version("sealedmove"), schema.NEWEST], 1)
        yield build
        disk = GaugeMetricFamily(
            "sealedmove_disk_free_ratio",
            "Free share of the disk of a folder: `data` or `temporary`.",
            labels=("folder",),
        )
        for name, folder in {"data": self._settings.data_dir, "temporary": Path(tempfile.gettempdir())}.items():
            disk.add_metric([name], _free(folder))
        yield disk
        if self._settings.certificate_file is not None:
            yield certificate_end(_end(self._settings.certificate_file))


def certificate_end(at: float) -> Metric:
    """The same from a file and, in the doctor, from the site."""
    words = (
        "When the site's certificate ends, as `doctor` sees it and by `CERTIFICATE_FILE`; 0 if untrusted or unreadable."
    )
    return GaugeMetricFamily("sealedmove_certificate_end_timestamp_seconds", words, at)


def _free(folder: Path) -> float:
    """Of the disk on which the folder is, or would be."""
    whole = folder.absolute()
    usage = shutil.disk_usage(next(path for path in (whole, *whole.parents) if path.exists()))
    return usage.free / usage.total


def _end(path: Path) -> float:
    """Read each time, since certificates are replaced while processes run. The first in the file is the host's."""
    try:
        return x509.load_pem_x509_certificate(path.read_bytes()).not_valid_after_utc.timestamp()
    except (OSError, ValueError):
        return 0.0
