import type { CollectorMessage } from '@helioport/contract';

/** A message that costs far more to take apart than to send. */
export interface Bomb {
  readonly name: string;
  readonly message: CollectorMessage;
  readonly payload: string;
  /** Of the acknowledgement. */
  readonly status: number;
}

/** What a message may have, less its topic. */
const BYTES = 1024 * 1024 - 200;

/** A piece repeated until there is no room for another. */
const filled = (before: string, piece: string, after: string): string =>
  before + piece.repeat(Math.floor((BYTES - before.length - after.length) / piece.length)) + after;

/** Of the size of the limit, each for another part of what reads messages. `sn` is a device of the sender's. */
export function bombs(sn: string, now: number): Bomb[] {
  const at = now - 86_400_000;
  const values = Array.from({ length: 70_000 }, (_, i) => `"q${i}":1`).join(',');
  const strangers = Array.from(
    { length: 9_999 },
    (_, i) => `{"sn":"X${i}","at":${at},"values":{"acPowerW":1}}`,
  );
  const alarm = `{"sn":[${'[],'.repeat(4_000)}[]],"code":"E1"}`;
  const half = BYTES / 2 - 20;
  return [
    {
      name: 'readings without end',
      message: 'report',
      payload: filled('{"readings":[', '{},', '{}]}'),
      status: 413,
    },
    {
      name: 'alarms without end',
      message: 'report',
      payload: filled('{"alarms":[', '[],', '[]]}'),
      status: 413,
    },
    {
      name: 'a reading of tens of thousands of values',
      message: 'report',
      payload: `{"readings":[{"sn":"${sn}","at":${at},"values":{${values}}}]}`,
      status: 200,
    },
    {
      name: 'a reading of brackets',
      message: 'report',
      payload: `{"readings":[${'['.repeat(half)}${']'.repeat(half)}]}`,
      status: 200,
    },
    {
      name: 'readings of brackets',
      message: 'backlog',
      payload: filled('{"readings":[[]', `,[${'[],'.repeat(5_000)}[]]`, ']}'),
      status: 200,
    },
    {
      name: 'alarms of brackets',
      message: 'report',
      payload: `{"alarms":[${Array(80).fill(alarm).join(',')}]}`,
      status: 200,
    },
    {
      name: 'readings of ten thousand strangers',
      message: 'report',
      payload: `{"readings":[${strangers.join(',')}]}`,
      status: 200,
    },
    { name: 'nothing but spaces', message: 'report', payload: ' '.repeat(BYTES), status: 400 },
    {
      name: 'results of brackets',
      message: 'result',
      payload: filled('{"results":[[]', ',[[[[]]]]', ']}'),
      status: 413,
    },
    {
      name: 'brackets beside results, and a long number',
      message: 'result',
      payload: filled('{"n":1234567890123456,"results":[],"x":[[]', ',[]', ']}'),
      status: 413,
    },
  ];
}
