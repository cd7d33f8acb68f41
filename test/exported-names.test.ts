import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSources } from '../lint/sources.ts';

/** Names that stand in several modules on purpose, each with the reason. */
const SHARED: readonly (readonly [reason: string, ...names: string[]])[] = [
  ['each address of the portal loads its page by this name (app/screens.tsx)', 'Screen'],
  ['each folder of texts has the same modules: the type, one of each language, all', 'Texts', 'texts', 'de', 'en', 'es', 'zh'], // prettier-ignore
  ['the same words in each language', 'alarmWords', 'deviceAdvice', 'lossWords'],
  ['SDK, collector and server keep time alike, and do not import one another for it', 'Clock', 'systemClock'], // prettier-ignore
  ['the portal ships only types of the contract, and names the same languages', 'Language', 'languages', 'isLanguage'], // prettier-ignore
  ['the parts that the portal’s pages are laid out with are called as everywhere', 'Page', 'Section', 'Form', 'Figures'], // prettier-ignore
  ['the kinds of the contract, as the table of devices has them', 'DeviceKind'],
];

const EXPORT =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

const packageOf = (path: string): string => path.split('/')[1]!;

/** The packages of the workspace that a package imports; a name has one meaning among those that meet. */
const importedBy = (name: string): readonly string[] => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(new URL(`../packages/${name}/package.json`, import.meta.url), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string> | undefined>;
  return Object.keys({ ...dependencies, ...devDependencies }).flatMap(
    (one) => /^@helioport\/(.*)/.exec(one)?.[1] ?? [],
  );
};

test('no name is exported with two meanings', () => {
  const modulesOf = new Map<string, Set<string>>();
  for (const [path, text] of readSources('packages/*/src/**/*.ts', 'packages/*/src/**/*.tsx'))
    for (const [, name] of text.matchAll(EXPORT))
      modulesOf.set(name!, (modulesOf.get(name!) ?? new Set()).add(path));
  expect(modulesOf.size).toBeGreaterThan(3000);

  const imports = new Map(
    [...new Set([...modulesOf.values()].flatMap((paths) => [...paths].map(packageOf)))].map(
      (name) => [name, [name, ...importedBy(name)]],
    ),
  );
  const meet = (a: string, b: string): boolean =>
    a !== b &&
    (imports.get(packageOf(a))!.includes(packageOf(b)) ||
      imports.get(packageOf(b))!.includes(packageOf(a)));
  const twice = [...modulesOf]
    .map(([name, paths]) => ({
      name,
      modules: [...paths].filter((a) => [...paths].some((b) => meet(a, b))),
    }))
    .filter(({ modules }) => modules.length > 0);

  const allowed = new Set(SHARED.flatMap(([, ...names]) => names));
  expect(
    twice
      .filter(({ name }) => !allowed.has(name))
      .map(({ name, modules }) => `${name}: ${modules.join(', ')}`),
  ).toEqual([]);
  // What is listed but stands once is not listed any more.
  const left = new Set(twice.map(({ name }) => name));
  expect([...allowed].filter((name) => !left.has(name))).toEqual([]);
});
