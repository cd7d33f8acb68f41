import { readFileSync } from 'node:fs';
import { guidePage, type ReferencePage } from '@helioport/reference';
import { guides } from '@helioport/reference/guides';
import { describe, expect, test } from 'vitest';
import { markdown } from '../../packages/reference/src/markdown.ts';

const sourceOf = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};
const textOf = (markup: string): string =>
  markup.replaceAll(/<[^>]+>/g, '').replaceAll(/&[a-z#0-9]+;/g, (entity) => ENTITIES[entity]!);

/** What a reader sees beside programs and their like. */
const proseOf = ({ html }: ReferencePage): string =>
  textOf(
    /<main[\s\S]*<\/main>/
      .exec(html)![0]
      .replaceAll(/<pre[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, ''),
  );

describe.each(guides.map(({ name }) => name))('the guide %s', (name) => {
  const page = guidePage(name);

  test('has every section, program and table of the page in docs', () => {
    const source = sourceOf(name);
    const programs = [...source.matchAll(/^```.*\n([\s\S]*?)\n```$/gm)].map(
      ([, program]) => program!,
    );
    expect(
      [...page.html.matchAll(/<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, program]) =>
        textOf(program!),
      ),
    ).toEqual(programs);
    const plain = source.replaceAll(/^```[\s\S]*?^```$/gm, '');
    const headings = [...plain.matchAll(/^##+ (.+)$/gm)].map(([, words]) =>
      words!.replaceAll('`', ''),
    );
    expect(
      [...page.html.matchAll(/<h[23] id="[^"]+"><a[^>]*>([\s\S]*?)<\/a><\/h[23]>/g)].map(
        ([, words]) => textOf(words!),
      ),
    ).toEqual(headings);
    expect(page.html.match(/<tr>/g)?.length ?? 0).toBe(plain.match(/^\|(?!--)/gm)?.length ?? 0);
    expect(page.html.match(/<h1>([^<]*)/)![1]).toBe(
      /^# (.+)$/m.exec(source)![1]!.replaceAll('`', ''),
    );
  });

  test('has nothing left of the form of its source', () => {
    expect(proseOf(page)).not.toMatch(/`|\*\*|\]\(|^\s*#+ |^\s*\||^\s*- |undefined|\[object/m);
  });

  test('links only to what is there', () => {
    const links = [...page.html.matchAll(/href="([^"]+)"/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^(?:https:|data:)/.test(target));
    for (const link of links) {
      const [path, anchor] = link.split('#');
      // The reference, and the front page.
      if (path === '../../reference' || path === '../..') continue;
      const target =
        path === '' ? page : guidePage(guides.find((guide) => guide.name === path)!.name);
      if (anchor !== undefined)
        expect([link, target.html.includes(` id="${anchor}"`)]).toEqual([link, true]);
    }
  });
});

test('links between guides keep their anchors, and lose those that lead elsewhere', () => {
  expect(guidePage('forwarding').html).toContain('href="destinations#a-snapshot-of-the-present"');
  expect(guidePage('signing').html).not.toMatch(/href="[^"]*interface/);
});

test('cells of tables may hold strokes, and lists may go on in the next line', () => {
  const { body, headings } = markdown(
    '# T\n\n## A `b`, c\n\n| x | y |\n|---|---|\n| a \\| b | **c** |\n\n1. one\n   more\n2. two',
    () => undefined,
  );
  expect(body.markup.replaceAll(/\s*\n\s*/g, ' ')).toContain(
    '<td>a | b</td><td><strong>c</strong></td>',
  );
  expect(body.markup.replaceAll(/\s+/g, ' ')).toContain('<ol> <li>one more</li><li>two</li> </ol>');
  expect(headings).toEqual([{ id: 'a-b-c', text: 'A b, c' }]);
});
