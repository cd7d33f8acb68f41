import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

/** Without what stands in front of lines, so that code may be shown less indented than it is. */
const flat = (text: string): string => text.replaceAll(/^[ \t]+/gm, '');

/** What CONTRIBUTING says about adding something, by what is added. */
const recipes = read('CONTRIBUTING.md')
  .split(/^## /m)
  .filter((section) => section.startsWith('Add a'));
const titles = recipes.map((recipe) => recipe.split('\n')[0]!);

test('CONTRIBUTING says how to add whatever is added often, in ten lines or so', () => {
  expect(titles).toEqual([
    'Add an operation in five steps',
    'Add a screen',
    'Add a setting',
    'Add an event',
    'Add an alarm rule',
    'Add a device profile',
    'Add a source without registers',
  ]);
  for (const recipe of recipes.slice(1))
    expect(recipe.split('\n').length, recipe.split('\n')[0]).toBeLessThan(26);
});

test.each(recipes.map((recipe, i) => [titles[i]!, recipe]))(
  'the code and the paths in "%s" are those of the sources',
  (_, recipe) => {
    const blocks = [...recipe.matchAll(/^ *```ts\n *\/\/ (\S+)\n([\s\S]*?)^ *```/gm)];
    for (const [, path, code] of blocks) expect(flat(read(path!)), path).toContain(flat(code!));
    const paths = [...recipe.matchAll(/`((?:packages|test|docs)\/[\w./-]+)`/g)].map(
      ([, path]) => path!,
    );
    expect(paths.length + blocks.length).toBeGreaterThan(1);
    expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
  },
);
