import { expect, test } from 'vitest';
import { isMissing, seriesEngines, type SeriesOf, type TestDatabase } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createFleet } from '../operations/fleet.ts';
import { SCENE_NOW } from '../operations/scene.ts';
import { askAll, makeHistory } from './history.ts';

/** Ids are drawn by chance, and a plant's number is made of its id: each is called by when it was first met. */
function withoutIds(text: string): string {
  const met = new Map<string, string>();
  return text.replaceAll(/\b\d{19}\b|(?<="sno":")\d+/g, (id) => {
    if (!met.has(id)) met.set(id, `id ${met.size}`);
    return met.get(id)!;
  });
}

/** Every answer about an installation with some history. */
async function answersOver(
  database: TestDatabase,
  seriesOf: SeriesOf,
): Promise<[question: string, answer: string][]> {
  const fleet = createFleet(() => database, settableClock(SCENE_NOW), seriesOf);
  const answers = await askAll(fleet, await makeHistory(fleet));
  return answers.map(([question, answer]) => [withoutIds(question), withoutIds(answer)]);
}

test(
  'the same history is answered the same by every engine, in every answer that there is',
  { timeout: 240_000 },
  async () => {
    const all: [string, string][][] = [];
    for (const engine of [
      'SQLite',
      'PostgreSQL',
      'memory beside SQLite',
      'Cassandra beside PostgreSQL',
    ]) {
      if (isMissing(engine)) continue;
      const [create, make] = seriesEngines[engine]!;
      const database = await create();
      const [seriesOf, close] = await make(database);
      try {
        all.push(await answersOver(database, seriesOf));
      } finally {
        await close();
        await database.drop();
      }
    }
    const [first, ...others] = all;
    expect(first!.length).toBeGreaterThan(80);
    // They tell of what was measured.
    expect(
      first!.filter(([, answer]) => answer.includes('4000') || answer.includes('"0.3')).length,
    ).toBeGreaterThan(0);
    for (const other of others) {
      expect(other.length).toBe(first!.length);
      // One at a time: all of them would be too much to read.
      for (const [i, answer] of other.entries()) expect(answer).toEqual(first![i]);
    }
  },
);
