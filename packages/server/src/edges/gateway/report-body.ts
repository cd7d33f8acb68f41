import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Report } from '../../collectors/report.ts';
import { Failure } from '../../kernel/failure.ts';

/** Reports end at 8 MiB, as sent and inflated, and at 10,000 readings and 1,000 alarms. */
export const REPORT_BYTES = 8 * 1024 * 1024;
export const REPORT_READINGS = 10_000;
export const REPORT_ALARMS = 1_000;

const inflate = promisify(gunzip);

/** The bytes of a report. Inflating stops at the limit. Throws unsupportedMediaType, tooLarge, malformedRequest. */
export async function inflated(body: Uint8Array, encoding: string | undefined): Promise<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return body;
  if (name !== 'gzip' && name !== 'x-gzip') {
    throw new Failure('unsupportedMediaType', { message: 'Content-Encoding may be gzip alone' });
  }
  try {
    return await inflate(body, { maxOutputLength: REPORT_BYTES });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new Failure('malformedRequest', { message: 'the body is not readable gzip: it is damaged or cut off', cause });
  }
}

const tooLarge = (): Failure => new Failure('tooLarge', { message: 'a report ends at 8 MiB after inflating' });

const KINDS: readonly [RegExp, (text: string) => Report][] = [
  [/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i, jsonReport],
  [/^application\/(x-ndjson|ndjson|jsonl)\s*(;\s*charset="?utf-8"?\s*)?$/i, linesReport],
];

/** How a media type is read. Throws unsupportedMediaType. */
export function reportReader(contentType: string | undefined): (body: Uint8Array) => Report {
  const [, read] = KINDS.find(([pattern]) => pattern.test(contentType ?? '')) ?? [];
  if (!read) throw new Failure('unsupportedMediaType', { message: 'Content-Type must be application/json or application/x-ndjson' });
  return (body) => {
    if (!isUtf8(body)) throw new Failure('malformedRequest', { message: 'the body is not UTF-8' });
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    return read(text.startsWith('\ufeff') ? text.slice(1) : text);
  };
}

function few<T>(items: readonly T[], atMost: number, name: string): readonly T[] {
  if (items.length > atMost) throw new Failure('tooLarge', { message: `a report has at most ${atMost} ${name}, this one has ${items.length}` });
  return items;
}

function jsonReport(text: string): Report {
  const value = parsed(text);
  if (value === undefined) throw new Failure('malformedRequest', { message: 'the body is not readable JSON' });
  const { readings, alarms } = (value ?? {}) as { readings?: unknown; alarms?: unknown };
  const given = [readings, alarms].filter((list) => list !== undefined);
  if (given.length === 0 || !given.every(Array.isArray))
    throw new Failure('malformedRequest', { message: 'the body must be {"readings":[...]}, with "alarms":[...] if need be' });
  return {
    readings: few((readings ?? []) as unknown[], REPORT_READINGS, 'readings'),
    alarms: alarms === undefined ? undefined : few(alarms as unknown[], REPORT_ALARMS, 'alarms'),
  };
}

/** One reading a line; blank lines do not count. */
function linesReport(text: string): Report {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // Counted before they are parsed: a million of them would keep everybody waiting.
  return { readings: few(lines, REPORT_READINGS, 'readings').map(parsed) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
