import { expect, test } from 'vitest';
import { insertApplication } from '../../../packages/server/src/identity/oauth/applications.ts';
import {
  isDisguised,
  lookOf,
  looksLikeUs,
} from '../../../packages/server/src/identity/oauth/look-alike.ts';
import { describeEngines } from '../../support/engines.ts';
import { createWorld, settableClock } from '../../support/world.ts';
import { REDIRECT_URI } from '../fixture.ts';

const IMITATIONS = [
  'yield watch',
  'YIELD WATCH',
  'YieldWatch',
  'Yield  Watch',
  'Yield\u00a0Watch',
  'Yield-Watch.',
  'Yie1d Watch',
  'YieId Watch',
  'Yìeld Wátch',
  'Ｙｉｅｌｄ Ｗａｔｃｈ',
  '𝐘𝐢𝐞𝐥𝐝 𝐖𝐚𝐭𝐜𝐡',
  'Yield VVatch',
  'Ⓨⓘⓔⓛⓓ Watch',
];

test.each(IMITATIONS)('%j looks like another name', (name) => {
  expect(lookOf(name)).toBe(lookOf('Yield Watch'));
});

test.each([
  'Yi\u0435ld Watch',
  'Yield W\u0430tch',
  'Yi\u03b5ld',
  'Yield\u200bWatch',
  'Yield\u2060Watch',
  'Yield\u3164Watch',
  'Yield\u2800Watch',
  'Yield\u00adWatch',
  '\u13a9ield',
])('%j is disguised', (name) => {
  expect(isDisguised(name)).toBe(true);
});

test.each([
  'Солнце',
  'Ηλιος Solar',
  '太陽 Watch',
  'Sonnenwächter',
  'مرحبا',
  'ソーラー見張り',
  'Sun №1',
])('%j is not', (name) => {
  expect([isDisguised(name), looksLikeUs(name)]).toEqual([false, false]);
});

test('letters of one other script that spell a Latin name look like it', () => {
  // “ХОРАН” and “ΑΡΕΤΗ” in Cyrillic and Greek letters.
  expect(lookOf('\u0425\u041e\u0420\u0410\u041d')).toBe(lookOf('XOPAH'));
  expect(lookOf('\u0391\u03a1\u0395\u03a4\u0397')).toBe(lookOf('APETH'));
});

describeEngines('names of applications', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createWorld(database, clock);
  const register = (name: string, ownerId: string | null) =>
    world
      .write((trx) =>
        insertApplication(trx, world.act(), {
          name,
          ownerId,
          redirectUri: REDIRECT_URI,
          scopes: ['access_data'],
        }),
      )
      .then(
        () => 'done',
        ({ code, data, message }) => data?.field ?? code ?? message,
      );

  test('that look like another’s, or like this service, are refused', async () => {
    const { id } = await world.person();
    expect(await register('Yield Watch', id)).toBe('done');
    for (const name of [...IMITATIONS, 'Yi\u0435ld Watch'])
      for (const owner of [id, null])
        expect([name, await register(name, owner)]).toEqual([name, 'name']);
    for (const name of ['Helioport', 'Hel1oport Support', 'ΗELIOPORT', 'The HELIO PORT app'])
      expect([name, await register(name, id)]).toEqual([name, 'name']);
    expect(await register('Helioport Kiosk', null)).toBe('done');
    expect(await register('Yield Watch 2', id)).toBe('done');
    // One from before looks were kept.
    await database().db.updateTable('application').set({ nameKey: null }).execute();
    for (const name of IMITATIONS) expect(await register(name, id)).toBe('name');
  });

  test('are given once, though many apply at the same moment', async () => {
    const people = await Promise.all(Array.from({ length: 16 }, () => world.person()));
    const spellings = ['Roof Pilot', 'roof pilot', 'RoofPilot', 'Roof-Pilot'];
    const outcomes = await Promise.all(people.map(({ id }, i) => register(spellings[i % 4]!, id)));
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
  });
});
