import type { WireData } from '@helioport/contract';
import { decimal } from '../text-fields.tsx';

type Arrays = WireData<'plant/arrays'>['arrays'];

/** An array as it is typed. */
export interface ArrayRow {
  readonly key: number;
  readonly tilt: string;
  readonly azimuth: string;
  readonly capacity: string;
  /** '' = whichever inverter. */
  readonly sn: string;
  readonly input?: number;
}

/** What is known as it is typed; without anything, an empty line that has all modules of the plant. */
export const rowsOf = (arrays: Arrays, capacityKwp: number, firstKey = 0): readonly ArrayRow[] =>
  arrays.length === 0
    ? [
        {
          key: firstKey,
          tilt: '',
          azimuth: '',
          capacity: capacityKwp > 0 ? String(capacityKwp) : '',
          sn: '',
        },
      ]
    : arrays.map(({ tiltDegrees, azimuthDegrees, capacityKwp: ofArray, sn = '', input }, i) => ({
        key: firstKey + i,
        tilt: String(tiltDegrees),
        azimuth: String(azimuthDegrees),
        capacity: String(ofArray),
        sn,
        ...(input !== undefined && { input }),
      }));

/** What is typed as the server takes it. */
export const arraysOf = (rows: readonly ArrayRow[]): object[] =>
  rows.map(({ tilt, azimuth, capacity, sn, input }) => ({
    tiltDegrees: Number(decimal(tilt)),
    azimuthDegrees: Number(decimal(azimuth)),
    capacityKwp: Number(decimal(capacity)),
    ...(sn !== '' && { sn, ...(input !== undefined && { input }) }),
  }));
