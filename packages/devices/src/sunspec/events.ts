import type { Alarm } from '../registers/register-map.ts';
import type { Point } from './points.ts';

/** Events of inverters, of their inputs and of meters, by their bit; those that are the maker's own mean nothing here. */
const OF_INVERTERS =
  '0=GROUND_FAULT 1=DC_OVER_VOLT 2=AC_DISCONNECT 3=DC_DISCONNECT 4=GRID_DISCONNECT 5=CABINET_OPEN 6=MANUAL_SHUTDOWN ' +
  '7=OVER_TEMP 8=OVER_FREQUENCY 9=UNDER_FREQUENCY 10=AC_OVER_VOLT 11=AC_UNDER_VOLT 12=BLOWN_STRING_FUSE 13=UNDER_TEMP ' +
  '14=MEMORY_LOSS 15=HW_TEST_FAILURE';
const OF_INPUTS =
  '0=GROUND_FAULT 1=INPUT_OVER_VOLTAGE 3=DC_DISCONNECT 5=CABINET_OPEN 6=MANUAL_SHUTDOWN 7=OVER_TEMP 12=BLOWN_FUSE ' +
  '13=UNDER_TEMP 14=MEMORY_LOSS 15=ARC_DETECTION 20=TEST_FAILED 21=INPUT_UNDER_VOLTAGE 22=INPUT_OVER_CURRENT';
const OF_METERS =
  '2=POWER_FAILURE 3=UNDER_VOLTAGE 4=LOW_PF 5=OVER_CURRENT 6=OVER_VOLTAGE 7=MISSING_SENSOR';

const EMERGENCIES: ReadonlySet<string> = new Set(['GROUND_FAULT', 'ARC_DETECTION']);
/** What happens in every night, or is somebody's wish. */
const TIPS: ReadonlySet<string> = new Set([
  'DC_DISCONNECT',
  'MANUAL_SHUTDOWN',
  'INPUT_UNDER_VOLTAGE',
  'LOW_PF',
]);

const read = (text: string): ReadonlyMap<number, Alarm> =>
  new Map(
    text.split(' ').map((entry) => {
      const [bit, code = ''] = entry.split('=');
      return [
        Number(bit),
        {
          code,
          level: EMERGENCIES.has(code) ? 3 : TIPS.has(code) ? 1 : 2,
          name: code.toLowerCase().replaceAll('_', ' '),
        },
      ];
    }),
  );

const events = { inverter: read(OF_INVERTERS), input: read(OF_INPUTS), meter: read(OF_METERS) };

/** What the bits of a point mean that are alarms; null if it has none. */
export function eventsOf({ name, type }: Point, model: number): ReadonlyMap<number, Alarm> | null {
  if (type !== 'bitfield32') return null;
  if (/^(Evt1|Alrm)$/.test(name)) return events.inverter;
  if (/^(DCEvt|DCAlrm)( \d+)?$/.test(name)) return events.input;
  if (name === 'Evt') return model === 160 ? events.input : events.meter;
  return null;
}
