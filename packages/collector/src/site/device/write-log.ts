import { DAY_MS } from '@helioport/contract/durations';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Clock } from '../../clock.ts';

const WRITES_AT_MOST = 100;
/** One that is off again and again has a fault that setting it does not mend. */
const CLOCK_SETS_AT_MOST = 4;

/** A value that was written, to be looked at once more. */
export interface WrittenValue {
  readonly sn: string;
  readonly parameter: string;
  readonly value: string;
  readonly lookAt: number;
}

/** Counts writes on disk, before they are sent, so that no fault of a program wears out a memory. */
export interface WriteLog {
  /** Throws if a device has been written to too often within a day, or the count cannot be kept. */
  count(sn: string, requests: number): void;
  /** Throws if the clock of a device has been set too often within a day. */
  countClock(sn: string): void;
  /** Has a value looked at later; an earlier look at the same parameter is off. */
  expect(written: WrittenValue): void;
  /** What is due by now. It stays so, whatever is started anew, until it is forgotten. */
  due(now: number): readonly WrittenValue[];
  forget(written: WrittenValue): void;
}

interface Kept {
  /** Times of writes, by device. */
  readonly writes: Record<string, number[]>;
  looks: WrittenValue[];
}

export function openWriteLog(file: string, clock: Clock): WriteLog {
  const kept = load(file);
  const save = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify(kept), { flush: true });
    renameSync(`${file}.new`, file);
  };
  const recentOf = (key: string): number[] => {
    const now = clock.now();
    // A clock that was ahead must not keep the fuse blown.
    return (kept.writes[key] ?? []).filter((at) => at > now - DAY_MS && at <= now + DAY_MS);
  };
  return {
    countClock(sn) {
      const key = `${sn} clock`;
      const recent = recentOf(key);
      if (recent.length >= CLOCK_SETS_AT_MOST)
        throw new Error(
          `it has been set ${recent.length} times within a day, and does not keep it`,
        );
      kept.writes[key] = [...recent, clock.now()];
      save();
    },
    count(sn, requests) {
      const now = clock.now();
      const recent = recentOf(sn);
      if (recent.length + requests > WRITES_AT_MOST)
        throw new Error(
          `the collector has written to ${sn} ${recent.length} times within a day; ` +
            `it writes at most ${WRITES_AT_MOST} times, since each write wears the device's memory`,
        );
      kept.writes[sn] = [...recent, ...Array.from({ length: requests }, () => now)];
      try {
        save();
      } catch (error) {
        throw new Error(
          `nothing was written, since the count of writes cannot be kept: ${(error as Error).message}`,
          { cause: error },
        );
      }
    },
    expect(written) {
      const isOther = (one: WrittenValue): boolean =>
        one.sn !== written.sn || one.parameter !== written.parameter;
      kept.looks = [...kept.looks.filter(isOther), written];
      save();
    },
    due: (now) => kept.looks.filter(({ lookAt }) => lookAt <= now),
    forget(written) {
      // By identity: one that was written meanwhile is still to be looked at.
      kept.looks = kept.looks.filter((one) => one !== written);
      save();
    },
  };
}

function load(file: string): Kept {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { writes: {}, looks: [] };
    throw error;
  }
  const { writes, looks } = JSON.parse(text) as Partial<Kept>;
  return { writes: writes ?? {}, looks: looks ?? [] };
}
