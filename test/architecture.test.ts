import { expect, test } from 'vitest';
import { layers, packageRooms } from '../lint/layers.ts';
import {
  importsOf,
  isWithin,
  layerOf,
  readSources,
  type Import,
  type Sources,
} from '../lint/sources.ts';

const sources = readSources('packages/*/src/**/*.{ts,tsx}', 'packages/portal/build/*.ts');
const SERVER = 'packages/server/src/';

const graphOf = (files: Sources): Map<string, Import[]> =>
  new Map([...files].map(([path, text]) => [path, importsOf(path, text)]));

function forbiddenImports(files: Sources): string[] {
  return [...graphOf(files)].flatMap(([path, imports]) =>
    imports.filter((one) => !mayImport(path, one)).map(({ target }) => `${path} -> ${target}`),
  );
}

function mayImport(path: string, { target, typesOnly }: Import): boolean {
  const rooms = packageRooms[target];
  if (rooms) return rooms.some((room) => isWithin(path, room));
  const folder = layerOf(path);
  if (folder === undefined || !target.startsWith('packages/')) return true;
  if (layerOf(target) === folder) return true;
  const { imports, types } = layers[folder]!;
  return [...imports, ...(typesOnly ? types : [])].some((allowed) => isWithin(target, allowed));
}

/** Each cycle as `a -> b -> a`, found once. */
function cycles(files: Sources): string[] {
  const graph = graphOf(files);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path))
      return void found.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    if (done.has(path)) return;
    for (const { target, lazy } of graph.get(path) ?? [])
      if (!lazy) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}

/** Lines that match, as `path:line`; comments aside. */
function linesWith(files: Sources, pattern: RegExp): string[] {
  return [...files].flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line, i) =>
        pattern.test(line.replace(/(^|\s)(\/\/|\*|\/\*).*/, '')) ? [`${path}:${i + 1}`] : [],
      ),
  );
}

const only = (files: Sources, keep: (path: string) => boolean): Sources =>
  new Map([...files].filter(([path]) => keep(path)));

test('the rules find what they forbid', () => {
  const planted = new Map([
    [
      `${SERVER}identity/accounts/a.ts`,
      "import { b } from '../../fleet/plants/b.ts';\nimport type { C } from '../../platform/storage/c.ts';",
    ],
    [
      `${SERVER}interfaces/operations/o.ts`,
      "import { c } from '../../platform/storage/c.ts';\nimport { fastify } from 'fastify';",
    ],
    [
      `${SERVER}interfaces/edges/user-api/u.ts`,
      "import { g } from '../gateway/g.ts';\nimport { h } from '../http/h.ts';\nexport * from '@helioport/sdk';",
    ],
    [`${SERVER}fleet/plants/b.ts`, "export { a } from './d.ts';"],
    [`${SERVER}fleet/plants/d.ts`, "import { b } from './b.ts';"],
  ]);
  expect(forbiddenImports(planted)).toEqual([
    `${SERVER}identity/accounts/a.ts -> ${SERVER}fleet/plants/b.ts`,
    `${SERVER}interfaces/operations/o.ts -> ${SERVER}platform/storage/c.ts`,
    `${SERVER}interfaces/operations/o.ts -> fastify`,
    `${SERVER}interfaces/edges/user-api/u.ts -> ${SERVER}interfaces/edges/gateway/g.ts`,
    `${SERVER}interfaces/edges/user-api/u.ts -> packages/sdk/src/index.ts`,
  ]);
  expect(cycles(planted)).toEqual([
    `${SERVER}fleet/plants/b.ts -> ${SERVER}fleet/plants/d.ts -> ${SERVER}fleet/plants/b.ts`,
  ]);
});

test('every folder imports only what lint/layers.ts lets it', () => {
  expect(forbiddenImports(sources)).toEqual([]);
});

test('screens of the portal know nothing of one another', () => {
  const screenOf = (path: string): string | undefined =>
    /^packages\/portal\/src\/screens\/([^/]+)\//.exec(path)?.[1];
  const mixed = [...graphOf(sources)].flatMap(([path, imports]) => {
    const screen = screenOf(path);
    return screen === undefined
      ? []
      : imports
          .filter(({ target }) => (screenOf(target) ?? screen) !== screen)
          .map(({ target }) => `${path} -> ${target}`);
  });
  expect(mixed).toEqual([]);
});

test('every folder of the server is a layer', () => {
  const stray = [...sources.keys()].filter(
    (path) => path.startsWith(SERVER) && path.slice(SERVER.length).includes('/') && !layerOf(path),
  );
  expect(stray).toEqual([]);
});

test('no file imports itself through others', () => {
  expect(cycles(sources)).toEqual([]);
});

test('the time comes from an injected clock', () => {
  // The samples are programs for others to copy.
  const clocks = [
    'packages/portal/src/wire/server-clock.ts',
    `${SERVER}platform/kernel/clock.ts`,
    'packages/sdk/src/clock.ts',
    'packages/collector/src/clock.ts',
    'packages/reference/src/samples.ts',
  ];
  const others = only(sources, (path) => !clocks.includes(path));
  expect(linesWith(others, /\bDate\.now\b|\bnew Date\(\)/)).toEqual([]);
});

test('secrets are compared in one place', () => {
  const others = only(sources, (path) => path !== `${SERVER}platform/kernel/secrets.ts`);
  expect(linesWith(others, /\btimingSafeEqual\b/)).toEqual([]);
  // What is compared otherwise is compared for its order, was found by its value, or is a file of the operator's own.
  const ordered = [
    `${SERVER}platform/storage/lookup.ts`,
    `${SERVER}interfaces/cli/installation/backup/restore.ts`,
    `${SERVER}identity/accounts/log-in-throttle.ts`,
  ];
  const bytes = only(others, (path) => path.startsWith(SERVER) && !ordered.includes(path));
  expect(
    linesWith(
      bytes,
      /\bBuffer\.compare\(|\.equals\(|\b(hash|digest|secret|token|signature|hmac|tag)\w* ?[!=]==? ?(?!undefined|null|''|typeof)\w*([hH]ash|[dD]igest|[sS]ecret|[sS]ignature|[hH]mac)\b/,
    ),
  ).toEqual([]);
});

test('the environment is read in one place', () => {
  const others = only(sources, (path) => path !== `${SERVER}interfaces/cli/main.ts`);
  expect(linesWith(others, /\bprocess\.env\b/)).toEqual([]);
});

test('nothing is left undone or switched off', () => {
  const all = readSources(
    'packages/*/src/**/*.{ts,tsx}',
    'test/**/*.ts',
    'benchmarks/**/*.ts',
    'scripts/**/*.{mjs,mts}',
  );
  const unfinished = linesWith(
    only(all, (path) => path !== 'test/architecture.test.ts'),
    /\b(it|test|describe)\.(only|skip|todo)\(|\bnot\simplemented\b|@ts-(ignore|expect-error)/,
  );
  expect(unfinished).toEqual([]);
});

test('files are named after their one subject, in kebab-case', () => {
  const named = [...sources.keys()].filter(
    (path) =>
      !/\/[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/.test(path) ||
      /\b(utils?|helpers?|common|service|manager)\b/.test(path),
  );
  expect(named).toEqual([]);
});

test('files are short: median 70 lines, nine of ten 200, none over 400 (tables of the contract aside)', () => {
  const lengths = [...sources]
    .filter(([path]) => !isWithin(path, 'packages/contract/src'))
    .map(([path, text]) => ({ path, lines: text.split('\n').length - 1 }))
    .toSorted((a, b) => a.lines - b.lines);
  const at = (share: number): number => lengths[Math.ceil(lengths.length * share) - 1]!.lines;
  expect(at(0.5)).toBeLessThanOrEqual(70);
  expect(at(0.9)).toBeLessThanOrEqual(200);
  expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
});

test('no folder holds more than some twenty files', () => {
  const all = [
    ...readSources(
      'packages/*/src/**/*.{ts,tsx}',
      'test/**/*.ts',
      'benchmarks/**/*.ts',
      'scripts/**/*.{mjs,mts}',
    ).keys(),
  ];
  const folders = Object.groupBy(all, (path) => path.slice(0, path.lastIndexOf('/')));
  expect(Object.entries(folders).filter(([, files]) => files!.length > 22)).toEqual([]);
});

test('every docstring stands alone', () => {
  expect(
    [...sources].flatMap(([path, text]) =>
      /\/\*\* The same\b(?! specification)/.test(text) ? [path] : [],
    ),
  ).toEqual([]);
});

test('what differs between the database engines stands side by side: few files ask which one it is', () => {
  const asking = [...readSources('packages/server/src/**/*.ts')]
    .filter(([, text]) => /\bengineOf\(/.test(text))
    .map(([path]) => path);
  expect(asking.length).toBeLessThanOrEqual(15);
});

test('how long a day, an hour and a minute are is said once', () => {
  const declared = [...readSources('packages/*/src/**/*.{ts,tsx}')]
    .filter(([, text]) => /^(?:export )?const (?:DAY|HOUR|MINUTE)_MS\b/m.test(text))
    .map(([path]) => path);
  // What explains signatures is packed on its own.
  expect(declared).toEqual([
    'packages/contract/src/time/durations.ts',
    'packages/sdk/src/diagnosis/variants/dates.ts',
  ]);
});
