import {
  closeSync,
  constants,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import type { Report } from '../report.ts';
import type { Backlog, KeptReport } from './backlog.ts';
import { lineOf, readLines, type BacklogLine } from './lines.ts';

export interface BacklogFileOptions {
  /** Beyond this size, the oldest reports are dropped; by default 64 MiB. The file may take twice as much. */
  readonly maxBytes?: number;
}

/** The place of a report's line in the file. */
interface Place {
  readonly at: number;
  readonly bytes: number;
}

const MAX_BYTES = 64 * 1024 * 1024;

const openFile = (path: string, more = 0): number =>
  openSync(path, constants.O_RDWR | constants.O_CREAT | more, 0o600);

/**
 * Opens a backlog in a file, which is created if it does not exist. It survives a killed process and a loss of power at any instant:
 * each report is on the disk when `add` returns. A torn or damaged line is skipped. Only one process may have the file open.
 *
 * The file holds one line for each report and one for each delivery. It is emptied when nothing waits, and rewritten when most of it
 * has been delivered. Only the place of each report is kept in memory.
 */
export function openBacklog(
  path: string,
  { maxBytes = MAX_BYTES }: BacklogFileOptions = {},
): Backlog {
  let file = openFile(path);
  const places = new Map<number, Place>();
  let size = 0;
  let waitingBytes = 0;
  let nextKey = 1;
  let dropped = 0;

  function forget(key: number): void {
    waitingBytes -= places.get(key)?.bytes ?? 0;
    places.delete(key);
  }

  function take(line: BacklogLine, place: Place): void {
    if ('sent' in line) return line.sent.forEach(forget);
    places.set(line.key, place);
    waitingBytes += place.bytes;
    nextKey = Math.max(nextKey, line.key + 1);
  }

  /** Appends a line. Remains of a failed or torn write are overwritten by the next one. */
  function append(line: BacklogLine, isDurable: boolean): Place {
    const bytes = lineOf(line);
    writeWhole(file, bytes, size);
    if (isDurable) fdatasyncSync(file);
    const place = { at: size, bytes: bytes.length };
    size += bytes.length;
    return place;
  }

  function read({ at, bytes }: Place): Buffer {
    const line = Buffer.alloc(bytes);
    readSync(file, line, 0, bytes, at);
    return line;
  }

  /** Writes the waiting reports to a new file, which then replaces the old one. */
  function compact(): void {
    const fresh = openFile(`${path}.new`, constants.O_TRUNC);
    const moved = new Map<number, Place>();
    let at = 0;
    try {
      for (const [key, place] of places) {
        writeWhole(fresh, read(place), at);
        moved.set(key, { at, bytes: place.bytes });
        at += place.bytes;
      }
      fdatasyncSync(fresh);
      renameSync(`${path}.new`, path);
    } catch (error) {
      closeSync(fresh);
      throw error;
    }
    closeSync(file);
    file = fresh;
    for (const [key, place] of moved) places.set(key, place);
    size = at;
  }

  /** Removes reports, from the file as well, so that it does not keep growing. If that fails, they are sent again, which does no harm. */
  function settle(keys: readonly number[]): void {
    keys.forEach(forget);
    try {
      if (places.size === 0) {
        ftruncateSync(file, 0);
        size = 0;
        return;
      }
      append({ sent: keys }, false);
      if (size > 2 * Math.max(waitingBytes, maxBytes / 2)) compact();
    } catch {
      // For example, the disk is full; the waiting reports are still in place.
    }
  }

  size = readLines(file, take);

  return {
    get waiting() {
      return places.size;
    },
    get dropped() {
      return dropped;
    },
    add(report: Report) {
      const key = nextKey;
      take({ key, report }, append({ key, report }, true));
      const excess: number[] = [];
      let bytes = waitingBytes;
      for (const [oldest, place] of places) {
        if (bytes <= maxBytes || oldest === key) break;
        excess.push(oldest);
        bytes -= place.bytes;
      }
      dropped += excess.length;
      if (excess.length > 0) settle(excess);
      return key;
    },
    oldest(bytes) {
      const taken: KeptReport[] = [];
      let left = bytes;
      for (const [key, place] of places) {
        left -= place.bytes;
        if (left < 0 && taken.length > 0) break;
        const { report } = JSON.parse(read(place).toString('utf8')) as KeptReport;
        taken.push({ key, report });
      }
      return taken;
    },
    remove(keys) {
      const known = keys.filter((key) => places.has(key));
      if (known.length > 0) settle(known);
    },
    close: () => closeSync(file),
  };
}

function writeWhole(file: number, bytes: Buffer, at: number): void {
  for (let written = 0; written < bytes.length;)
    written += writeSync(file, bytes, written, bytes.length - written, at + written);
}
