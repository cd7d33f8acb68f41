import type { QuantityName } from '@helioport/contract';
import { expect, test } from 'vitest';
import type { SampleRow } from '../../../packages/server/src/measurements/series/port.ts';
import { describeCassandra } from '../../support/engines.ts';

const DAY_START = Date.parse('2026-06-15T00:00:00Z');
/** A page of an answer, and some. */
const MANY = 5_020;
/** A small node would not keep up with more. */
const AT_ONCE = 500;

describeCassandra('samples of a day', (database, series) => {
  async function rows(
    seriesId: number,
    count: number,
    names: readonly QuantityName[],
  ): Promise<SampleRow[]> {
    const [fields] = await series().fieldLists.ensure([[...names]]);
    return Array.from({ length: count }, (_, i) => ({
      seriesId,
      sample: {
        at: DAY_START + i * 1000,
        fields: fields!,
        values: new Float64Array(names.length).fill(i),
      },
    }));
  }

  test(
    'are read to the last, also if they do not fit into one page',
    { timeout: 120_000 },
    async () => {
      const samples = await rows(1, MANY, ['acPowerW']);
      for (let i = 0; i < MANY; i += AT_ONCE)
        await series().put(database().db, { samples: samples.slice(i, i + AT_ONCE) });
      const found = await series().range(database().db, 1, DAY_START, Infinity);
      expect([found.length, found.at(-1)!.at]).toEqual([MANY, samples.at(-1)!.sample.at]);
    },
  );

  test('of many devices with many values are written in batches that a node accepts', async () => {
    const names = Array.from({ length: 400 }, (_, i) => `value${i}` as QuantityName);
    const [row] = await rows(0, 1, names);
    // Of one device, a batch may have any size.
    const ids = Array.from({ length: 40 }, (_, i) => 1_000 + i);
    await series().put(database().db, { samples: ids.map((seriesId) => ({ ...row!, seriesId })) });
    expect([...(await series().ranges(database().db, ids, DAY_START, Infinity)).keys()]).toEqual(
      ids,
    );
  });
});
