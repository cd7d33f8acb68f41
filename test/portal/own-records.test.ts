import { operations } from '@helioport/contract';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SOURCES = 'packages/portal/src';
/** Pages about the signed interface itself, and what an owner’s permission opens. */
const ABOUT_SIGNED = /screens\/(explorer|debugger)\/|parts\/developer\/|wire\/support\.ts$/;

test('screens ask operations of our own, which answer our own records in SI units', () => {
  const foreign = new Set<string>(
    Object.values(operations).flatMap((operation) =>
      !operation.write && operation.family !== 'control' && !('own' in operation)
        ? [operation.id]
        : [],
    ),
  );
  expect(foreign.size).toBeGreaterThan(25);
  const files = globSync(`${SOURCES}/**/*.{ts,tsx}`).filter((path) => !ABOUT_SIGNED.test(path));
  expect(files.length).toBeGreaterThan(300);
  const asked = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/'([\w/]+)'/g)].flatMap(([, id]) =>
      foreign.has(id!) ? [`${path}: ${id}`] : [],
    ),
  );
  expect(asked).toEqual([]);
  // A code of an error goes by its name.
  const spellings = /inKwh|inWatts|bstteryCurrent|Pec\b|['"][A-Z]{1,2}\d{4}['"]/;
  expect(
    globSync(`${SOURCES}/**/*.{ts,tsx}`).filter((path) =>
      spellings.test(readFileSync(path, 'utf8')),
    ),
  ).toEqual([]);
});
