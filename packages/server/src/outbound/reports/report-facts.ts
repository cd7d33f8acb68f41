import type { Losses, Performance, PlantVisit } from '@helioport/contract';
import { letterheadOf, type Letterhead } from '../../fleet/plants/companies/logo.ts';
import {
  narrow,
  reachParameters,
  type Reach,
  type VisiblePlant,
} from '../../fleet/plants/access.ts';
import { zonesOf } from '../../fleet/plants/zones.ts';
import { plantChart } from '../../measurements/figures/energy/energy-charts.ts';
import { performanceOfMonth } from '../../measurements/figures/performance/performance-rows.ts';
import type { FigureSources } from '../../measurements/figures/sources.ts';
import { invalidValue } from '../../platform/kernel/failure.ts';
import { addDays, dayOf, monthOf } from '../../platform/calendar/plant-calendar.ts';
import type { NotifiedAlarm } from '../notifications/messages/notified-alarms.ts';
import { openAlarms } from '../notifications/weekly/review.ts';
import { lossesOfMonth } from '../performance/losses.ts';
import { listVisits } from '../performance/visits.ts';

/** Everything that a report of a month says. */
export interface ReportFacts {
  readonly plant: VisiblePlant;
  /** yyyymm */
  readonly month: number;
  /** The month that has begun, and the first one of the plant. */
  readonly thisMonth: number;
  readonly firstMonth: number;
  readonly letterhead: Letterhead | undefined;
  /** What was produced on its days that are over, yyyymmdd. */
  readonly produced: ReadonlyMap<number, number>;
  readonly worth: number | undefined;
  /** What was produced on the same days of the year before. */
  readonly yearBeforeKwh: number | undefined;
  readonly days: readonly Performance[];
  readonly whole: Performance | undefined;
  readonly losses: Losses | undefined;
  readonly alarms: readonly NotifiedAlarm[];
  readonly visits: readonly PlantVisit[];
}

const YEAR = 100;

/**
 * Reads what a report says of a month (yyyymm; undefined = the last one that is over) for somebody who may see the plant. Throws invalidValue.
 * @param accountId the reader; null = the operator
 */
export async function readMonthlyReport(
  sources: FigureSources,
  plant: VisiblePlant,
  { reach, accountId }: { readonly reach: Reach; readonly accountId: string | null },
  chosen: number | undefined,
): Promise<ReportFacts> {
  const { db, clock } = sources;
  const zones = (await zonesOf(db, [{ ...plant, plantId: plant.id }])).get(plant.id)!;
  const today = dayOf(zones, clock.now());
  const thisMonth = monthOf(today);
  const month = chosen ?? monthOf(addDays(thisMonth * 100 + 1, -1));
  if (month > thisMonth) throw invalidValue('month', 'a month that has begun');
  const own = narrow(reach, [plant.id]);
  const [rows, before, years] = await Promise.all([
    plantChart(sources, plant, { each: 'day', month }),
    plantChart(sources, plant, { each: 'day', month: month - YEAR }),
    plantChart(sources, plant, { each: 'year' }),
  ]);
  const over = rows.filter(({ day }) => day < today);
  const worths = over.flatMap(({ worth }) => worth ?? []);
  const { days, whole } = await performanceOfMonth(sources, plant, month);
  const losses = await lossesOfMonth(sources, plant, month);
  return {
    plant,
    month,
    thisMonth,
    firstMonth: years.length > 0 ? monthOf(years[0]!.day) : thisMonth,
    letterhead: await letterheadOf(db, plant.id, accountId),
    produced: new Map(over.flatMap(({ day, kwh }) => productionOn(day, kwh.production))),
    worth: worths.length > 0 ? worths.reduce((sum, each) => sum + each, 0) : undefined,
    yearBeforeKwh: sumOf(
      before.flatMap(({ day, kwh }) =>
        day + YEAR * 100 < today ? productionOn(day, kwh.production) : [],
      ),
    ),
    days,
    whole,
    losses,
    alarms: await openAlarms(db, reachParameters(db, own)),
    visits: await listVisits(sources, own),
  };
}

const productionOn = (day: number, kwh: number | null | undefined): [number, number][] =>
  typeof kwh === 'number' ? [[day, kwh]] : [];

const sumOf = (days: readonly (readonly [number, number])[]): number | undefined =>
  days.length > 0 ? days.reduce((sum, [, kwh]) => sum + kwh, 0) : undefined;
