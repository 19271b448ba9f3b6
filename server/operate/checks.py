"""The checks of a server, each a pure function of facts: what is wrong, and what to do about it.

`sealedmove doctor` makes all of them. `/readyz` and the metrics of `web` make those whose facts cost next to nothing
(`server.operate.facts`). `wrong` and `do` are shown to everyone by `/readyz`; `detail` is for the operator alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from engine.kit import count
from server.kernel.config import Settings, domain_of

LEAST_FREE = 1 << 30  # bytes: the database refuses to write when there are none
MOST_SKEW = 5  # seconds: players see deadlines by their own clocks
DAY = 86400  # seconds
LEAST_DAYS = 14  # until a certificate expires: most are renewed a month before
MOST_LATE = 300  # seconds: workers need a few
OLDEST = {"Python": (3, 11), "SQLite": (3, 35), "PostgreSQL": (14,), "Redis": (6, 2)}
CRITICAL = ("database", "schema", "master", "writes")  # without these no act can be served


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check; `wrong` is empty if all is well."""

    check: str
    wrong: str = ""
    do: str = ""
    detail: str = ""

    @property
    def is_critical(self) -> bool:
        return bool(self.wrong) and self.check in CRITICAL

    @property
    def sentence(self) -> str:
        """For everyone."""
        return " ".join(filter(None, (self.wrong, self.do)))


@dataclass(frozen=True, slots=True)
class SiteCertificate(Finding):
    """`ends` is the Unix time; 0 if a browser would not accept it, or the site cannot be reached."""

    ends: float = 0.0


def metric(found: Iterable[Finding]) -> Metric:
    """1 for each check that found something wrong, 0 for the others."""
    family = GaugeMetricFamily("sealedmove_check_failed", "Whether a check found something wrong.", labels=("check",))
    failed: dict[str, bool] = {}
    for one in found:
        failed[one.check] = failed.get(one.check, False) or bool(one.wrong)
    for name, is_wrong in failed.items():
        family.add_metric([name], is_wrong)
    return family


# --- settings ---------------------------------------------------------------------------------------------------------


Rule = tuple[Callable[[Settings], bool], str, str]
RULES: Sequence[Rule] = (
    (
        lambda given: not given.is_loopback and not given.is_https,
        "PUBLIC_URL is plain HTTP, so nobody can sign in with a browser.",
        "Put a proxy with TLS in front, and set PUBLIC_URL to the https address.",
    ),
    (
        lambda given: given.is_https and given.proxies == 0,
        "PROXIES is 0, but PUBLIC_URL is https: all players share the rate limit of the proxy's address.",
        "Set PROXIES to the number of proxies in front of the web server.",
    ),
    (
        lambda given: not given.is_loopback and domain_of(given.mail_from) == "localhost",
        "MAIL_FROM is an address at localhost, from which no mail server accepts mail.",
        "Set MAIL_FROM to an address of your domain.",
    ),
    (
        lambda given: not given.is_loopback and given.contact is None,
        "SEALEDMOVE_CONTACT is not set, so players cannot see how to reach you.",
        "Set it to an email address or a URL.",
    ),
    (
        lambda given: given.redis_url is None,
        "REDIS_URL is not set, so emails are late, and players are the first to notice a restore.",
        "Set REDIS_URL.",
    ),
    (
        lambda given: bool(given.reply_address) and not _takes_mail(given),
        "REPLY_ADDRESS is set, but no mail can come in.",
        "Set INBOUND_LISTEN and run `sealedmove inbound`, or set the secret of a relay that delivers over HTTP.",
    ),
    (
        lambda given: bool(given.bounce_address) and not _takes_mail(given),
        "BOUNCE_ADDRESS is set, but no mail can come in, so no bounce is noticed.",
        "Set INBOUND_LISTEN and REPLY_ADDRESS and run `sealedmove inbound`, or set the secret of a relay that reports.",
    ),
)


def settings(given: Settings) -> list[Finding]:
    """One finding for each unwise setting; one in all if there is none."""
    return [Finding("settings", wrong, do) for is_wrong, wrong, do in RULES if is_wrong(given)] or [Finding("settings")]


def _takes_mail(given: Settings) -> bool:
    return bool((given.inbound_listen and given.reply_address) or given.inbound_secret or given.mailgun_key)


def refused_settings(refusal: str) -> Finding:
    """The settings with which no process starts."""
    return Finding("settings", refusal, 'See "Environment variables" in docs/operate.md.')


# --- database, schema, master, rights ---------------------------------------------------------------------------------


def database(error: str | None) -> Finding:
    """`error` is the database's own message."""
    if error is None:
        return Finding("database")
    return Finding("database", "the database does not answer", "", f"Check DATABASE_URL and the server: {error}")


def refused_connection(says: str) -> Finding:
    """It answers, but not to this user, with this password, or about a database of this name."""
    detail = f"Check the user, the password and the name in DATABASE_URL, and the role's right to CONNECT: {says}"
    return Finding("database", "the database refuses the connection", "", detail)


def replaced(says: str) -> Finding:
    """The file is another one than when this process opened it: acts would go into two databases."""
    do = "Put the right file in its place, or restart all processes to go on with the new one."
    return Finding("database", "The file of the database was replaced while the processes ran.", do, says)


def file_lost(says: str) -> Finding:
    """Whatever was written into a file that has lost its name might be lost, too."""
    do = "Put it back, restore a backup, or correct DATABASE_URL. For a new server, run `sealedmove migrate`."
    return Finding("database", "The file of the database is not in its place.", do, says)


def denied(says: str) -> Finding:
    """The database answers, but the role of this process may not read it; `says` names the tables, or its message."""
    do = "As the owner of the tables, run `sealedmove migrate --grant ROLE`."
    return Finding("database", "the database refuses the role of this process", do, says)


def writes(*, reads_only: bool) -> Finding:
    """PostgreSQL: pages can be read, but nothing is accepted."""
    if not reads_only:
        return Finding("writes")
    says = "The database accepts only reads: it is a standby, or has default_transaction_read_only on."
    return Finding("writes", says, "Let DATABASE_URL name the primary, or turn that off and restart the processes.")


def schema(refusal: str | None) -> Finding:
    """Whether this version works with the schema of the database; the refusal has the remedy."""
    return Finding("schema", refusal or "")


def migrations(found: str | None, newest: str) -> Finding:
    """A schema that is older than the newest, but will do, should be migrated as well."""
    if found is not None and found < newest:
        return Finding("migrations", f"The database has schema {found}, and this version brings {newest}.", MIGRATE)
    return Finding("migrations")


MIGRATE = "Run `sealedmove migrate`."


def master(refusal: str | None) -> Finding:
    """Whether the master and the key number are those of the games in the database; the refusal has the remedy."""
    return Finding("master", refusal or "")


def rights(role: str, may_change: Sequence[str], lacks: Mapping[str, Sequence[str]], *, owns: bool) -> Finding:
    """Of the role of this process: tables that it should only add to but may change, rights that it does not have."""
    if lacks:
        says = "; ".join(f"{', '.join(rights)} on {name}" for name, rights in lacks.items())
        return Finding("rights", f"The role {role} lacks rights: {says}.", GIVE_BACK if owns else f"{GRANT} {role}`.")
    if may_change:
        says = f"The role {role} may change {', '.join(may_change)}, and switch off the triggers if it owns them."
        return Finding("rights", says, f"Use {OWN_ROLE}")
    return Finding("rights")


GRANT = "As the owner, run `sealedmove migrate --grant"
OWN_ROLE = 'a role of its own: "Two roles in PostgreSQL" in docs/operate.md.'
GIVE_BACK = f"It owns the tables: give them back with GRANT, or use {OWN_ROLE}"


# --- what the server runs on ------------------------------------------------------------------------------------------


def redis(flaw: str | None) -> Finding:
    if flaw is None:
        return Finding("redis")
    do = "Check REDIS_URL and Redis; until then mails are late, and each process counts rate limits on its own."
    return Finding("redis", flaw, do)


def redis_settings(policy: str | None, append_only: str | None) -> Finding:
    """None for what Redis does not tell."""
    if policy not in (None, "noeviction"):
        says = f"Redis has maxmemory-policy {policy}: it may delete jobs and the games' newest checkpoints."
        return Finding("redis-settings", says, "Set `maxmemory-policy noeviction`.")
    if append_only not in (None, "yes"):
        says = "Redis has appendonly no: a restart loses the games' newest checkpoints."
        return Finding("redis-settings", says, "Set `appendonly yes`.")
    return Finding("redis-settings")


def skew(seconds: Mapping[str, float]) -> Finding:
    """By how much the clocks of other machines are ahead of this one's."""
    far = {name: ahead for name, ahead in seconds.items() if abs(ahead) > MOST_SKEW}
    if not far:
        return Finding("time")
    said = ", ".join(f"{name} by {ahead:+.0f} seconds" for name, ahead in far.items())
    return Finding("time", f"This machine's clock differs from that of {said}.", "Run an NTP client on every machine.")


def disk(free: int, where: str) -> Finding:
    if free >= LEAST_FREE:
        return Finding("disk")
    says = f"Only {free >> 20} MiB of disk are free."
    return Finding("disk", says, "Free some space before the database can no longer write.", f"The disk holds {where}.")


def unwritable(where: str) -> Finding:
    """Pages can be read, but nothing is accepted."""
    do = "Mount its disk for writing, or let the user of the processes write to it."
    return Finding("disk", "The file of the database cannot be written to.", do, where)


def unknown_disk(error: str) -> Finding:
    return Finding(
        "disk", "The free space of the disk is not known.", "Restart the process in an existing folder.", error
    )


def certificate(error: str | None, ends: float = 0.0, now: float = 0.0) -> SiteCertificate:
    """`error` if a browser would not accept it, or the site cannot be reached from here."""
    if error is not None:
        do = "Check the proxy and its certificate; open PUBLIC_URL in a browser."
        return SiteCertificate("certificate", "PUBLIC_URL does not have a trusted certificate.", do, error)
    days = int((ends - now) // DAY)
    if days < LEAST_DAYS:
        says = f"The site's certificate expires in {count(days, 'day')}."
        return SiteCertificate("certificate", says, "Renew it.", ends=ends)
    return SiteCertificate("certificate", ends=ends)


def versions(found: Mapping[str, tuple[int, ...]]) -> Finding:
    """Of programs that this one needs."""
    for name, number in found.items():
        if number[: len(OLDEST[name])] < OLDEST[name]:
            least, here = (".".join(map(str, one)) for one in (OLDEST[name], number))
            return Finding("versions", f"{name} is {here}, and this version needs {least}.", f"Update {name}.")
    return Finding("versions")


def fonts(*, is_drawn: bool) -> Finding:
    """Whether a letter shows in a picture."""
    if is_drawn:
        return Finding("fonts")
    do = "Install a font that they use (Debian: `apt-get install fonts-dejavu-core`), and restart the processes."
    return Finding("fonts", "Pictures have no words and no numbers.", do)


# --- games and workers ------------------------------------------------------------------------------------------------


def audits(failed: int) -> Finding:
    if failed:
        return Finding(
            "audits", f"{count(failed, 'game')} failed the server's audit.", "`sealedmove audits` lists them."
        )
    return Finding("audits")


def games(flaws: Mapping[str, str], packages: Mapping[str, str]) -> list[Finding]:
    """`flaws` are the games that cannot be loaded, by their home; `packages` those that bring a game, by its key."""
    brought = ", ".join(f"{key} from {package}" for key, package in packages.items())
    do = "Repair or remove its package, and restart the processes. All other games are served."
    return [Finding("games", why, do) for why in flaws.values()] or [Finding("games", detail=brought)]


def rules(missing: Mapping[tuple[str, int], int]) -> list[Finding]:
    """One finding for each set of rules that is not installed; one in all if there is none."""
    return [
        Finding("rules", f"the rules of {key}, version {version}, are not installed here; games that wait: {games}")
        for (key, version), games in missing.items()
    ] or [Finding("rules")]


def stopped(games: int) -> Finding:
    if games:
        return Finding("stopped", f"{count(games, 'game')} stopped.", "`sealedmove stopped` lists them, with advice.")
    return Finding("stopped")


def quarantine(items: int) -> Finding:
    if items:
        says = f"{count(items, 'item')} could not be processed."
        return Finding("quarantine", says, "`sealedmove quarantine` lists them.")
    return Finding("quarantine")


def outbox(seconds: float) -> Finding:
    """The age of the oldest event that no mail has been made from."""
    if seconds > MOST_LATE:
        says = f"No mail has been made from an event of {seconds:.0f} seconds ago."
        return Finding("worker", says, "Check that `worker` and `clock` run, and read their logs.")
    return Finding("worker")


def lag(seconds: float) -> Finding:
    """The time since the oldest deadline that has not been played."""
    if seconds > MOST_LATE:
        says = f"A deadline of {seconds:.0f} seconds ago has not been played."
        return Finding("clock", says, "Check that `clock` runs, and read its log.")
    return Finding("clock")


# --- mail -------------------------------------------------------------------------------------------------------------


def relay(error: str | None, where: str) -> Finding:
    """`error` is why no mail can be handed over."""
    if error is None:
        return Finding("relay")
    return Finding("relay", "The relay does not accept mail.", "Check SMTP_URL and the relay.", f"{where}: {error}")


Records = Sequence[str] | None  # None if the DNS does not answer


def spf(domain: str, found: Records) -> Finding:
    """RFC 7208: exactly one record, which does not let everybody send."""
    own = [text for text in found or () if text.lower().split(" ")[0] == "v=spf1"]
    is_open = any(text.lower().split()[-1] in ("all", "+all", "?all") for text in own)
    do = "Publish one TXT record: `v=spf1 include:RELAY -all`, or `ip4:ADDRESS` for a relay of your own."
    return _of_dns("spf", domain, found, own, do, "lets everybody send" if is_open else "")


def dmarc(domain: str, found: Records) -> Finding:
    """RFC 7489: exactly one record with a policy, for the domain or the one above it."""
    own = [text for text in found or () if text.replace(" ", "").lower().startswith("v=dmarc1;p=")]
    return _of_dns("dmarc", f"_dmarc.{domain}", found, own, "Publish one TXT record: `v=DMARC1; p=none`.")


def dkim(name: str, found: Records, expected: str) -> Finding:
    """The record holds the public half of the key with which the worker signs."""
    own = [text for text in found or () if "p=" in text]
    is_other = any(_key(text) != _key(expected) for text in own)
    do = "Publish the TXT record that `sealedmove mail dkim` prints."
    return _of_dns("dkim", name, found, own, do, "has another key" if is_other else "")


def _key(record: str) -> str:
    return record.replace(" ", "").rpartition("p=")[2].partition(";")[0]


def mx(domain: str, found: Records) -> Finding:
    """Where mail to the domain goes: answers and bounces need at least one host."""
    own = [host for host in found or () if host.strip(".")]
    return _of_dns("mx", domain, found, own[:1], "Publish an MX record with the host that takes its mail.")


def _of_dns(check: str, name: str, found: Records, own: Sequence[str], do: str, wrong: str = "") -> Finding:
    """Well if there is exactly one record of this kind with nothing wrong in it."""
    if found is None:
        return Finding(check, f"The DNS does not answer for {name}.", "Check this machine's resolver.")
    if not own:
        wrong = f"has no {check.upper()} record"
    elif len(own) > 1:
        wrong = f"has {len(own)} {check.upper()} records, so none counts"
    return Finding(check, f"{name} {wrong}.", do) if wrong else Finding(check)
