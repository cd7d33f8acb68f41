import { gzipSync } from 'node:zlib';

/** A report that costs far more to take apart than to send. */
export interface Bomb {
  readonly name: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** The answer to one that came alone. */
  readonly status: number;
}

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const LINES_TYPE = { 'content-type': 'application/x-ndjson' };

/** A piece repeated to just below 8 MiB. */
const filled = (before: string, piece: string, after: string): string =>
  before +
  piece.repeat(Math.floor((8 * MIB - before.length - after.length) / piece.length)) +
  after;
const compressed = (
  name: string,
  text: string,
  status: number,
  type: Record<string, string> = JSON_TYPE,
): Bomb => ({
  name,
  body: gzipSync(text),
  headers: { ...type, 'content-encoding': 'gzip' },
  status,
});

/** Of the size of the limit, each for another part of what reads reports. `sn` is a device of the sender's. */
export function bombs(sn: string, now: number): Bomb[] {
  const at = now - 86_400_000;
  const values = Array.from({ length: 400_000 }, (_, i) => `"q${i}":1`).join(',');
  const strangers = Array.from(
    { length: 9_999 },
    (_, i) => `{"sn":"X${i}","at":${at},"values":{"acPowerW":1}}`,
  );
  const alarm = `{"sn":[${'[],'.repeat(4_000)}[]],"code":"E1"}`;
  return [
    compressed('millions of readings', filled('{"readings":[', '{},', '{}]}'), 413),
    compressed('millions of alarms', filled('{"alarms":[', '[],', '[]]}'), 413),
    compressed('millions of lines', filled('', '{}\n', ''), 413, LINES_TYPE),
    compressed(
      'a reading with a million values',
      `{"readings":[{"sn":"${sn}","at":${at},"values":{${values}}}]}`,
      200,
    ),
    compressed(
      'a reading of brackets',
      `{"readings":[${'['.repeat(4 * MIB - 20)}${']'.repeat(4 * MIB - 20)}]}`,
      200,
    ),
    compressed(
      'readings of brackets',
      filled('{"readings":[[]', `,[${'[],'.repeat(5_000)}[]]`, ']}'),
      200,
    ),
    compressed('alarms of brackets', `{"alarms":[${Array(680).fill(alarm).join(',')}]}`, 200),
    compressed('a text without an end', `{"readings":[],"x":"${'x'.repeat(8 * MIB - 30)}"}`, 200),
    compressed('nothing but spaces', ' '.repeat(8 * MIB), 400),
    compressed('a thousand times its size', ' '.repeat(64 * MIB), 413),
    compressed('readings of ten thousand strangers', `{"readings":[${strangers.join(',')}]}`, 200),
    {
      name: 'a large body as it is',
      body: Buffer.from(filled('{"readings":[[]', `,[${'[],'.repeat(5_000)}[]]`, ']}')),
      headers: JSON_TYPE,
      status: 200,
    },
  ];
}
