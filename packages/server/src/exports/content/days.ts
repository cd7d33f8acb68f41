import { operations } from '@helioport/contract';
import type { NewEntry } from '../write-entry.ts';
import { csvField } from './csv-field.ts';
import type { ExportSource } from './source.ts';

/** The next of the account's own plants after one; undefined if there is none. */
export async function nextPlant({ db, accountId }: ExportSource, after: string): Promise<string | undefined> {
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

/** The days of a plant, as charts by day show them. */
export const daysEntry = (source: ExportSource, plantId: string): NewEntry => ({ name: daysName(plantId), content: () => dayLines(source, plantId) });

const columns = Object.keys((operations.stationMonth.response.schema as { items: { properties: object } }).items.properties);

async function* dayLines({ ask }: ExportSource, id: string): AsyncGenerator<string> {
  let header = `${columns.join(',')}\r\n`;
  for (const { year } of await ask('stationAll', { id })) {
    for (const { dateStr: month } of await ask('stationYear', { id, year })) {
      for (const row of await ask('stationMonth', { id, month: month.slice(0, 'yyyy-MM'.length) })) {
        yield `${header}${columns.map((name) => csvField(row[name])).join(',')}\r\n`;
        header = '';
      }
    }
  }
}
