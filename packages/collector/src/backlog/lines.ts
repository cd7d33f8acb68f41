import { readSync } from 'node:fs';
import type { Report } from '../report.ts';

/** A line of a backlog's file: a report, or the keys of reports that no longer need to be kept. */
export type BacklogLine =
  | { readonly key: number; readonly report: Report }
  | { readonly sent: readonly number[] };

export const lineOf = (line: BacklogLine): Buffer => Buffer.from(`${JSON.stringify(line)}\n`);

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 10;

/** Passes each readable line of a file to `take`, with its place. Returns where the last whole line ends. */
export function readLines(
  file: number,
  take: (line: BacklogLine, place: { at: number; bytes: number }) => void,
): number {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  let end = 0;
  for (;;) {
    const read = readSync(file, chunk, 0, CHUNK_BYTES, end + rest.length);
    if (read === 0) return end;
    let text = Buffer.concat([rest, chunk.subarray(0, read)]);
    for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE)) {
      const line = parsed(text.subarray(0, at));
      if (line) take(line, { at: end, bytes: at + 1 });
      end += at + 1;
      text = text.subarray(at + 1);
    }
    rest = text;
  }
}

function parsed(bytes: Buffer): BacklogLine | undefined {
  let line: Partial<Record<string, unknown>> | null;
  try {
    line = JSON.parse(bytes.toString('utf8')) as typeof line;
  } catch {
    return undefined;
  }
  if (Array.isArray(line?.['sent'])) return { sent: line['sent'] as number[] };
  const { key, report } = line ?? {};
  return Number.isSafeInteger(key) && typeof report === 'object' && report !== null
    ? { key: key as number, report }
    : undefined;
}
