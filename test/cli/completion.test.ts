import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../support/command.ts';

const TRIES: readonly (readonly [typed: readonly string[], offered: readonly string[]])[] = [
  [['pl'], ['plant']],
  [
    ['plant', 'tariff', ''],
    ['set', 'list', 'remove'],
  ],
  [['plant', 'add', '--o'], ['--owner']],
  [
    ['--config', 'plant', 'device', 'add', '--kind', ''],
    ['inverter', 'epm', 'weather', 'ammeter'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['restore', 'back'], ['backup-1']],
  [['user', 'add', '--json', '--role', 'op'], ['operator']],
];

let home: Installation;
beforeAll(() => {
  home = createInstallation();
  writeFileSync(join(home.folder, 'backup-1'), '');
});
afterAll(() => home.remove());

const scriptOf = async (shell: string): Promise<string> => {
  const { exitCode, stdout, stderr } = await home.helioport('completion', shell);
  expect([exitCode, stderr]).toEqual([0, '']);
  const file = join(home.folder, `completion.${shell}`);
  writeFileSync(file, stdout);
  return file;
};
const quoted = (word: string): string => `'${word}'`;
const has = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined;

describe('completion of a shell that is not there', () => {
  test('is wrong usage', async () => {
    const { exitCode, stderr } = await home.helioport('completion', 'tcsh');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});

describe('completion in bash', () => {
  test.each(TRIES)('%j is completed to %j', async (typed, offered) => {
    const file = await scriptOf('bash');
    const words = ['helioport', ...typed];
    const lines = [
      `source ${file}`,
      `COMP_WORDS=(${words.map(quoted).join(' ')}); COMP_CWORD=${words.length - 1}; _helioport`,
      `printf '%s\\n' "\${COMPREPLY[@]}"`,
    ];
    const printed = execFileSync('bash', ['--norc', '-c', lines.join('\n')], {
      cwd: home.folder,
      encoding: 'utf8',
    });
    expect(printed.trim().split('\n')).toEqual(offered);
  });
});

describe.runIf(has('fish'))('completion in fish', () => {
  test.each(TRIES)('%j is completed to %j', async (typed, offered) => {
    const file = await scriptOf('fish');
    const line = ['helioport', ...typed].join(' ');
    const printed = execFileSync('fish', ['-N', '-c', `source ${file}; complete -C'${line}'`], {
      cwd: home.folder,
      encoding: 'utf8',
      env: { ...process.env, HOME: home.folder },
    });
    const words = printed
      .trim()
      .split('\n')
      .map((one) => one.split('\t')[0]);
    expect(words.toSorted()).toEqual(offered.toSorted());
  });
});
