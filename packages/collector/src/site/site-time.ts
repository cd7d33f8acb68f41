import type { Clock } from '../clock.ts';
import type { Urgency } from '../link.ts';
import type { Report } from '../report.ts';

export interface SiteTimeOptions {
  /** The machine's clock, which may be wrong until the network has set it. */
  readonly clock: Clock;
  /** Milliseconds since any instant; never set. */
  readonly uptime: () => number;
  /** An instant that is certainly over, epoch milliseconds. */
  readonly notBefore: number;
  /** Takes a report whose times are right. */
  readonly deliver: (report: Report, urgency: Urgency) => boolean;
}

/** The time of a site, on machines that start with any: what is measured before it is known is dated as soon as it is. */
export interface SiteTime extends Clock {
  readonly isKnown: boolean;
  /** The server has answered with its time, epoch milliseconds; one that cannot be is not believed. */
  heard(serverAt: number): void;
  /** Delivers a report, or keeps it in memory until the time is known. Returns whether it is on the disk. */
  report(report: Report, urgency: Urgency): boolean;
  /** Looks at the machine's clock; often enough, since that is set without notice. */
  check(): void;
}

/** No collector of this kind has run before. */
const EARLIEST = Date.UTC(2026, 0, 1);
/** No server tells a time after this. */
const LATEST = Date.UTC(2100, 0, 1);
/** A time that may be right is taken for right after so long without a word of the server. */
const HOLD_MS = 10_000;
/** A machine whose clock is further off than this goes by the server's. */
const OFF_MS = 120_000;
const HELD_AT_MOST = 5_000;

interface Held {
  readonly report: Report;
  readonly urgency: Urgency;
  readonly at: number;
  readonly uptime: number;
}

export function createSiteTime({ clock, uptime, notBefore, deliver }: SiteTimeOptions): SiteTime {
  const startedAt = uptime();
  const earliest = Math.max(EARLIEST, notBefore);
  /** What the uptime lacks to the time. */
  let offset = clock.now() - startedAt;
  let [isKnown, isServers] = [false, false];
  let held: Held[] = [];
  // Instants are whole milliseconds, unlike the uptime.
  const now = (): number => Math.round(uptime() + offset);

  function know(at: number): void {
    offset = at - uptime();
    isKnown = true;
    flush();
  }

  function flush(): boolean {
    let isKept = false;
    const waiting = held;
    held = [];
    for (const one of waiting)
      isKept = deliver(moved(one.report, now() - (uptime() - one.uptime) - one.at), one.urgency);
    return isKept;
  }

  function check(): void {
    const at = clock.now();
    const isSet = Math.abs(at - now()) > OFF_MS;
    if (at < earliest || isServers) return;
    if (isKnown || isSet || uptime() - startedAt >= HOLD_MS) know(at);
  }

  return {
    now,
    get isKnown() {
      return isKnown;
    },
    heard(serverAt) {
      if (!(serverAt >= EARLIEST && serverAt <= LATEST)) return;
      isServers = Math.abs(serverAt - clock.now()) > OFF_MS;
      know(isServers ? serverAt : clock.now());
    },
    report(report, urgency) {
      const one = { report, urgency, at: now(), uptime: uptime() };
      // First, since it may deliver what was held, of which nobody asks any more where it is.
      check();
      held.push(one);
      if (held.length > HELD_AT_MOST) held.shift();
      return isKnown && flush();
    },
    check,
  };
}

/** A report whose clock was behind by so much; a second is no error. */
function moved(report: Report, byMs: number): Report {
  if (Math.abs(byMs) < 1_000) return report;
  const later = <T extends { readonly at: number }>(one: T): T => ({
    ...one,
    at: Math.round(one.at + byMs),
  });
  const { readings, alarms } = report;
  return {
    ...report,
    ...(readings && { readings: readings.map(later) }),
    ...(alarms && { alarms: alarms.map(later) }),
  };
}
