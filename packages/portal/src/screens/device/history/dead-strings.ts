import { COMPARED_FROM_W, stringKeys } from '../readings/numbered.ts';
import type { DayReadings } from './curves.ts';

/** The highest power of a string on a day, W; that of its voltage and current if it reports no power. */
function highestW({ times, values }: DayReadings, keys: (typeof stringKeys)[number]): number {
  const [voltages, currents, powers] = keys.map((key) => values[key]);
  return Math.max(
    0,
    ...times.map((_, i) => powers?.[i] ?? (voltages?.[i] ?? 0) * (currents?.[i] ?? 0)),
  );
}

/** The numbers of the strings that gave nothing on a day on which another gave enough to be compared with. */
export function deadStrings(readings: DayReadings): ReadonlySet<number> {
  const highest = stringKeys.map((keys) => highestW(readings, keys));
  return new Set(
    Math.max(...highest) < COMPARED_FROM_W
      ? []
      : highest.flatMap((power, i) => (power === 0 ? [i + 1] : [])),
  );
}
