import { storeAsSender, type ReportSender } from '../../fleet/collectors/authenticate.ts';
import { instantFault } from '../../fleet/collectors/instants.ts';
import { UnreadableSection } from '../../fleet/collectors/report-sections.ts';
import { rememberRefusals } from '../../fleet/collectors/refusals.ts';
import { isSerialNumber, SERIAL_NUMBER_FAULT } from '../../fleet/devices/serial-number.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { IdSource } from '../../platform/kernel/ids.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { changeAlarms, type AlarmChange, type ChangeOutcome } from './alarm-rows.ts';
import type { RuleLevel } from './rule.ts';
import { isOwnCode } from './rules.ts';

/** An alarm as a collector reports it. */
export interface DeviceAlarm {
  readonly sn: string;
  /** The device's own code. */
  readonly code: string;
  /** When it began or, if `cleared`, when it ended; epoch ms. */
  readonly at: Instant;
  readonly level: RuleLevel;
  readonly message?: string;
  /** Whether it has ended. */
  readonly cleared?: boolean;
}

/** The outcome for the alarms of a report. */
export interface ReportAnswer {
  readonly accepted: number;
  /** Number of elements already known. */
  readonly duplicate: number;
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

type ReportedChange = Exclude<AlarmChange, { resume: unknown }>;

interface Taken {
  readonly index: number;
  readonly sn: string;
  readonly deviceId: string;
  readonly change: ReportedChange;
}

/**
 * Stores the alarms that a collector reports for its devices or itself, those of each device in a separate
 * transaction. When it resolves, everything accepted is durable, and sending it again changes nothing. Each
 * element should be a ReportedAlarm; anything else is recorded as refused. Throws what storeAsSender throws.
 */
export async function recordReported(
  deps: { db: Db; clock: Clock; newId: IdSource },
  sender: ReportSender,
  alarms: readonly unknown[],
): Promise<ReportAnswer> {
  const { db, clock, newId } = deps;
  const { collectorId } = sender;
  const now = clock.now();
  const refused: { index: number; reason: string; sn?: string }[] = [];
  const taken: Taken[] = [];
  const reporters = await findReporters(db, collectorId, alarms);
  for (const [index, alarm] of alarms.entries()) {
    const reason = faultOf(alarm, now);
    if (reason !== undefined) {
      refused.push({ index, reason });
      continue;
    }
    const { sn, at } = alarm as DeviceAlarm;
    const reporter = reporters.get(sn);
    if (!reporter) refused.push({ index, reason: FOREIGN, sn });
    else if (at < reporter.boundAt) refused.push({ index, reason: ELSEWHERE, sn });
    else taken.push({ index, sn, deviceId: reporter.id, change: changeOf(alarm as DeviceAlarm) });
  }
  let accepted = 0;
  let full = 0;
  // Each device gets a transaction of its own: a single one would lock several plants in no fixed order.
  for (const [deviceId, ofDevice] of Map.groupBy(taken, (each) => each.deviceId)) {
    // Changes are made in order of time, regardless of their order in the report.
    const inTime = ofDevice.toSorted((a, b) => instantOf(a.change) - instantOf(b.change));
    const changes = inTime.map(({ change }) => change);
    const done = await storeAsSender<ChangeOutcome[]>(
      db,
      (work) => db.transaction().execute(work),
      { sender, now },
      (trx) => changeAlarms(trx, { now, newId }, deviceId, changes),
    );
    accepted += done.filter((outcome) => outcome === true).length;
    for (const [i, outcome] of done.entries())
      if (outcome instanceof Failure) {
        const { index, sn } = inTime[i]!;
        refused.push({ index, reason: outcome.message, sn });
        full++;
      }
  }
  if (refused.length > 0)
    await db.transaction().execute((trx) => rememberRefusals(trx, collectorId, refused, now));
  return {
    accepted,
    duplicate: taken.length - accepted - full,
    refused: refused
      .map(({ index, reason }) => ({ index, reason }))
      .toSorted((a, b) => a.index - b.index),
  };
}

// Unknown serial numbers and those of other collectors' devices get the same answer.
const FOREIGN = 'no device with this serial number is bound to this collector';
// An alarm from before the device came to its plant belongs to its former plant, and ended when the device left there.
const ELSEWHERE = 'the device was not in its plant at that time';

interface Reporter {
  readonly id: string;
  /** Since when it has been in its plant. */
  readonly boundAt: Instant;
}

/** The devices that the collector may report for, by serial number: those in plants of the same owner. */
async function findReporters(
  db: Db,
  collectorId: string,
  alarms: readonly unknown[],
): Promise<Map<string, Reporter>> {
  const sns = alarms.map((alarm) => (alarm as DeviceAlarm | null)?.sn).filter(isSerialNumber);
  const devices = await db
    .selectFrom('device')
    .innerJoin('plant', 'plant.id', 'device.plantId')
    .innerJoin('binding', (join) =>
      join
        .onRef('binding.deviceId', '=', 'device.id')
        .onRef('binding.plantId', '=', 'device.plantId')
        .on('binding.toAt', 'is', null),
    )
    .innerJoin('device as collector', (join) => join.on('collector.id', '=', collectorId))
    .innerJoin('plant as place', 'place.id', 'collector.plantId')
    .select(['device.id', 'device.sn', 'binding.fromAt as boundAt'])
    .where(anyOf(db, 'device.sn', listParameter(db, [...new Set(sns)])))
    .where((eb) =>
      eb.or([eb('device.collectorId', '=', collectorId), eb('device.id', '=', collectorId)]),
    )
    .whereRef('place.ownerId', '=', 'plant.ownerId')
    .execute();
  return new Map(devices.map(({ sn, ...reporter }) => [sn, reporter]));
}

const changeOf = ({ code, at, level, message, cleared }: DeviceAlarm): ReportedChange =>
  cleared === true
    ? { clear: { code, endAt: at } }
    : { raise: { code, level, message: message ?? `alarm ${code} of the device`, beginAt: at } };

const instantOf = (change: ReportedChange): Instant =>
  'raise' in change ? change.raise.beginAt : change.clear.endAt;

const CODE = /^[!-~]{1,32}$/;
// Control characters are excluded because PostgreSQL refuses NUL.
const TEXT = /^\P{Cc}{1,200}$/u;

function faultOf(alarm: unknown, now: Instant): string | undefined {
  if (alarm instanceof UnreadableSection) return alarm.reason;
  if (typeof alarm !== 'object' || alarm === null || Array.isArray(alarm))
    return 'an alarm must be an object {sn, code, at, level}';
  const { sn, code, at, level, message, cleared } = alarm as Record<string, unknown>;
  if (!isSerialNumber(sn)) return SERIAL_NUMBER_FAULT;
  if (typeof code !== 'string' || !CODE.test(code))
    return 'code must be text of 1 to 32 printable characters without spaces';
  if (isOwnCode(code)) return `code ${code} is reserved for alarms that the service raises`;
  const fault = instantFault(at, now);
  if (fault !== undefined) return fault;
  if (cleared !== undefined && typeof cleared !== 'boolean') return 'cleared must be true or false';
  if (cleared !== true && level !== 1 && level !== 2 && level !== 3)
    return 'level must be 1, 2 or 3';
  if (
    message !== undefined &&
    (typeof message !== 'string' || !TEXT.test(message) || !message.isWellFormed())
  ) {
    return 'message must be text of 1 to 200 characters without control characters';
  }
  return undefined;
}
