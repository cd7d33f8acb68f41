import type { Clock } from '../kernel/clock.ts';
import type { IdSource } from '../kernel/ids.ts';
import type { Db, Instant } from '../storage/database.ts';
import { changeAlarms, type AlarmChange } from './alarm-rows.ts';
import type { AlarmLevel } from './rule.ts';
import { isOwnCode } from './rules.ts';

/** An alarm as a collector hands it over. */
export interface ReportedAlarm {
  readonly sn: string;
  /** The device's own code. */
  readonly code: string;
  /** When it began, or ended; epoch ms. */
  readonly at: Instant;
  readonly level: AlarmLevel;
  readonly message?: string;
  /** It has ended. */
  readonly cleared?: boolean;
}

/** What became of reported alarms, one by one. */
export interface ReportAnswer {
  readonly accepted: number;
  /** What was known. */
  readonly duplicate: number;
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

/** Finds the device of a serial number that the collector may report for, or says why there is none. */
export type FindReporter = (sn: string) => { readonly deviceId: string } | { readonly reason: string };

interface Taken {
  readonly index: number;
  readonly deviceId: string;
  readonly change: AlarmChange;
}

/**
 * Stores alarms that devices report themselves. When it resolves, what it accepted is durable; sent again, it changes nothing.
 * Elements should be ReportedAlarms; what is none is refused.
 */
export async function recordReported(
  deps: { db: Db; clock: Clock; newId: IdSource },
  findReporter: FindReporter,
  alarms: readonly unknown[],
): Promise<ReportAnswer> {
  const { db, clock, newId } = deps;
  const now = clock.now();
  const refused: { index: number; reason: string }[] = [];
  const taken: Taken[] = [];
  for (const [index, alarm] of alarms.entries()) {
    const fault = faultOf(alarm, now);
    const reporter = fault === undefined ? findReporter((alarm as ReportedAlarm).sn) : { reason: fault };
    if ('reason' in reporter) refused.push({ index, reason: reporter.reason });
    else taken.push({ index, deviceId: reporter.deviceId, change: changeOf(alarm as ReportedAlarm) });
  }
  let accepted = 0;
  // Each device in a transaction of its own: together they would lock several plants in no order.
  for (const [deviceId, ofDevice] of Map.groupBy(taken, (each) => each.deviceId)) {
    const changes = ofDevice.map(({ change }) => change);
    const done = await db.transaction().execute((trx) => changeAlarms(trx, { now, newId }, deviceId, changes));
    accepted += done.filter((changed) => changed).length;
  }
  return { accepted, duplicate: taken.length - accepted, refused };
}

const changeOf = ({ code, at, level, message, cleared }: ReportedAlarm): AlarmChange =>
  cleared === true ? { clear: { code, endAt: at } } : { raise: { code, level, message: message ?? `alarm ${code} of the device`, beginAt: at } };

// 2000-01-01, as for readings.
const EARLIEST_AT = 946_684_800_000;
const AHEAD_MS = 86_400_000;
const CODE = /^[!-~]{1,32}$/;
const MESSAGE = /^\P{Cc}{1,200}$/u;

function faultOf(alarm: unknown, now: Instant): string | undefined {
  if (typeof alarm !== 'object' || alarm === null || Array.isArray(alarm)) return 'an alarm is an object {sn, code, at, level}';
  const { sn, code, at, level, message, cleared } = alarm as Record<string, unknown>;
  if (typeof sn !== 'string') return 'sn must be text';
  if (typeof code !== 'string' || !CODE.test(code)) return 'code must be text of 1 to 32 printable characters without spaces';
  if (isOwnCode(code)) return `code ${code} is one that the service raises by itself`;
  if (typeof at !== 'number' || !Number.isSafeInteger(at)) return 'at must be a whole number, epoch milliseconds';
  if (at < EARLIEST_AT || at > now + AHEAD_MS) return 'at is before 2000-01-01 or more than a day in the future';
  if (cleared !== undefined && typeof cleared !== 'boolean') return 'cleared must be true or false';
  if (cleared !== true && level !== 1 && level !== 2 && level !== 3) return 'level must be 1, 2 or 3';
  if (message !== undefined && (typeof message !== 'string' || !MESSAGE.test(message) || !message.isWellFormed())) {
    return 'message must be text of 1 to 200 characters without control characters';
  }
  return undefined;
}
