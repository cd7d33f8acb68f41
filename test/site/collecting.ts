import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collect } from '../../packages/collector/src/site/commands/collect.ts';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';

/** A folder in which somebody collects. */
export interface Place {
  readonly folder: string;
  /** What has been said to people so far. */
  readonly notes: string[];
  /** Runs a command line to its end. */
  collect(...args: string[]): Promise<{ code: number; output: string; notes: string }>;
  /** Starts a command that goes on; the answer stops it, and resolves to its exit code. */
  start(...args: string[]): () => Promise<number>;
  remove(): void;
}

export function createPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-site-'));
  const all: string[] = [];
  const begin = (args: string[], signal: AbortSignal) => {
    const [output, notes] = [[] as string[], [] as string[]];
    const code = collect(args, {
      folder,
      write: (text) => void output.push(text),
      writeNote(text) {
        notes.push(text);
        all.push(text);
      },
      clock: systemClock,
      pause: timerPause,
      random: Math.random,
      signal,
    });
    return { code, output, notes };
  };
  return {
    folder,
    notes: all,
    async collect(...args) {
      const { code, output, notes } = begin(args, new AbortController().signal);
      return { code: await code, output: output.join('\n'), notes: notes.join('\n') };
    },
    start(...args) {
      const stop = new AbortController();
      const { code } = begin(args, stop.signal);
      return () => {
        stop.abort(new Error('stopped'));
        return code;
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
