import type { WireData } from '@helioport/contract';
import { addDays, localDay } from '../../../i18n/plant-time.ts';
import { useOperation } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import type { DeviceValues } from '../device.ts';
import { COMPARED_FROM_W, stringsOf, strongestW, type Numbered } from './numbered.ts';

/** The strings of an inverter in one of its readings. */
interface SunnyReading {
  /** ms since 1970 UTC. */
  readonly at: number;
  readonly strings: readonly Numbered[];
}

/** The values of one point of a day. */
const valuesAt = ({ values }: WireData<'device/day'>, i: number): DeviceValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, column]) => {
      const value = column?.[i];
      return typeof value === 'number' ? [[name, value]] : [];
    }),
  );

/** The reading of a day with the strongest string; undefined if none was strong enough to be compared. */
function brightestOf(
  day: WireData<'device/day'> | undefined,
  inputs: number | undefined,
): SunnyReading | undefined {
  let brightest: SunnyReading | undefined;
  let mostW = COMPARED_FROM_W;
  for (const [i, at] of day?.times.entries() ?? []) {
    const strings = stringsOf(valuesAt(day!, i), inputs);
    if (strongestW(strings) < mostW) continue;
    mostW = strongestW(strings);
    brightest = { at, strings };
  }
  return brightest;
}

interface Asked {
  readonly id: string;
  /** How many strings the inverter has. */
  readonly inputs: number | undefined;
  readonly zone: string;
  readonly isWanted: boolean;
}

/** The strings of an inverter in the best sun of today or, if it had none yet, of yesterday. Asked for only if `isWanted`. */
export function useGoodSun({ id, inputs, zone, isWanted }: Asked): SunnyReading | undefined {
  const today = localDay(serverNow(), zone);
  const ofToday = useOperation('device/day', { id, day: today }, { enabled: isWanted });
  const found = brightestOf(ofToday.data, inputs);
  const ofYesterday = useOperation(
    'device/day',
    { id, day: addDays(today, -1) },
    { enabled: isWanted && ofToday.data !== undefined && !found },
  );
  return isWanted ? (found ?? brightestOf(ofYesterday.data, inputs)) : undefined;
}
