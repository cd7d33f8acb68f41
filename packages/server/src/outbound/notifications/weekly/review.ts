import { sql } from 'kysely';
import { alarmStateNumbers } from '../../alarms/alarm-rows.ts';
import { addDays } from '../../../platform/calendar/plant-calendar.ts';
import { plantDays } from '../../../measurements/figures/energy/plant-periods.ts';
import { lostInWeek, type LostInWeek } from '../../performance/lost-in-week.ts';
import type { FigureSources } from '../../../measurements/figures/sources.ts';
import {
  narrow,
  reachParameters,
  visible,
  type ReachParameters,
} from '../../../fleet/plants/access.ts';
import { listPlants } from '../../../fleet/plants/fleet/plant-list.ts';
import type { Instant } from '../../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';
import {
  reachOfAccount,
  selectNotifiedAlarms,
  type NotifiedAlarm,
} from '../messages/notified-alarms.ts';

/** What happened at the plants of an account in a week, Monday to Sunday by the clock of each plant. */
export interface Review {
  /** Monday and Sunday, yyyymmdd. */
  readonly fromDay: number;
  readonly toDay: number;
  /** Undefined if nothing was measured. */
  readonly producedKwh: number | undefined;
  readonly weekBeforeKwh: number | undefined;
  /** Average of those of the four weeks before in which something was measured. */
  readonly averageKwh: number | undefined;
  /** What was measured on which of its days, yyyymmdd. */
  readonly days: ReadonlyMap<number, number>;
  readonly bestDay: { readonly day: number; readonly kwh: number } | undefined;
  /** What was saved and sold, by currency. */
  readonly worth: ReadonlyMap<string, number>;
  /** What is known to have been lost, and through what most; undefined = nothing. */
  readonly lost: LostInWeek | undefined;
  readonly alarms: number;
  /** Alarms that nobody has dealt with. */
  readonly openAlarms: number;
  /** The gravest of them. */
  readonly toDo: readonly NotifiedAlarm[];
  /** How many plants the figures are about, if the account has more. */
  readonly onlyFirst: number | undefined;
}

const WEEK = 7;
const WEEKS_BEFORE = 4;
const PLANTS_AT_ONCE = 100;
export const PLANTS_AT_MOST = 500;
const TO_DO_AT_MOST = 5;

/** Looks back on the week before a Monday (yyyymmdd), at those plants that an account may see and wants to hear of. */
export async function reviewWeek(
  sources: FigureSources,
  accountId: string,
  plantIds: readonly string[] | null,
  monday: number,
): Promise<Review | undefined> {
  const { db } = sources;
  const reach = narrow(reachOfAccount(accountId), plantIds ?? undefined);
  const [fromDay, toDay] = [addDays(monday, -WEEK), addDays(monday, -1)];
  const first = addDays(fromDay, -WEEK * WEEKS_BEFORE);
  const produced = new Map<number, number>();
  const worths = new Map<string, number>();
  let plants = 0;
  for (let pageNo = 1; pageNo * PLANTS_AT_ONCE <= PLANTS_AT_MOST; pageNo++) {
    const page = await listPlants(db, { reach }, { pageNo, pageSize: PLANTS_AT_ONCE });
    plants += page.length;
    for (const { day, kwh, worth, currency } of await plantDays(sources, page, first, toDay)) {
      if (typeof kwh.production === 'number')
        produced.set(day, (produced.get(day) ?? 0) + kwh.production);
      if (day >= fromDay && typeof worth === 'number')
        worths.set(currency, (worths.get(currency) ?? 0) + worth);
    }
    if (page.length < PLANTS_AT_ONCE) break;
  }
  if (plants === 0) return undefined;
  const weeks = Array.from({ length: WEEKS_BEFORE + 1 }, (_, back) =>
    weekSum(produced, addDays(fromDay, -WEEK * back)),
  );
  const before = weeks.slice(1).filter((kwh) => kwh !== undefined);
  const days = [...produced].filter(([day]) => day >= fromDay);
  const best = days.toSorted(([, a], [, b]) => b - a)[0];
  const parameters = { ...reachParameters(db, reach), fromDay, toDay };
  const [[began], open] = [await alarmsBegun(db, parameters), await openAlarms(db, parameters)];
  return {
    fromDay,
    toDay,
    producedKwh: weeks[0],
    weekBeforeKwh: weeks[1],
    averageKwh:
      before.length > 0 ? before.reduce((sum, kwh) => sum + kwh, 0) / before.length : undefined,
    days: new Map(days),
    bestDay: best && { day: best[0], kwh: best[1] },
    worth: worths,
    lost: await lostInWeek(db, reach, fromDay, toDay),
    alarms: began!.number,
    openAlarms: open.length,
    toDo: open.slice(0, TO_DO_AT_MOST),
    onlyFirst: plants === PLANTS_AT_MOST ? plants : undefined,
  };
}

/** The sum of a week that begins on a day; undefined if nothing was measured in it. */
function weekSum(byDay: ReadonlyMap<number, number>, from: number): number | undefined {
  const days = Array.from({ length: WEEK }, (_, i) => byDay.get(addDays(from, i))).filter(
    (kwh) => kwh !== undefined,
  );
  return days.length > 0 ? days.reduce((sum, kwh) => sum + kwh, 0) : undefined;
}

type AlarmParameters = ReachParameters & { fromDay: number; toDay: number };

const alarmsBegun = prepareQuery((db, p: ParameterOf<AlarmParameters>) =>
  visible(db, p)
    .innerJoin('alarm', 'alarm.plantId', 'access.plantId')
    .select((eb) => eb.fn.countAll<number>().as('number'))
    .where('alarm.beginDay', '>=', p('fromDay'))
    .where('alarm.beginDay', '<=', p('toDay')),
);

const OPEN_AT_MOST = 1_000;

/** Alarms that nobody has dealt with, the gravest first. */
export const openAlarms = prepareQuery((db, p: ParameterOf<ReachParameters>) =>
  selectNotifiedAlarms(visible(db, p))
    .where('alarm.state', '=', sql.lit(alarmStateNumbers.pending))
    .limit(OPEN_AT_MOST),
);

/** Whether a summary that was due at a time is still of use: nobody wants last week's on Wednesday. */
export const isTimely = (dueAt: Instant, now: Instant): boolean => now - dueAt < 2 * 86_400_000;
