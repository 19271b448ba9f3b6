"""`sealedmove doctor`: checks everything that a server needs, and says what to do about what is wrong.

With `--watch` it is a process like the others: it logs what changes and serves the results as metrics.
"""

from __future__ import annotations

import signal
import socket
import ssl
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from urllib.parse import urlsplit

import click
import msgspec
from prometheus_client import REGISTRY
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from engine.kit.zones import FONT
from server.kernel import config, logs
from server.kernel.config import ConfigError, Settings, domain_of
from server.kernel.logs import log
from server.operate import checks, facts, metrics_port, own_process, startup
from server.operate.checks import Finding, Records, SiteCertificate
from server.operate.process_metrics import certificate_end
from workers import stopping
from workers.mail import picture, signing
from workers.mail.smtp import TransientMailError
from workers.queues import WorkerContext, open_context
from workers.replies import dns
from workers.replies.dns import DnsError

Lookup = Callable[[str], list[str]]
TIMEOUT = 10.0  # seconds to reach the site
LETTER = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text {FONT} font-size="9" y="9">M</text></svg>'


@click.command()
@click.option("--watch", is_flag=True, help="Go on checking; log what changes, and serve the results as metrics.")
@click.option("--every", default=300, show_default=True, type=click.IntRange(1), help="Seconds between two rounds.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def main(watch: bool, every: int, as_json: bool) -> None:
    """Check settings, database, Redis, mail, DNS, disk, fonts, clock and certificate, and print what to do.

    The exit status is 1 if something is wrong. Run it on a host of the server, with the variables of its processes.
    """
    own_process.prepare()
    if watch:
        _watch(every)
        return
    found = examine()
    for one in found:
        click.echo(msgspec.json.encode(one).decode() if as_json else _lines(one))
    if any(one.wrong for one in found):
        raise SystemExit(1)


def _lines(one: Finding) -> str:
    if not one.wrong:
        return f"ok     {one.check}" + (f": {one.detail}" if one.detail else "")
    return "\n       ".join(filter(None, (f"WRONG  {one.check}: {one.wrong}", one.do, one.detail)))


def examine() -> list[Finding]:
    """All checks, once. Invalid settings leave nothing else to check."""
    try:
        ctx = open_context(config.settings())
    except (ConfigError, ValueError) as refusal:
        return [checks.refused_settings(str(refusal))]
    try:
        return [*facts.thorough(ctx.services), letter(), *outside(ctx, dns.texts, dns.mail_hosts)]
    finally:
        ctx.services.waker.close()
        ctx.services.database.dispose()


def letter() -> Finding:
    """Drawn as in a picture: without a font that suits, it takes no place there."""
    empty = LETTER.replace("M", "")
    return checks.fonts(is_drawn=picture.drawn(LETTER, 16) != picture.drawn(empty, 16))


# --- facts from outside of this machine -------------------------------------------------------------------------------


def outside(ctx: WorkerContext, texts: Lookup, mail_hosts: Lookup) -> list[Finding]:
    """Relay, certificate, and the DNS of mail. A server for one machine needs neither of the last two."""
    settings = ctx.services.settings
    found = [_relay(ctx)]
    if settings.is_https:
        found.append(certificate_of(urlsplit(settings.public_url).hostname or "", settings.port_shown))
    return found if settings.is_loopback else [*found, *_mail_dns(settings, texts, mail_hosts)]


def _relay(ctx: WorkerContext) -> Finding:
    """Greets it, encrypts and signs in, as for a mail; sends nothing."""
    where, error = f"{ctx.smtp.host}, port {ctx.smtp.port}", None
    try:
        with ctx.smtp.open() as client:
            client.noop()
    except (TransientMailError, OSError) as no:
        error = str(no)
    return checks.relay(error, where)


def certificate_of(host: str, port: int) -> SiteCertificate:
    """As a browser on this machine sees it."""
    try:
        with (
            socket.create_connection((host, port), timeout=TIMEOUT) as line,
            ssl.create_default_context().wrap_socket(line, server_hostname=host) as secure,
        ):
            ends = ssl.cert_time_to_seconds(str((secure.getpeercert() or {})["notAfter"]))
    except OSError as error:  # an SSLError is one, too
        return checks.certificate(str(error))
    return checks.certificate(None, ends, time.time())


def _mail_dns(settings: Settings, texts: Lookup, mail_hosts: Lookup) -> list[Finding]:
    domain = domain_of(settings.mail_from)
    found = [checks.spf(domain, _records(texts, domain)), checks.dmarc(domain, _dmarc(texts, domain))]
    if settings.dkim_sign is not None:
        found.append(_dkim(settings, texts))
    taking = (settings.mail_from, settings.reply_address, settings.bounce_address, settings.complaint_address)
    domains = dict.fromkeys(domain_of(address) for address in taking if address)
    return [*found, *(checks.mx(one, _records(mail_hosts, one)) for one in domains)]


def _dkim(settings: Settings, texts: Lookup) -> Finding:
    try:
        signer = signing.of(settings)
    except ConfigError as no:
        return Finding("dkim", str(no))
    assert signer is not None
    name = f"{signer.selector}._domainkey.{signer.domain}"
    return checks.dkim(name, _records(texts, name), signer.record())


def _dmarc(texts: Lookup, domain: str) -> Records:
    """The records of the domain, or of the nearest one above it that has any (RFC 7489 6.6.3)."""
    labels = domain.split(".")
    for at in range(max(1, len(labels) - 1)):
        found = _records(texts, "_dmarc." + ".".join(labels[at:]))
        if found is None or found:
            return found
    return []


def _records(lookup: Lookup, name: str) -> Records:
    try:
        return lookup(name)
    except DnsError:
        return None


# --- as a process -----------------------------------------------------------------------------------------------------


class Results(Collector):
    """The results of the last round, for Prometheus."""

    def __init__(self) -> None:
        self.found: list[Finding] = []

    def collect(self) -> Iterable[Metric]:
        yield checks.metric(self.found)
        yield from (certificate_end(one.ends) for one in self.found if isinstance(one, SiteCertificate))


def _watch(every: int) -> None:
    settings = startup.checked_settings()
    logs.configure(settings.log_level)
    results = Results()
    REGISTRY.register(results)
    metrics_port.start(replace(settings, certificate_file=None), "doctor")  # it has the end from the site itself
    stop = stopping.on_signals(signal.SIGTERM, signal.SIGINT)
    log.info("doctor-started", every=every)
    known: list[Finding] = []
    while not stop.is_set():
        results.found = examine()
        known = report(known, results.found)
        stop.wait(every)


def report(before: list[Finding], found: list[Finding]) -> list[Finding]:
    """Log what has become wrong since the round before, and what no longer is; returns all that is known now.

    A check that could not be made, as without the database, is as it was.
    """
    made = {one.check for one in found}
    known = [*found, *(one for one in before if one.wrong and one.check not in made)]
    old, new = ({(one.check, one.do) for one in these if one.wrong} for these in (before, known))
    for one in found:
        if one.wrong and (one.check, one.do) not in old:
            log.error("check-failed", check=one.check, wrong=one.wrong, do=one.do, detail=one.detail)
    for one in before:
        if one.wrong and (one.check, one.do) not in new:
            log.info("check-holds", check=one.check)
    return known
