import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TRIES } from './completion-tries.ts';
import { createInstallation, type Installation } from '../../support/command.ts';

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
