import type { Values } from '@helioport/contract';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Reading } from '../../report.ts';
import { createMinute, type Minute } from './minute.ts';

/** What was measured since the last report, in a file, so that a process that is killed does not take it along. */
export interface Unreported {
  /** What a process before this one had measured, and not reported: one reading for each device. */
  readonly left: readonly Reading[];
  /** Takes the values of a round. A disk that is full takes none. */
  keep(sn: string, values: Values, at: number): void;
  /** All that was kept has been reported. */
  clear(): void;
  close(): void;
}

/** More than so much between two reports is not kept; 20 devices measure a tenth of it in a minute. */
const BYTES_AT_MOST = 4 * 1024 * 1024;

/**
 * Nothing waits for the disk: what is written outlives the process, and a loss of power takes along at most what was measured since the
 * last report. The report is on the disk before the file is emptied, so that what is between is reported twice, as the same reading.
 */
export function openUnreported(path: string): Unreported {
  const left = readingsIn(path);
  const file = openSync(path, 'a', 0o600);
  let size = BYTES_AT_MOST;
  const clear = (): void => {
    try {
      ftruncateSync(file, 0);
      size = 0;
    } catch {
      // What is there is reported again by the next process.
    }
  };
  return {
    left,
    keep(sn, values, at) {
      const line = Buffer.from(`${JSON.stringify([sn, at, values])}\n`);
      if (size + line.length > BYTES_AT_MOST) return;
      size += line.length;
      try {
        writeSync(file, line);
      } catch {
        // The reading is reported from memory.
      }
    },
    clear,
    close: () => closeSync(file),
  };
}

function readingsIn(path: string): Reading[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  const minutes = new Map<string, Minute>();
  for (const line of text.split('\n')) {
    const [sn, at, values] = parsed(line) ?? [];
    if (sn === undefined) continue;
    const minute = minutes.get(sn) ?? createMinute();
    minutes.set(sn, minute);
    minute.add(values!, at!);
  }
  return [...minutes].flatMap(([sn, minute]) => {
    const measured = minute.take();
    return measured ? [{ sn, ...measured }] : [];
  });
}

/** A line that was torn by the end of the process, or joined to the next one, is none. */
function parsed(line: string): [sn: string, at: number, values: Values] | undefined {
  try {
    const [sn, at, values] = JSON.parse(line) as unknown[];
    const isRound =
      typeof sn === 'string' &&
      Number.isSafeInteger(at) &&
      typeof values === 'object' &&
      values !== null;
    return isRound ? [sn, at as number, values] : undefined;
  } catch {
    return undefined;
  }
}
