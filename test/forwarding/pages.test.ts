import { expect, test } from 'vitest';
import type { Entry } from '../../packages/server/src/platform/events/read.ts';
import {
  createPages,
  ENTRIES_AT_ONCE,
} from '../../packages/server/src/outbound/forwarding/dispatcher/pages.ts';

/** A log of so many entries with so many events each, read by a destination that takes `ms` for each page. Resolves to the lengths of its pages. */
async function pageLengths({
  entries,
  eventsEach,
  ms,
}: {
  entries: number;
  eventsEach: number;
  ms: (page: number) => number;
}): Promise<number[]> {
  const events = Array.from({ length: eventsEach }, () => ({}));
  const log = Array.from(
    { length: entries },
    (_, i) => ({ key: 0, no: i + 1, events }) as unknown as Entry,
  );
  let now = 0;
  const pages = createPages(
    { after: async ({ no }, limit) => log.slice(no, no + limit) },
    () => now,
  );
  const lengths: number[] = [];
  const seen: Entry[] = [];
  for (
    let page = await pages.after({ key: 0, no: 0 });
    page.length > 0;
    page = await pages.after(page.at(-1)!)
  ) {
    pages.readAhead(page);
    now += ms(lengths.push(page.length));
    seen.push(...page);
  }
  expect(seen).toEqual(log);
  return lengths;
}

test('pages grow for a destination that is quick, and end with the log', async () => {
  const lengths = await pageLengths({ entries: 3_000, eventsEach: 1, ms: () => 10 });
  expect(lengths[0]).toBe(ENTRIES_AT_ONCE);
  expect(Math.max(...lengths)).toBe(4 * ENTRIES_AT_ONCE);
  expect(lengths.length).toBeLessThan(8);
});

test('they become short again when it is slow', async () => {
  const lengths = await pageLengths({
    entries: 6_000,
    eventsEach: 1,
    ms: (page) => (page < 5 ? 10 : 5_000),
  });
  expect(Math.max(...lengths)).toBe(4 * ENTRIES_AT_ONCE);
  expect(lengths.slice(-3).every((length) => length === ENTRIES_AT_ONCE)).toBe(true);
});

test('they have no more reads once they have many events', async () => {
  const lengths = await pageLengths({ entries: 2_000, eventsEach: 50, ms: () => 10 });
  expect(new Set(lengths)).toEqual(new Set([ENTRIES_AT_ONCE]));
});
