import { quantities } from '@helioport/contract';
import {
  readSourceMap,
  reportable,
  SOURCES,
  sourcedValues,
  type SourcePart,
} from '@helioport/devices/sources';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const parts = SOURCES.flatMap((source) =>
  Object.entries(readSourceMap(source).parts).map(
    ([part, map]) => [`${source}: ${part}`, map] as const,
  ),
);
const page = readFileSync(new URL('../../docs/devices.md', import.meta.url), 'utf8');

test.each(parts)(
  '%s has known quantities, tables that are listed, and ids of its own',
  (_, { values }) => {
    expect(values.length).toBeGreaterThan(0);
    const ids = values.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    for (const { quantity, evidence } of values) {
      expect(quantities.has(quantity), quantity).toBe(true);
      expect(evidence.sources.length).toBeGreaterThan(0);
      for (const table of evidence.sources)
        expect(page).toMatch(new RegExp(`^\\| ${table} \\| `, 'm'));
    }
  },
);

/** Every field of a part, with a number. */
const fieldsOf = ({ values }: SourcePart, value: number): Map<string, number> =>
  new Map(
    values.flatMap(({ plus, minus, optional }) =>
      [...plus, ...minus, ...optional].map((name) => [name, value] as const),
    ),
  );

test.each(parts)(
  '%s: what has one source or a doubt is never reported unless confirmed',
  (_, part) => {
    const all = sourcedValues(part, fieldsOf(part, 1));
    const doubtful = part.values.filter(({ evidence }) => !evidence.isConfirmed);
    for (const { source, dropped } of all)
      if (doubtful.includes(source)) expect(['unconfirmed', 'superseded']).toContain(dropped);
    const confirmed = new Set(doubtful.map(({ id }) => id));
    for (const { dropped } of sourcedValues(part, fieldsOf(part, 1), confirmed))
      expect(dropped).not.toBe('unconfirmed');
  },
);

test.each(parts)('%s: numbers that cannot be are dropped one by one', (_, part) => {
  for (const value of [1e12, -1e12, Number.NaN, Infinity]) {
    const values = reportable(sourcedValues(part, fieldsOf(part, value)));
    for (const [name, shown] of Object.entries(values)) {
      const { bounds } = quantities.get(name)!;
      const [atLeast, atMost] = bounds === 'power' ? [-1e6, 1e6] : bounds;
      expect(shown).toBeGreaterThanOrEqual(atLeast);
      expect(shown).toBeLessThanOrEqual(atMost);
    }
  }
  expect(reportable(sourcedValues(part, new Map()))).toEqual({});
});

test.each(parts)('%s: what flows from the grid is negative in total and by phase', (name, part) => {
  if (part.kind !== 'ammeter') return;
  const powers = part.values.filter(({ quantity }) => /^(grid|ac)Power\d?W$/.test(quantity));
  expect(powers.length, name).toBeGreaterThan(0);
  for (const { plus, minus, scale } of powers) {
    // Either the field counts what is bought, or what is sold stands before it.
    const sign = plus.length === 0 ? -1 : scale;
    expect(minus.length > 0 || sign < 0).toBe(true);
  }
});
