import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import {
  AT_FULL_COUNT,
  BESIDE_PROOFS,
  isOnOneEngine,
  ON_ONE_ENGINE,
  NOT_BRIEFLY,
} from './tiers.ts';

/** What can differ on the second engine. */
const DIFFERS =
  /races|together|at-once|lock|plans|statements|crash|kill|migrations|\bfaults\/|\bstorage\/|\bseries\/|\bprove\//;

const files = globSync('**/*.{test,prove}.ts', { cwd: import.meta.dirname }).map((path) =>
  path.replaceAll('\\', '/'),
);
const listed = Object.values(ON_ONE_ENGINE).flat();
const textOf = (path: string): string =>
  readFileSync(new URL(path, import.meta.url), 'utf8').replaceAll(
    /\/\*[\s\S]*?\*\/|\/\/ .*$/gm,
    '',
  );

/** Whether a file, or a scene that it imports, has a suite on both engines. */
const isOnBoth = (path: string): boolean =>
  [path, ...scenesOf(path)].some((each) => textOf(each).includes('describeEngines'));

const scenesOf = (path: string): string[] =>
  [...textOf(path).matchAll(/from '(\.[^']*\/(?:fixture|scene|wire)\.ts)'/g)].map(([, scene]) =>
    posix.join(posix.dirname(path), scene!),
  );

test('what runs on one engine per commit exists, once, has a suite on both, and is nothing that can differ there', () => {
  expect(listed.filter((path) => !files.includes(path))).toEqual([]);
  expect(listed.length).toBe(new Set(listed).size);
  expect(listed.filter((path) => !isOnBoth(path))).toEqual([]);
  expect(listed.filter((path) => DIFFERS.test(path))).toEqual([]);
  for (const paths of Object.values(ON_ONE_ENGINE)) expect(paths).toEqual(paths.toSorted());
});

test('all others on both engines run on both per commit: nothing but the list leaves one out', () => {
  for (const path of files)
    expect(isOnOneEngine(`/anywhere/test/${path}`)).toBe(listed.includes(path));
  const engines = readFileSync(new URL('support/engines.ts', import.meta.url), 'utf8');
  expect(engines.match(/isOnOneEngine\(/g)).toHaveLength(1);
});

test('what runs at full count in the proofs exists, and counts', () => {
  for (const path of NOT_BRIEFLY)
    expect(globSync(path, { cwd: import.meta.dirname })).not.toEqual([]);
  expect(AT_FULL_COUNT.filter((path) => !files.includes(path))).toEqual([]);
  expect(AT_FULL_COUNT.filter((path) => !/effort\(|proving/.test(textOf(path)))).toEqual([]);
});

test('npm test leaves out what is listed and the proofs; the brief round of proofs has what is listed', () => {
  const beside = Object.values(BESIDE_PROOFS).flat();
  expect(beside.filter((path) => !files.includes(path))).toEqual([]);
  const found = (config: string, environment: Record<string, string>): string[] => {
    const printed = execFileSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json', `--config=${config}`],
      {
        cwd: `${import.meta.dirname}/..`,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], ...environment },
      },
    );
    return (JSON.parse(printed) as { file: string }[])
      .map(({ file }) => file.slice(import.meta.dirname.length + 1))
      .toSorted();
  };
  const proofs = files.filter((path) => path.endsWith('.prove.ts'));
  const perCommit = files.filter((path) => !proofs.includes(path) && !beside.includes(path));
  expect(found('vitest.config.ts', { HELIOPORT_TEST_ALL: '1' })).toEqual(perCommit.toSorted());
  expect(found('vitest.prove.config.ts', { HELIOPORT_PROVE: 'brief' })).toEqual(
    expect.arrayContaining(beside),
  );
}, 120_000);

test('what a test waits for has a limit of its own: the usual second is little on a busy machine', () => {
  const waits = [...globSync('**/*.ts', { cwd: import.meta.dirname })].flatMap((path) =>
    textOf(path.replaceAll('\\', '/'))
      .split(/\bvi\.wait(?:For|Until)\(/)
      .slice(1)
      .map((rest) => [path, argumentsOf(rest)] as const),
  );
  expect(waits.length).toBeGreaterThan(30);
  const limit = /(?:_000|LONG|SOON|RESTART\b.*|[tT]imeout\b.*|[A-Z]+_MS)\s*[,}\s]*$/s;
  expect(waits.filter(([, given]) => !limit.test(given))).toEqual([]);
});

/** Limits below 20 s, and why a busy machine does no harm to them. */
const SHORT_LIMITS: Readonly<Record<string, string>> = {
  'mqtt/several.test.ts': 'sooner than it would come anyway',
  'portal/manage.test.ts': 'is tried again',
  'portal/navigation/addresses.test.ts': 'is tried again',
  'processes/endings.test.ts': 'sooner than it would come anyway',
  'processes/together.test.ts': 'sooner than it would come anyway',
  'prove/mqtt-kill.prove.ts': 'is tried again',
};

test('what is polled or looked for is waited for at least 20 s, too', () => {
  const short = /\b(?:timeout|connectTimeout): (?:\d{1,4}|1?\d_\d{3})\b(?! \*)/;
  const found = globSync('**/*.ts', { cwd: import.meta.dirname })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) =>
      [
        ...textOf(path).matchAll(
          /expect\s*\.poll\(|\.(?:click|fill|inputValue|isChecked|waitFor\w*)\(|connectAsync\(/g,
        ),
      ]
        .map(({ index, 0: call }) => argumentsOf(textOf(path).slice(index + call.length)))
        .some((given) => short.test(given)),
    );
  expect(found.toSorted()).toEqual(Object.keys(SHORT_LIMITS));
});

/** What stands before the bracket that closes. */
function argumentsOf(text: string): string {
  let depth = 1;
  let end = 0;
  for (; end < text.length && depth > 0; end++)
    depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
  return text.slice(0, end - 1);
}
