// server/http/static/ui/times.js
var SAYS = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short"
});
var UNITS = (
  /** @type {[string, number][]} */
  [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60]
  ]
);
var EVERY = 15e3;
var Clock = class {
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
      const says = left((Date.parse(one.getAttribute("data-until") ?? "") - this.now()) / 1e3);
      if (one.textContent !== says) one.textContent = says;
    }
  }
};
function start(clock) {
  clock.tell(document);
  setInterval(() => clock.tell(document), EVERY);
}
function localize(part) {
  for (
    const one of
    /** @type {NodeListOf<HTMLTimeElement>} */
    part.querySelectorAll("time[datetime]")
  ) {
    const at = new Date(one.dateTime);
    if (one.title || Number.isNaN(at.getTime())) continue;
    one.title = one.textContent ?? "";
    one.textContent = moment(at);
  }
}
function moment(at) {
  const part = Object.fromEntries(SAYS.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${part.weekday} ${part.day} ${part.month} ${part.year}, ${part.hour}:${part.minute} ${part.timeZoneName}`;
}
function counted(count, unit) {
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long", useGrouping: false }).format(count);
}
function left(seconds) {
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

export {
  Clock,
  start,
  localize
};
