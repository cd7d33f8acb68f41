import { afterEach, expect, test } from 'vitest';
import { killCollector } from '../../site/killed.ts';
import { effort } from '../../support/effort.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

test('twenty kills of a collector lose no reading that it has taken, pushed or polled, and change no other bit of a word', async () => {
  const kills = effort(1, 20);
  const { taken, lost, lostRounds, settings, changed } = await killCollector(kills, ended);
  expect(taken).toBeGreaterThan(kills * 5);
  expect(settings).toBeGreaterThanOrEqual(Math.min(kills, 3));
  expect({ lost, lostRounds, changed }).toEqual({ lost: [], lostRounds: [], changed: [] });
});
