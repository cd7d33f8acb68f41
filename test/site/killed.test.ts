import { afterEach, expect, test } from 'vitest';
import { killCollector } from './killed.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

test('a collector that is killed loses no reading that it has taken, pushed or polled, and changes no other bit of a word', async () => {
  const { taken, lost, lostRounds, changed } = await killCollector(2, ended);
  expect(taken).toBeGreaterThan(10);
  expect({ lost, lostRounds, changed }).toEqual({ lost: [], lostRounds: [], changed: [] });
});
