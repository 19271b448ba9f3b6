"""Frozen settings, and the only reader of the environment. No secret has a default."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from engine.record.signed.server_keys import MOST_KEYS
from server.kernel import secrets
from server.kernel.errors import ServerError
from server.kernel.master_file import where_to_find

# The push services of Chrome, Edge, Firefox and Safari.
PUSH_HOSTS = (
    "fcm.googleapis.com",
    "*.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
LOOPBACK = ("127.0.0.1", "::1", "localhost")
RELAY_PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
NUMBERS = {int: "whole number", float: "number"}
N = TypeVar("N", int, float)


class ConfigError(ServerError):
    """A setting that the server needs is missing or invalid."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything that a deployment may choose. `server_name` is what players sign as `aud`."""

    master: bytes = field(repr=False)
    database_url: str = field(repr=False)
    public_url: str
    redis_url: str | None = field(default=None, repr=False)
    smtp_url: str = field(default="smtp://127.0.0.1:8002", repr=False)
    mail_from: str = "Sealed Move <games@localhost>"
    mail_page_url: str | None = None
    hosts: tuple[str, ...] = ()
    # Replies: their addresses, with `{token}` in each; the server trusted for DKIM results; secrets of relays.
    reply_address: str | None = None
    bounce_address: str | None = None
    complaint_address: str | None = None
    inbound_listen: tuple[str, ...] = ()
    inbound_certificate_file: Path | None = None  # the chain, for STARTTLS
    inbound_key_file: Path | None = None  # unless the chain's file holds the key
    auth_results: tuple[str, str] | None = None
    dkim_key_file: Path | None = None
    dkim_sign: tuple[str, Path] | None = None  # selector and private key
    inbound_secret: str | None = field(default=None, repr=False)
    mailgun_key: str | None = field(default=None, repr=False)
    host: str = "127.0.0.1"
    port: int = 8000
    proxies: int = 0
    key_number: int = 1
    contact: str | None = None
    log_level: str = "INFO"
    # Limits, as the package limits reads them: "60/minute; 500/hour". "" switches one off.
    limit_address: str = "6000/minute"
    limit_token: str = "3000/minute"  # noqa: S105 - a rate, no secret
    limit_bot: str = "600/minute"
    limit_login: str = "60/minute"
    limit_compare: str = "60/minute"
    limit_hooks: str = "20/minute"
    limit_guests: str = "5/hour; 20/day"
    # Limits of a person's account; half of each for a new one. 0 switches one off.
    most_guests: int = 200
    most_open_tables: int = 5
    most_lobby_seats: int = 12
    most_seats: int = 60
    longest_wait: float = 25.0
    most_waiting: int = 8
    # Days for which rows are kept after they were last needed.
    events_kept: int = 30
    outbox_kept: int = 7
    mails_kept: int = 30
    repeats_kept: int = 30
    events_socket: Path = Path("var/events/events.sock")
    most_streams: int = 4000
    streams_account: int = 20
    streams_address: int = 200
    # Seconds, on PostgreSQL; 0 for no limit.
    statement_timeout: int = 30
    lock_timeout: int = 10
    database_connections: int = 30  # of one process to PostgreSQL
    # The auditor: hours until a running game is audited again, and its share of one processor in percent.
    audit_every: int = 24
    audit_share: int = 10
    push_hosts: tuple[str, ...] = PUSH_HOSTS
    data_dir: Path = Path("var")
    certificate_file: Path | None = None  # of the proxy; only its end is read, for a metric
    metrics_listen: tuple[tuple[str, tuple[str, int]], ...] = ()  # of each process that serves its metrics: host, port

    @cached_property
    def server_name(self) -> str:
        return urlsplit(self.public_url).netloc

    @cached_property
    def is_https(self) -> bool:
        return urlsplit(self.public_url).scheme == "https"

    @cached_property
    def is_loopback(self) -> bool:
        """Is it an address of this machine's loopback interface?"""
        return urlsplit(self.public_url).hostname in LOOPBACK

    @cached_property
    def is_for_one(self) -> bool:
        """Is the server reachable only from this machine, by a loopback address?"""
        return self.is_loopback and self.host in LOOPBACK and not self.proxies and not self.hosts

    @cached_property
    def port_shown(self) -> int:
        """The port that browsers see."""
        return urlsplit(self.public_url).port or (443 if self.is_https else 80)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every `Host` that this server answers to, in lower case, without a default port.

        All names of the loopback address are one server: resolvers outside of this machine do not serve them.
        """
        named = {urlsplit(self.public_url).hostname or "", *(LOOPBACK if self.is_loopback else ())}
        port = "" if self.port_shown == (443 if self.is_https else 80) else f":{self.port_shown}"
        return frozenset({*(f"[{name}]{port}" if ":" in name else f"{name}{port}" for name in named), *self.hosts})

    @cached_property
    def origins(self) -> frozenset[str]:
        """The origins of its pages."""
        scheme = urlsplit(self.public_url).scheme
        return frozenset(f"{scheme}://{name}" for name in self.names - {*self.hosts})


def settings(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings of this process; ConfigError names what is missing and how to set it."""
    env = os.environ if environ is None else environ
    port = _port(env, "PORT", 8000, least=0)
    public_url = env.get("PUBLIC_URL", f"http://127.0.0.1:{port}").rstrip("/")
    if not urlsplit(public_url).netloc:
        raise ConfigError("PUBLIC_URL must be an absolute URL such as https://games.example")
    return Settings(
        master=_master(env),
        database_url=database_url(env),
        public_url=public_url,
        redis_url=env.get("REDIS_URL") or None,
        smtp_url=_smtp_url(env) or f"smtp://127.0.0.1:{_port(env, 'SMTP_PORT', port + 2)}",
        mail_from=env.get("MAIL_FROM", "Sealed Move <games@localhost>"),
        mail_page_url=f"http://127.0.0.1:{env['MAIL_PAGE_PORT']}" if env.get("MAIL_PAGE_PORT") else None,
        host=env.get("HOST", "127.0.0.1"),
        port=port,
        hosts=tuple(filter(None, env.get("HOSTS", "").lower().split(","))),
        proxies=_number(env, "PROXIES", int, 0),
        key_number=_key_number(env),
        contact=env.get("SEALEDMOVE_CONTACT") or None,
        log_level=_log_level(env),
        longest_wait=_number(env, "LONGEST_WAIT", float, 25.0),
        events_socket=Path(env.get("EVENTS_SOCKET") or Path(env.get("DATA_DIR", "var")) / "events" / "events.sock"),
        **_sending(env),
        **_measured(env),
        **_replies(env, public_url),
        **_as_named(env),
    )


def _sending(env: Mapping[str, str]) -> dict[str, Any]:
    """The settings for what the server sends: how mails are signed, and to which push services notifications go."""
    return {"dkim_sign": _dkim_sign(env), "push_hosts": _push_hosts(env)}


def _smtp_url(env: Mapping[str, str]) -> str | None:
    """The relay; ConfigError, without its password, if it cannot be used or the password would be sent in the clear."""
    text = env.get("SMTP_URL")
    if not text:
        return None
    try:
        parts = urlsplit(text)
        fits = parts.scheme in RELAY_PORTS and parts.hostname and parts.port != 0
    except ValueError:  # a port that is not one, or half of an IPv6 address
        fits = False
    shown = re.sub("(?<=//).*@|^[^/]*@", "...@", text)
    if not fits:
        raise ConfigError(
            f"SMTP_URL is {shown!r}: it must be smtp://HOST, smtp+starttls://HOST or smtps://HOST, with a port from 1 "
            "to 65535 or none. In a user or password, write a character such as / or @ as %2F or %40"
        )
    if parts.username and parts.scheme == "smtp":
        raise ConfigError(f"SMTP_URL is {shown!r}: with a user it must begin with smtps or smtp+starttls")
    return text


def _push_hosts(env: Mapping[str, str]) -> tuple[str, ...]:
    """The hosts of push services that browsers may name; "" switches notifications off."""
    given = env.get("PUSH_HOSTS")
    if given is None:
        return PUSH_HOSTS
    hosts = tuple(part.strip().lower() for part in given.split(",") if part.strip())
    for host in hosts:
        if not re.fullmatch(r"(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+", host):
            raise ConfigError(f"PUSH_HOSTS has {host}: each part must be a host such as *.push.example.com")
    return hosts


def _measured(env: Mapping[str, str]) -> dict[str, Any]:
    """The settings for metrics."""
    certificate = env.get("CERTIFICATE_FILE")
    return {
        "metrics_listen": _metrics_listen(env),
        "data_dir": Path(env.get("DATA_DIR", "var")),
        "certificate_file": Path(certificate) if certificate else None,
    }


METERED = ("web", "worker", "clock", "hooks", "events", "inbound", "doctor")


def _metrics_listen(env: Mapping[str, str]) -> tuple[tuple[str, tuple[str, int]], ...]:
    """Where each process serves its metrics; one that is not named serves none."""
    found: dict[str, tuple[str, int]] = {}
    for part in filter(None, env.get("METRICS_LISTEN", "").split(",")):
        said = re.fullmatch(r"([a-z]+)=(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):([0-9]{1,5})", part.strip(), re.ASCII)
        if not said or said[1] not in METERED or not 0 < int(said[4]) < 65536:
            known = ", ".join(METERED)
            raise ConfigError(
                f"METRICS_LISTEN has {part}: each part must be PROCESS=HOST:PORT, such as web=127.0.0.1:8100. "
                f"The processes are {known}; players have PLAYERS_METRICS_PORT"
            )
        found[said[1]] = (said[2] or said[3], int(said[4]))
    return tuple(found.items())


def _dkim_sign(env: Mapping[str, str]) -> tuple[str, Path] | None:
    """How mails are signed here; None if the relay signs them."""
    selector, path = env.get("DKIM_SIGN_SELECTOR"), env.get("DKIM_SIGN_KEY_FILE")
    if bool(selector) != bool(path):
        raise ConfigError("DKIM_SIGN_SELECTOR and DKIM_SIGN_KEY_FILE must both be set, or neither if the relay signs")
    domain = domain_of(env.get("MAIL_FROM", ""))
    if env.get("DKIM_SIGN_DOMAIN", domain).lower() != domain:
        raise ConfigError(f"DKIM_SIGN_DOMAIN must be the domain of MAIL_FROM, {domain}: receivers ignore any other")
    if not selector or not path:
        return None
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?", selector):
        raise ConfigError("DKIM_SIGN_SELECTOR must be a name of letters, digits and hyphens, such as games2026")
    return selector, Path(path)


def domain_of(mailbox: str) -> str:
    """The domain of `Sealed Move <games@play.example>`."""
    return re.sub(r"[>\s]", "", mailbox.rpartition("@")[2]).lower()


def _replies(env: Mapping[str, str], public_url: str) -> dict[str, Any]:
    """The settings for incoming mail; without them no mail can be answered."""
    addresses = {"reply_address": env.get("REPLY_ADDRESS"), "bounce_address": env.get("BOUNCE_ADDRESS")}
    for name, given in addresses.items():
        if given and not secrets.is_reply_pattern(given.lower()):
            raise ConfigError(
                f"{name.upper()} must be an address with {{token}} before its @: move+{{token}}@play.example"
            )
    complaints = (env.get("COMPLAINT_ADDRESS") or "").lower() or None
    if complaints and not (addresses["bounce_address"] and re.fullmatch(r"[a-z0-9.=+_-]+@[a-z0-9.-]+", complaints)):
        raise ConfigError(
            "COMPLAINT_ADDRESS must be an address and needs BOUNCE_ADDRESS, by which complaints identify mails"
        )
    believed = env.get("AUTH_RESULTS") or ""
    if believed and not re.fullmatch(r"[A-Za-z0-9.-]+@[0-9a-fA-F.:]+", believed):
        raise ConfigError("AUTH_RESULTS must be HOST@ADDRESS: the name in the header, the relay's own IP address")
    key = env.get("DKIM_KEY_FILE")
    if key and urlsplit(public_url).hostname not in LOOPBACK:
        raise ConfigError("DKIM_KEY_FILE is only for a server on one machine: elsewhere the sender's DNS proves a mail")
    return {
        **{name: given.lower() if given else None for name, given in addresses.items()},
        "complaint_address": complaints,
        "inbound_listen": tuple(filter(None, env.get("INBOUND_LISTEN", "").split(","))),
        **_inbound_certificate(env),
        "auth_results": tuple(believed.split("@")) if believed else None,
        "dkim_key_file": Path(key) if key else None,
        "inbound_secret": env.get("INBOUND_SECRET") or None,
        "mailgun_key": env.get("MAILGUN_KEY") or None,
    }


def _inbound_certificate(env: Mapping[str, str]) -> dict[str, Path | None]:
    chain, key = env.get("INBOUND_CERTIFICATE_FILE"), env.get("INBOUND_KEY_FILE")
    if key and not chain:
        raise ConfigError("INBOUND_KEY_FILE is set without INBOUND_CERTIFICATE_FILE: set both, or neither")
    return {"inbound_certificate_file": Path(chain) if chain else None, "inbound_key_file": Path(key) if key else None}


COUNTS = (
    "most_guests",
    "most_open_tables",
    "most_lobby_seats",
    "most_seats",
    "most_waiting",
    "events_kept",
    "outbox_kept",
    "mails_kept",
    "repeats_kept",
    "most_streams",
    "streams_account",
    "streams_address",
    "statement_timeout",
    "lock_timeout",
    "database_connections",
    "audit_every",
    "audit_share",
)
LEAST_CONNECTIONS = 4  # a thread may use two at once
LIMITS = ("limit_address", "limit_token", "limit_bot", "limit_login", "limit_compare", "limit_hooks", "limit_guests")


def _as_named(env: Mapping[str, str]) -> dict[str, Any]:
    """Settings whose variables are their names in capitals; missing ones keep their defaults."""
    found: dict[str, Any] = {name: _rates(env, name.upper()) for name in LIMITS if name.upper() in env}
    found |= {name: _number(env, name.upper(), int, 0) for name in COUNTS if name.upper() in env}
    if not 1 <= found.get("audit_share", 1) <= 100:
        raise ConfigError(f"AUDIT_SHARE is {found['audit_share']}: it must be a percentage from 1 to 100")
    if found.get("audit_every", 1) < 1:
        raise ConfigError(f"AUDIT_EVERY is {found['audit_every']}: it must be at least 1 (hour)")
    if found.get("database_connections", LEAST_CONNECTIONS) < LEAST_CONNECTIONS:
        raise ConfigError(
            f"DATABASE_CONNECTIONS is {found['database_connections']}: it must be at least {LEAST_CONNECTIONS}"
        )
    for name in (name for name in found if name.endswith("_kept") and found[name] < 1):
        raise ConfigError(f"{name.upper()} is {found[name]}: it must be at least 1 (day)")
    return found


def database_url(environ: Mapping[str, str] | None = None) -> str:
    """The database's URL, which is all that a migration needs: no secret."""
    env = os.environ if environ is None else environ
    return env.get("DATABASE_URL") or f"sqlite:///{Path(env.get('DATA_DIR', 'var')) / 'sealedmove.db'}"


def _number(env: Mapping[str, str], name: str, kind: type[N], default: N) -> N:
    """The number in a variable; ConfigError names the variable if it has none."""
    text = env.get(name)
    try:
        return default if text is None else kind(text)
    except ValueError:
        raise ConfigError(f"{name} is {text!r}: it must be a {NUMBERS[kind]}") from None


def _port(env: Mapping[str, str], name: str, default: int, least: int = 1) -> int:
    port = _number(env, name, int, default)
    if not least <= port <= 65535:
        raise ConfigError(f"{name} is {port}: it must be a port from 1 to 65535")
    return port


def _rates(env: Mapping[str, str], name: str) -> str:
    """The rates of a limit; "" limits nothing."""
    from limits import parse_many  # where no limit is set, nothing but the web server loads it

    text = env[name]
    try:
        if text:
            parse_many(text)
    except ValueError:
        raise ConfigError(f"{name} is {text!r}: it must be rates such as `60/minute; 500/hour`") from None
    return text


def _log_level(env: Mapping[str, str]) -> str:
    level = env.get("LOG_LEVEL", "INFO").upper()
    if level not in logging.getLevelNamesMapping():
        raise ConfigError(f"LOG_LEVEL is {level!r}: it must be DEBUG, INFO, WARNING or ERROR")
    return level


def _key_number(env: Mapping[str, str]) -> int:
    text = env.get("SEALEDMOVE_KEY_NUMBER") or "1"
    if not re.fullmatch("[1-9][0-9]{0,3}", text, re.ASCII) or int(text) > MOST_KEYS:
        raise ConfigError(f"SEALEDMOVE_KEY_NUMBER must be a number from 1 to {MOST_KEYS}: the key that signs new games")
    return int(text)


def _master(env: Mapping[str, str]) -> bytes:
    text = env.get("SEALEDMOVE_MASTER", "")
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise ConfigError(
            "SEALEDMOVE_MASTER must hold 64 hexadecimal digits (32 random bytes, kept forever): every game's secret "
            f"comes from it. {where_to_find(Path(env.get('DATA_DIR', 'var')) / 'master.key')}"
        )
    return bytes.fromhex(text)
