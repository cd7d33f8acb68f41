import { expect, test } from 'vitest';
import type { Mark } from '../../../packages/server/src/measurements/series/port.ts';
import { effort } from '../../support/effort.ts';
import { describeCassandra } from '../../support/engines.ts';

// Above 100,000, a node refuses a request that meets them all.
const REMAINS = effort(300, 120_000);
// A small node would not keep up with more.
const AT_ONCE = 100;

describeCassandra('marks', (_database, series) => {
  test(
    'are all found among the remains of those that were removed',
    { timeout: 600_000 },
    async () => {
      const marks = Array.from({ length: REMAINS }, (_, i): Mark => ({
        binding: i + 1,
        day: 20260615,
        attempt: `attempt ${i}`,
      }));
      const kept = marks.filter((_, i) => i % 100 === 0);
      for (let i = 0; i < REMAINS; i += AT_ONCE) await series().mark(marks.slice(i, i + AT_ONCE));
      for (let i = 0; i < REMAINS; i += AT_ONCE)
        await series().unmark(
          marks.slice(i, i + AT_ONCE).filter((mark) => mark.binding % 100 !== 1),
        );
      expect((await series().marks()).toSorted((a, b) => a.binding - b.binding)).toEqual(kept);
    },
  );
});
