import type { WireData } from '@helioport/contract';
import { addDays, localDay } from '../../../i18n/plant-time.ts';
import { useOperation } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { COMPARED_FROM_W, stringsOf, strongestW, type Numbered } from './numbered.ts';

/** The strings of an inverter in one of its readings. */
interface SunnyReading {
  /** ms since 1970 UTC. */
  readonly at: number;
  readonly strings: readonly Numbered[];
}

/** The reading of a day with the strongest string; undefined if none was strong enough to be compared. */
function brightestOf(rows: WireData<'inverterDay'> = []): SunnyReading | undefined {
  let brightest: SunnyReading | undefined;
  let mostW = COMPARED_FROM_W;
  for (const row of rows) {
    const strings = stringsOf(row);
    if (strongestW(strings) < mostW) continue;
    mostW = strongestW(strings);
    brightest = { at: Number(row.dataTimestamp), strings };
  }
  return brightest;
}

/** The strings of an inverter in the best sun of today or, if it had none yet, of yesterday. Asked for only if `isWanted`. */
export function useGoodSun(id: string, zone: string, isWanted: boolean): SunnyReading | undefined {
  const today = localDay(serverNow(), zone);
  const ofToday = useOperation('inverterDay', { id, time: today }, { enabled: isWanted });
  const found = brightestOf(ofToday.data);
  const ofYesterday = useOperation(
    'inverterDay',
    { id, time: addDays(today, -1) },
    { enabled: isWanted && ofToday.data !== undefined && !found },
  );
  return isWanted ? (found ?? brightestOf(ofYesterday.data)) : undefined;
}
