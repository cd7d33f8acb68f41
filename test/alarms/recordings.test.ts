import { describe, expect, test } from 'vitest';
import { rules } from '../../packages/server/src/alarms/rules.ts';
import { lookAtRecording, recordingsPresent, type recordings } from './recordings.ts';
import { sayings } from './made-up-day.ts';

if (!recordingsPresent) console.log('skipped: recordings not present');

const HOUR_MS = 3_600_000;

/** What all rules say of a recording: `rule begin` or `rule end`, times by the stamps of the file. */
function spoken(name: keyof typeof recordings, offsetHours: number): string[] {
  const look = lookAtRecording(name);
  return rules.flatMap((rule) =>
    sayings(rule, look).map((turn) => {
      const [what, at] = 'raise' in turn ? ['begins', turn.raise.beginAt] : ['ends', turn.clear.endAt];
      return `${rule.id} ${what} ${new Date(at + offsetHours * HOUR_MS).toISOString().slice(0, 16)}`;
    }),
  );
}

describe.skipIf(!recordingsPresent)('of the recordings the rules say', () => {
  test('nothing of normal days: every quarter of an hour, every minute, and under thin snow that melts', () => {
    expect(spoken('minute', -7)).toEqual([]);
    expect(spoken('snow', -7)).toEqual([]);
  });

  test('of two plants in Golden nothing until the snow of the 6th of January covers their modules by day', () => {
    expect(spoken('serf', -7)).toEqual(['noProduction begins 2022-01-06T09:46']);
    expect(spoken('rsf', -7)).toEqual(['noProduction begins 2022-01-06T14:30']);
  });

  test('nothing of single outliers, but that three afternoons are a thousand times too small', () => {
    expect(spoken('outliers', 0)).toEqual([
      'noProduction begins 2017-04-13T14:15',
      'noProduction ends 2017-04-14T07:15',
      'noProduction begins 2017-04-16T14:45',
      'noProduction ends 2017-04-17T07:15',
      'noProduction begins 2017-04-19T15:00',
      'noProduction ends 2017-04-20T07:15',
    ]);
  });

  test('nothing of stale stretches, which look like production, but that after them nothing comes any more', () => {
    expect(spoken('stale', 0)).toEqual(['noProduction begins 2011-01-26T09:30']);
  });
});
