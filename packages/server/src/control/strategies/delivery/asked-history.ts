import type { StrategyContent, StrategyLimits } from '@helioport/contract';
import type { Zones } from '../../../platform/calendar/plant-calendar.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { NO_LIMITS } from '../plan/owner-limits.ts';
import { askedSpans, type AskedSince, type AskedSpan } from './asked-spans.ts';

/** A device in the plant where strategies asked it for something. */
export interface AskedDevice {
  readonly deviceId: string;
  readonly plantId: string;
  readonly zones: Zones;
}

/** What each strategy asked of a device between two instants, by strategy. */
export async function findAsked(
  db: Db,
  { deviceId, plantId, zones }: AskedDevice,
  fromAt: number,
  toAt: number,
): Promise<ReadonlyMap<string, readonly AskedSpan[]>> {
  const strategies = await db
    .selectFrom('strategyDevice as sd')
    .innerJoin('strategy as s', 's.id', 'sd.strategyId')
    .select(['s.id', 's.startAt', 's.endAt', 'sd.endedAt', 'sd.pausedAt'])
    .where('sd.deviceId', '=', deviceId)
    .where('s.startAt', '<', toAt)
    .where('s.endAt', '>', fromAt)
    .execute();
  const limits = await limitsSince(db, plantId);
  const found = new Map<string, readonly AskedSpan[]>();
  const pauses = Map.groupBy(await pausesOf(db, deviceId), ({ strategyId }) => strategyId);
  for (const { id, startAt, endAt, endedAt, pausedAt } of strategies) {
    const from = Math.max(fromAt, startAt);
    const to = Math.min(toAt, endAt, endedAt ?? Infinity, pausedAt ?? Infinity);
    const history = await historyOf(db, id, deviceId);
    found.set(
      id,
      between(pauses.get(id) ?? [], from, to).flatMap(([begin, end]) =>
        limits.flatMap(({ limits: valid, fromAt: sinceAt }, i) =>
          askedSpans(
            history,
            { zones, limits: valid },
            Math.max(begin, sinceAt),
            Math.min(end, limits[i + 1]?.fromAt ?? Infinity),
          ),
        ),
      ),
    );
  }
  return found;
}

interface Pause {
  readonly strategyId: string;
  readonly fromAt: number;
  readonly toAt: number;
}

/** The times for which writes by hand paused strategies on a device that go on since, in order. */
const pausesOf = (db: Db, deviceId: string): Promise<Pause[]> =>
  db
    .selectFrom('strategyPause')
    .select(['strategyId', 'fromAt', 'toAt'])
    .where('deviceId', '=', deviceId)
    .orderBy('fromAt')
    .execute();

/** What pauses leave of a time. */
function between(
  pauses: readonly Pause[],
  from: number,
  to: number,
): (readonly [number, number])[] {
  const begins = [from, ...pauses.map(({ toAt }) => Math.max(from, toAt))];
  const ends = [...pauses.map(({ fromAt }) => Math.min(to, fromAt)), to];
  return begins.map((begin, i) => [begin, ends[i]!] as const).filter(([begin, end]) => begin < end);
}

/** The limits of a plant's owner over time, the first from the beginning of time. */
async function limitsSince(
  db: Db,
  plantId: string,
): Promise<{ readonly fromAt: number; readonly limits: StrategyLimits }[]> {
  const rows = await db
    .selectFrom('strategyLimits')
    .select(['fromAt', 'limits'])
    .where('plantId', '=', plantId)
    .orderBy('fromAt')
    .execute();
  return [
    { fromAt: 0, limits: NO_LIMITS },
    ...rows.map(({ fromAt, limits }) => ({ fromAt, limits: JSON.parse(limits) as StrategyLimits })),
  ];
}

/** What a strategy asked of a device over time: its plan, or the device's shares of its set point. */
async function historyOf(db: Db, strategyId: string, deviceId: string): Promise<AskedSince[]> {
  const versions = await db
    .selectFrom('strategyVersion')
    .select(['fromAt', 'content'])
    .where('strategyId', '=', strategyId)
    .orderBy('fromAt')
    .execute();
  const plans = versions.flatMap(({ fromAt, content }): AskedSince[] => {
    const read = JSON.parse(content) as StrategyContent;
    return read.kind === 'dayPlan' ? [{ fromAt, asked: { intervals: read.intervals } }] : [];
  });
  const shares = await db
    .selectFrom('strategyShare')
    .select(['fromAt', 'powerKw'])
    .where('strategyId', '=', strategyId)
    .where('deviceId', '=', deviceId)
    .orderBy('fromAt')
    .execute();
  return [
    ...plans,
    ...shares.map(({ fromAt, powerKw }) => ({ fromAt, asked: { powerW: powerKw * 1000 } })),
  ];
}
