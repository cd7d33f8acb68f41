import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rules } from '../../packages/server/src/outbound/alarms/rules.ts';
import { observeRecording, markedIn, recordingsPresent, type recordings } from './recordings.ts';
import { sayings } from './made-up-day.ts';

if (!recordingsPresent) console.log('skipped: recordings not present');

const HOUR_MS = 3_600_000;

/** What all rules say of a recording: `rule begin` or `rule end`, times by the stamps of the file. */
function spoken(name: keyof typeof recordings, offsetHours: number): string[] {
  const observation = observeRecording(name);
  const judging = rules.filter(({ kinds }) => kinds.includes(observation.kind));
  return judging.flatMap((rule) =>
    sayings(rule, observation).map((turn) => {
      const [what, at] =
        'raise' in turn ? ['begins', turn.raise.beginAt] : ['ends', turn.clear.endAt];
      return `${rule.id} ${what} ${new Date(at + offsetHours * HOUR_MS).toISOString().slice(0, 16)}`;
    }),
  );
}

describe.skipIf(!recordingsPresent)('of the recordings the rules say', () => {
  test('nothing of normal days: every quarter of an hour, every minute, under thin snow that melts, and of a weather station', () => {
    expect(spoken('minute', -7)).toEqual([]);
    expect(spoken('snow', -7)).toEqual([]);
    expect(spoken('weather', -7)).toEqual([]);
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

  test('of stale stretches that values stand still, of nothing between them, and that after them nothing comes any more', () => {
    expect(spoken('stale', 0)).toEqual([
      'noProduction begins 2011-01-26T09:30',
      'staleValues begins 2011-01-03T09:30',
      'staleValues ends 2011-01-04T08:00',
      'staleValues begins 2011-01-06T17:30',
      'staleValues ends 2011-01-07T12:00',
      'staleValues begins 2011-01-14T09:15',
      'staleValues ends 2011-01-15T07:30',
    ]);
  });

  test('so many of the marked rows, as docs/alarms.md states', () => {
    const stale = coverage('stale', 'stale_data_mask', 'staleValues');
    const outliers = coverage('outliers', 'outlier', 'noProduction');
    expect(stale).toEqual({ rows: 1851, marked: 245, found: 217, beside: 5 });
    expect(outliers).toEqual({ rows: 500, marked: 6, found: 1, beside: 73 });
    const page = readFileSync(new URL('../../docs/alarms.md', import.meta.url), 'utf8');
    expect(page).toContain(`${stale.found} of its ${stale.marked} marked readings`);
    expect(page).toContain(`${outliers.found} of its ${outliers.marked} marked outliers`);
  });
});

/** Of the marked rows of a recording those within an alarm of a rule, and how many unmarked ones are in it. */
function coverage(name: 'stale' | 'outliers', column: string, ruleId: string) {
  const observation = observeRecording(name);
  const marked = new Set(markedIn(name, column));
  const turns = sayings(
    rules.find(({ id }) => id === ruleId)!,
    observation,
  );
  let open = false;
  let [found, beside] = [0, 0];
  for (const { at } of observation.samples) {
    for (const turn of turns) {
      if ('raise' in turn && turn.raise.beginAt === at) open = true;
      if ('clear' in turn && turn.clear.endAt === at) open = false;
    }
    if (open && marked.has(at)) found += 1;
    else if (open) beside += 1;
  }
  return { rows: observation.samples.length, marked: marked.size, found, beside };
}
