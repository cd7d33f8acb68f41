import type { WireData } from '@helioport/contract';

export type Alarm = WireData<'alarm/list'>['records'][number];

/** Called with the alarm that the reader takes on, and when that is done. */
export type TakeListener = (alarm: Alarm, taking: Promise<unknown>) => void;

/** Emergencies before the others, each in the order in which they are. */
export const emergenciesFirst = (alarms: readonly Alarm[]): Alarm[] =>
  alarms.toSorted(
    (one, other) => Number(other.level === 'emergency') - Number(one.level === 'emergency'),
  );
