import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LockedDevice } from '../../fleet/devices/device-lock.ts';
import { changeStates, reportingState, type Transition } from '../../fleet/devices/states.ts';
import type { LaneHandler, Run } from '../../platform/work/lane.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { IdSource } from '../../platform/kernel/ids.ts';
import type { Logger } from '../../platform/kernel/logger.ts';
import { presence } from '../../fleet/plants/presence.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import type { Telemetry } from '../../measurements/telemetry/telemetry.ts';
import { changeAlarms, listOpenAlarms } from './alarm-rows.ts';
import { appointAll, listDue, type DueDevice } from './due-devices.ts';
import { judgeDevice, type FindingOutcome } from './findings.ts';
import { lastReportAt } from './observations/last-report.ts';
import { OWN_CODES } from './rules.ts';
import { createObservations } from './observations/observations.ts';

export interface WatchDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly logger: Pick<Logger, 'error'>;
  readonly telemetry: Pick<Telemetry, 'latestOf' | 'readingsBetween'>;
}

const DEVICES_AT_ONCE = 100;

/**
 * Checks the devices of one part of the fleet: whether they are silent, and what their new samples show. Each is due some intervals
 * after its last report, so that the cost of a run depends only on the devices that are due. The key is the part's number.
 */
export const createWatch = (deps: WatchDependencies): LaneHandler => ({
  async run(run) {
    const now = deps.clock.now();
    const due = await listDue(deps.db, now, Number(run.key), DEVICES_AT_ONCE);
    if (due.length > 0) await watch(deps, run, due, now);
    return due.length === DEVICES_AT_ONCE ? { dueAt: now } : undefined;
  },
  clockSetBack: (trx, key, now) => appointAll(trx, Number(key), now),
});

interface Report {
  readonly device: DueDevice;
  /** When it last reported; null if it has not reported from its present plant. */
  readonly lastAt: Instant | null;
}

interface Seen {
  readonly device: DueDevice;
  readonly outcome: FindingOutcome;
}

async function watch(
  deps: WatchDependencies,
  { transaction }: Run,
  due: readonly DueDevice[],
  now: Instant,
): Promise<void> {
  const { newId } = deps;
  const seen = await lookAtAll(deps, due, now);
  for (const { device, outcome } of seen) {
    if (outcome.alarms.length > 0)
      await transaction((trx) => changeAlarms(trx, { now, newId }, device.id, outcome.alarms));
  }
  // Alarms are changed before states. If the check is interrupted in between, it is repeated, and alarms that were already raised are not raised again.
  await transaction(async (trx) => {
    await followOutcomes(trx, seen, now);
    for (const each of seen.toSorted((a, b) => (a.device.id < b.device.id ? -1 : 1)))
      await rearm(trx, each);
  });
}

async function lookAtAll(
  { db, logger, telemetry }: WatchDependencies,
  due: readonly DueDevice[],
  now: Instant,
): Promise<Seen[]> {
  const bindingNos = due.flatMap(({ binding }) => (binding ? [binding.no] : []));
  const latest = await telemetry.latestOf(db, bindingNos);
  const openAlarms = await listOpenAlarms(
    db,
    due.map(({ id }) => id),
    OWN_CODES,
  );
  const open = Map.groupBy(openAlarms, ({ deviceId }) => deviceId);
  const observations = createObservations({ db, telemetry, now });
  const reports: Report[] = [];
  for (const device of due) {
    const newest = device.binding ? latest.get(device.binding.no) : undefined;
    // If its description does not say whether the device has a battery, its readings decide.
    const storage = device.facts.storage ?? newest?.values.batterySocPercent !== undefined;
    reports.push({
      device: { ...device, storage },
      lastAt: await lastReportAt({ db, telemetry }, device, newest?.lastAt, now),
    });
  }
  await observations.readWeather(reports.filter(hasNewSamples).map(({ device }) => device));
  const seen: Seen[] = [];
  for (const report of reports) {
    const { device, lastAt } = report;
    // A device whose samples cannot be judged must not keep the others from being checked.
    const observed = hasNewSamples(report)
      ? await observations
          .observe(device, lastAt!)
          .catch((err: unknown) =>
            logger.error({ err, device: device.id }, 'a device could not be observed'),
          )
      : null;
    seen.push({
      device,
      outcome: judgeDevice(device, lastAt, observed ?? null, open.get(device.id) ?? [], now),
    });
    // The embedded engine never waits: without this, requests would wait for all the devices.
    await nextTurn();
  }
  return seen;
}

const hasNewSamples = ({ device, lastAt }: Report): boolean =>
  device.kind !== 'collector' &&
  device.plantId !== null &&
  lastAt !== null &&
  lastAt > device.evaluatedAt;

/** Whether a device goes online or offline, or becomes normally or abnormally offline. */
const turns = ({ device, outcome }: Seen): boolean =>
  (device.state === presence.offline) === outcome.reports ||
  device.offlineAbnormal !== outcome.offlineAbnormal;

/** Turns devices online or offline as found, except those that have changed in the meantime. */
async function followOutcomes(trx: Db, seen: readonly Seen[], now: Instant): Promise<void> {
  const found = new Map(seen.filter(turns).map((each) => [each.device.id, each]));
  if (found.size === 0) return;
  const decide = ({ id, checkAt, openAlarms }: LockedDevice): Transition | null => {
    const { device, outcome } = found.get(id)!;
    if (checkAt !== device.checkAt) return null;
    return {
      state: outcome.reports ? reportingState(openAlarms) : presence.offline,
      offlineAbnormal: outcome.offlineAbnormal,
      checkAt,
    };
  };
  await changeStates(
    trx,
    [...found.keys()],
    now,
    decide,
    seen.map(({ device }) => device.id),
  );
}

type RearmParameters = Pick<FindingOutcome, 'checkAt' | 'evaluatedAt' | 'expectedSeconds'> & {
  learned: string | null;
  id: string;
  seenAt: Instant;
};

const update = prepareQuery((db, p: ParameterOf<RearmParameters>) =>
  db
    .updateTable('device')
    .set({
      checkAt: p('checkAt'),
      evaluatedAt: p('evaluatedAt'),
      expectedSeconds: p('expectedSeconds'),
      learned: p('learned'),
    })
    .where('id', '=', p('id'))
    .where('checkAt', '=', p('seenAt')),
);

// Schedules a device's next check. If the device has reported or moved since, the next check has been scheduled already, and this does nothing.
const rearm = (trx: Db, { device, outcome }: Seen): Promise<unknown> => {
  const { checkAt, evaluatedAt, expectedSeconds, learned } = outcome;
  return update(trx, {
    checkAt,
    evaluatedAt,
    expectedSeconds,
    learned: learned && JSON.stringify(learned),
    id: device.id,
    seenAt: device.checkAt,
  });
};
