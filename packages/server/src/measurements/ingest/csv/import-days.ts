import { quantities } from '@helioport/contract';
import { channelSources } from '../../energy/channels.ts';
import type { PlantCalendar } from '../../../platform/calendar/plant-calendar.ts';
import { MappingFault } from './import-fault.ts';
import type { Mapping } from './import-mapping.ts';
import type { ReadRow } from './import-row.ts';
import { createDayReader, type ReadTime, type TimeForm } from './import-times.ts';

const dayCounters = new Set<string>(
  Object.values(channelSources).flatMap(({ today }) => (today === undefined ? [] : [today])),
);

export const isDayCounter = (quantity: string): boolean => dayCounters.has(quantity);

/** Checks that everything that is mapped is the energy of a day. Throws MappingFault. */
export function checkDayCounters(mappings: readonly Mapping[]): void {
  const odd = mappings.find(({ quantity }) => !isDayCounter(quantity));
  if (odd)
    throw new MappingFault(
      `--days imports the energy of whole days, so ${odd.quantity} cannot be mapped; map ${[...quantities.keys()].filter(isDayCounter).join(', ')}`,
    );
}

/** How long before its end a day's energy is read, and after its beginning nothing. A reading at midnight would belong to the day before. */
const WITHIN_MS = 1_000;

/** Reads rows of one date each. A row stands for the reading that the device's counter of the day would have at its end. */
export function createDayRows(
  dates: Pick<TimeForm, 'dayFirst' | 'isShown'>,
  calendar: PlantCalendar,
): (text: string, line: number) => ReadTime {
  const read = createDayReader(dates, calendar.dayOf);
  const lines = new Map<number, number>();
  return (text, line) => {
    const found = read(text);
    if ('fault' in found) return found;
    const before = lines.get(found.day);
    if (before !== undefined)
      return {
        fault: `${text} already has its energy in line ${before}; --days takes one row a day`,
      };
    lines.set(found.day, line);
    const { startAt, endAt } = calendar.dayWindow(found.day);
    if (startAt === endAt) return { fault: `${text} does not exist at the plant` };
    return { at: endAt - WITHIN_MS, ambiguous: false };
  };
}

/** The readings of a day: nothing at its beginning, and its energy at its end. */
export function importedDayReadings(
  row: ReadRow,
  calendar: PlantCalendar,
): readonly Pick<ReadRow, 'at' | 'values'>[] {
  const { startAt } = calendar.dayWindow(calendar.dayOf(row.at));
  const zeros = Object.fromEntries(Object.keys(row.values).map((quantity) => [quantity, 0]));
  return [
    { at: startAt + WITHIN_MS, values: zeros },
    { at: row.at, values: row.values },
  ];
}
