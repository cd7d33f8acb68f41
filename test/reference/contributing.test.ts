import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Without what stands in front of lines, so that code may be shown less indented than it is. */
const flat = (text: string): string => text.replaceAll(/^[ \t]+/gm, '');

test('what CONTRIBUTING shows of an operation stands in the files that it names', () => {
  const blocks = [
    ...read('CONTRIBUTING.md').matchAll(/^ *```ts\n *\/\/ (\S+)\n([\s\S]*?)^ *```/gm),
  ].map(([, path, code]) => [path!, code!] as const);
  expect(blocks.map(([path]) => path)).toEqual([
    'packages/contract/src/operations/management.ts',
    'packages/contract/src/operations/index.ts',
    'packages/server/src/interfaces/operations/devices/device-management.ts',
    'test/management/devices.test.ts',
  ]);
  for (const [path, code] of blocks) expect(flat(read(path))).toContain(flat(code));
});
