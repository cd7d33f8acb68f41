import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Clock } from '../../clock.ts';

/** A value that a device would forget by itself, and that is repeated until it is over. */
export interface HeldValue {
  readonly sn: string;
  readonly parameter: string;
  readonly value: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** What is held, on disk too, so that a collector that is started anew goes on with it. */
export interface HeldValues {
  /** Those of a device that are not over. */
  of(sn: string): readonly HeldValue[];
  /** Holds a value instead of the former one of its parameter. */
  hold(held: HeldValue): void;
  release(sn: string, parameter: string): void;
}

export function openHeldValues(file: string, clock: Clock): HeldValues {
  let kept = load(file);
  const keep = (next: readonly HeldValue[]): void => {
    kept = next.filter(({ until }) => until > clock.now());
    try {
      writeFileSync(`${file}.new`, JSON.stringify(kept));
      renameSync(`${file}.new`, file);
    } catch {
      // What the disk does not take is not gone on with after a start: the device lets go of it.
    }
  };
  const without = (sn: string, parameter: string): HeldValue[] =>
    kept.filter((one) => one.sn !== sn || one.parameter !== parameter);
  return {
    of: (sn) => kept.filter((one) => one.sn === sn && one.until > clock.now()),
    hold: (held) => keep([...without(held.sn, held.parameter), held]),
    release(sn, parameter) {
      const rest = without(sn, parameter);
      if (rest.length < kept.length) keep(rest);
    },
  };
}

function load(file: string): readonly HeldValue[] {
  try {
    const values: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(values) ? (values as HeldValue[]) : [];
  } catch {
    return [];
  }
}
