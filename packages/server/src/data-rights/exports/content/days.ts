import type { NewEntry } from '../write-entry.ts';
import { csvField } from '../../../platform/kernel/csv-field.ts';
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
export const daysEntry = (source: ExportSource, plantId: string): NewEntry => ({
  name: daysName(plantId),
  content: () => dayLines(source, plantId),
});

type Day = Readonly<Record<string, any>>;

/** What the file has of a day, under heads that name the unit: the wire's names and its hints for display mean nothing to a spreadsheet. */
const columns: readonly (readonly [head: string, of: (day: Day) => string | number | undefined])[] =
  [
    ['date', (day) => day['dateStr']],
    ['produced_kwh', (day) => day['energy']],
    ['consumed_kwh', (day) => day['consumeEnergy']],
    // More than what was consumed where a battery was charged.
    ['produced_not_sold_kwh', (day) => day['oneSelf']],
    ['bought_kwh', (day) => day['gridPurchasedEnergy']],
    ['sold_kwh', (day) => day['gridSellEnergy']],
    ['battery_charged_kwh', (day) => day['batteryChargeEnergy']],
    ['battery_discharged_kwh', (day) => day['batteryDischargeEnergy']],
    ['full_load_hours', (day) => day['fullHour']],
    ['peak_power_w', (day) => day['peakPower']],
    ['peak_time_utc', ({ peakPowerTime: at }) => at && new Date(Number(at)).toISOString()],
    ['income', (day) => day['money']],
    ['paid_for_bought', (day) => day['gridPurchasedIncome']],
    ['earned_by_sold', (day) => day['gridSellIncome']],
    ['saved', (day) => day['saved']],
    // One figure for both: what the portal shows as money.
    ['saved_plus_sold', (day) => day['worth']],
    // Of large amounts the wire says `KEUR` for display; the amounts are in the currency itself.
    [
      'currency',
      ({ moneyStr = '', moneyPec }) => (Number(moneyPec) === 1 ? moneyStr : moneyStr.slice(1)),
    ],
    ['irradiation_kwh_per_m2', (day) => day['totalR']],
    ['direct_irradiation_kwh_per_m2', (day) => day['directR']],
    ['partly_estimated', (day) => day['estimated']],
  ];

async function* dayLines({ ask }: ExportSource, id: string): AsyncGenerator<string> {
  yield `${columns.map(([head]) => head).join(',')}\r\n`;
  for (const { year } of await ask('stationAll', { id })) {
    for (const { dateStr: month } of await ask('stationYear', { id, year })) {
      for (const row of await ask('stationMonth', {
        id,
        month: month.slice(0, 'yyyy-MM'.length),
      })) {
        yield `${columns.map(([, of]) => csvField(of(row))).join(',')}\r\n`;
      }
    }
  }
}
