import { COMPARED_FROM_W } from '../readings/numbered.ts';
import type { DayReadings } from './curves.ts';

const STRINGS = 32;

/** The highest power of a string on a day, W; that of its voltage and current if it reports no power. */
function highestW({ times, values }: DayReadings, number: number): number {
  const at = (stem: string, i: number): number | null | undefined =>
    values[`${stem}${number}`]?.[i];
  return Math.max(
    0,
    ...times.map((_, i) => at('pow', i) ?? (at('uPv', i) ?? 0) * (at('iPv', i) ?? 0)),
  );
}

/** The numbers of the strings that gave nothing on a day on which another gave enough to be compared with. */
export function deadStrings(readings: DayReadings): ReadonlySet<number> {
  const highest = Array.from({ length: STRINGS }, (_, i) => highestW(readings, i + 1));
  return new Set(
    Math.max(...highest) < COMPARED_FROM_W
      ? []
      : highest.flatMap((power, i) => (power === 0 ? [i + 1] : [])),
  );
}
