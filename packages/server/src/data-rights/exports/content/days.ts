import { consumedByAll, fullHours, notFedIn, type EnergyRow } from '@helioport/contract';
import type { ArchiveEntry } from '../write-entry.ts';
import { csvField } from '../../../platform/kernel/csv-field.ts';
import { dayText } from '../../../platform/calendar/plant-calendar.ts';
import type { ExportSource } from './source.ts';

/** The next of the account's own plants after one; undefined if there is none. */
export async function nextPlant(
  { db, accountId }: ExportSource,
  after: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('plant')
    .select('id')
    .where('ownerId', '=', accountId)
    .where('archivedAt', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Where the days of a plant are in the archive. */
export const daysName = (plantId: string): string => `days/${plantId}.csv`;

/** The days of a plant, as charts by day show them; of one without any, the head alone. */
export const daysEntry = (source: ExportSource, plantId: string): ArchiveEntry => ({
  name: daysName(plantId),
  content: () => dayLines(source, plantId),
});

/** What the file has of a day, under heads that name the unit. */
const columns: readonly (readonly [
  head: string,
  of: (day: EnergyRow) => string | number | boolean | null | undefined,
])[] = [
  ['date', ({ day }) => dayText(day)],
  ['produced_kwh', ({ kwh }) => rounded(kwh.production, 3)],
  ['consumed_kwh', ({ kwh: { load, backup } }) => rounded(consumedByAll(load, backup), 3)],
  // More than what was consumed where a battery was charged.
  ['produced_not_sold_kwh', ({ kwh }) => rounded(notFedIn(kwh.production, kwh.gridExport), 3)],
  ['bought_kwh', ({ kwh }) => rounded(kwh.gridImport, 3)],
  ['sold_kwh', ({ kwh }) => rounded(kwh.gridExport, 3)],
  ['battery_charged_kwh', ({ kwh }) => rounded(kwh.batteryCharge, 3)],
  ['battery_discharged_kwh', ({ kwh }) => rounded(kwh.batteryDischarge, 3)],
  ['full_load_hours', ({ kwh, ratedKw }) => rounded(fullHours(kwh.production, ratedKw), 3)],
  ['peak_power_w', ({ peakPowerW }) => rounded(peakPowerW, 3)],
  ['peak_time_utc', ({ peakPowerAt: at }) => at && new Date(at).toISOString()],
  ['income', ({ income }) => rounded(income, 2)],
  ['paid_for_bought', ({ importCost }) => rounded(importCost, 2)],
  ['earned_by_sold', ({ exportIncome }) => rounded(exportIncome, 2)],
  ['saved', ({ saved }) => rounded(saved, 2)],
  // One figure for both: what the portal shows as money.
  ['saved_plus_sold', ({ worth }) => rounded(worth, 2)],
  ['currency', ({ currency }) => currency],
  ['irradiation_kwh_per_m2', ({ kwh }) => rounded(kwh.irradiation ?? kwh.globalIrradiation, 3)],
  ['direct_irradiation_kwh_per_m2', ({ kwh }) => rounded(kwh.directIrradiation, 3)],
  [
    'partly_estimated',
    ({ estimated }) => (typeof estimated === 'boolean' ? Number(estimated) : undefined),
  ],
];

const rounded = (figure: number | null | undefined, decimals: number): number | undefined =>
  typeof figure === 'number' ? Math.round(figure * 10 ** decimals) / 10 ** decimals : undefined;

const rowsOf = (
  { ask }: ExportSource,
  plantId: string,
  period: Readonly<Record<string, unknown>>,
): Promise<readonly EnergyRow[]> => ask('plant/energy', { plantId, ...period });

async function* dayLines(source: ExportSource, id: string): AsyncGenerator<string> {
  yield `${columns.map(([head]) => head).join(',')}\r\n`;
  for (const { day: year } of await rowsOf(source, id, { each: 'year' }))
    for (const { day: month } of await rowsOf(source, id, {
      each: 'month',
      year: dayText(year).slice(0, 'yyyy'.length),
    }))
      for (const row of await rowsOf(source, id, {
        each: 'day',
        month: dayText(month).slice(0, 'yyyy-MM'.length),
      }))
        yield `${columns.map(([, of]) => csvField(of(row) ?? undefined)).join(',')}\r\n`;
}
