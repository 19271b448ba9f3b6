// Times in the reader's own time zone, and the time left by the server's clock, so a wrong clock here does no harm.

const SAYS = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});
const UNITS = /** @type {[string, number][]} */ ([
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
]);
const EVERY = 15_000;

/** The server's clock, as estimated by this page. */
export class Clock {
  /** @param {string} now a time as the server wrote it when it made the page */
  constructor(now) {
    this.then = 0;
    this.since = { ticked: 0, dated: 0 };
    this.set(now);
  }

  /** @param {string} now */
  set(now) {
    this.then = Date.parse(now) || Date.now();
    this.since = { ticked: performance.now(), dated: Date.now() };
  }

  /** By the larger span: `performance` stands still while most devices sleep, and a clock may be set back. */
  now() {
    const { ticked, dated } = this.since;
    return this.then + Math.max(performance.now() - ticked, Date.now() - dated);
  }

  /** Write the time left at each `data-until`. @param {ParentNode} part */
  tell(part) {
    for (const one of part.querySelectorAll("[data-until]")) {
      const says = left((Date.parse(one.getAttribute("data-until") ?? "") - this.now()) / 1000);
      if (one.textContent !== says) one.textContent = says;
    }
  }
}

/** @param {Clock} clock */
export function start(clock) {
  clock.tell(document);
  setInterval(() => clock.tell(document), EVERY);
}

/**
 * Shows every time in this part in the reader's zone, with the server's words as its title.
 * @param {ParentNode} part
 */
export function localize(part) {
  for (const one of /** @type {NodeListOf<HTMLTimeElement>} */ (part.querySelectorAll("time[datetime]"))) {
    const at = new Date(one.dateTime);
    if (one.title || Number.isNaN(at.getTime())) continue;
    one.title = one.textContent ?? "";
    one.textContent = moment(at);
  }
}

/** `Monday 23 November 2026, 11:00 CET`, as the server writes it. @param {Date} at */
export function moment(at) {
  const part = Object.fromEntries(SAYS.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${part.weekday} ${part.day} ${part.month} ${part.year}, ${part.hour}:${part.minute} ${part.timeZoneName}`;
}

/** `1 minute`, `2 minutes`. @param {number} count @param {string} unit */
function counted(count, unit) {
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long", useGrouping: false }).format(count);
}

/** A span in its two largest units, in the words of `server/kernel/text.py`. @param {number} seconds */
export function left(seconds) {
  if (seconds <= 0) return "time is up";
  let rest = Math.floor(seconds);
  const parts = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest %= size;
    if (count || parts.length) parts.push(count ? counted(count, unit) : "");
  }
  return `${parts.slice(0, 2).filter(Boolean).join(" ") || "less than a minute"} left`;
}
