import { existsSync, readFileSync } from 'node:fs';
import { errors } from '@helioport/contract';
import { expect, test } from 'vitest';
import { pages } from '../scripts/docs/pages.mts';
import { allProfiles } from '../packages/devices/src/profiles/profiles.ts';
import { VERSION } from '../packages/server/src/platform/kernel/version.ts';
import {
  clientNames,
  environmentName,
  settings,
} from '../packages/server/src/platform/config/schema.ts';
import { readSources } from '../lint/sources.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test.each(Object.keys(pages))('%s is what npm run docs writes', (path) => {
  // Not toBe of the texts: their difference would fill the screen.
  expect(read(path) === pages[path]!(), 'run npm run docs').toBe(true);
});

test('the page of settings names every setting and no other', () => {
  const named = [...read('docs/configuration.md').matchAll(/^## (HELIOPORT_\w+)$/gm)].map(
    ([, name]) => name,
  );
  expect(named).toEqual(Object.keys(settings).map(environmentName));
});

test('the page of errors names every refusal and no other', () => {
  const named = [...read('docs/errors.md').matchAll(/^\| `\w+` .* \| (\w+) \|$/gm)].map(
    ([, name]) => name,
  );
  expect(named).toEqual(Object.keys(errors));
});

test('the page of parameters names every parameter that a profile adds, and no other', () => {
  const sections = read('docs/parameters.md').split(/^## /m).slice(2);
  const described = allProfiles().filter(({ registers }) => registers === null);
  for (const { name, bases, parameters } of described) {
    const text = sections.find((section) =>
      section.toLowerCase().startsWith(`${name.toLowerCase()}\n`),
    );
    const named = [...text!.matchAll(/^\| (\d+) \| (.+?) \|/gm)].map(([, id, title]) => [
      id,
      title,
    ]);
    const taken = allProfiles().filter(({ id }) => bases.includes(id));
    const added = [...parameters.values()].filter(
      (parameter) => !taken.some((base) => base.parameters.get(parameter.id) === parameter),
    );
    const isReadOnly = [...parameters.values()].every(({ access }) => access === 'read');
    expect(named).toEqual(isReadOnly ? [] : added.map(({ id, name: title }) => [id, title]));
  }
  expect(sections.length).toBe(described.length);
});

test('one version stands in every package', () => {
  const versions = [...readSources('package.json', 'packages/*/package.json')].map(
    ([path, text]) => [path, (JSON.parse(text) as { version: string }).version],
  );
  expect(versions.filter(([, version]) => version !== VERSION)).toEqual([]);
});

test('every link between the pages leads to a file', () => {
  const markdown = readSources('*.md', 'docs/**/*.md', 'benchmarks/*.md');
  const broken = [...markdown].flatMap(([path, text]) =>
    [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
      .map(([, target]) => new URL(target!, new URL(`../${path}`, import.meta.url)))
      .filter((url) => !existsSync(url))
      .map((url) => `${path} -> ${url.pathname.split('/').slice(-2).join('/')}`),
  );
  expect(broken).toEqual([]);
});

test('every setting that a page or a script names exists', () => {
  const known = new Set([
    ...Object.keys(settings).map(environmentName),
    ...Object.entries(settings).flatMap(([name, { secret }]) =>
      secret ? [`${environmentName(name)}_FILE`] : [],
    ),
    ...Object.keys(clientNames),
    'HELIOPORT_TEST_POSTGRES_URL',
    'HELIOPORT_PROVE',
    'HELIOPORT_TEST_ALL',
    'HELIOPORT_NAME',
  ]);
  const named = [
    ...readSources('*.md', 'docs/**/*.md', 'packages/*/src/**/*.ts', 'scripts/**/*.{mjs,mts}'),
  ].flatMap(([path, text]) =>
    [...text.matchAll(/\bHELIOPORT_[A-Z_]+[A-Z]\b/g)].map(([name]) => ({ path, name })),
  );
  expect(named.filter(({ name }) => !known.has(name))).toEqual([]);
});
