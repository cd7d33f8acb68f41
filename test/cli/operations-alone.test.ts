import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../../packages/server/src/interfaces/cli/', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.ts'),
);

test('no command opens a transaction, writes SQL or makes up a user: all of them go through operations', () => {
  expect(sources.length).toBeGreaterThan(40);
  for (const path of sources) {
    const text = readFileSync(new URL(path, folder), 'utf8');
    expect([
      path,
      text.match(
        /\.transaction\(|inTransaction|selectFrom|insertInto|updateTable|deleteFrom|kind: 'user'|canControl: true/g,
      ),
    ]).toEqual([path, null]);
  }
});
