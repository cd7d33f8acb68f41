import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TRIES } from '../../cli/whole/completion-tries.ts';
import { createInstallation, type Installation } from '../../support/command.ts';
import { lacks } from './programs.ts';

/** What is asked of each shell, which prints one candidate a line; zsh with its own ways to show them put aside. */
const SHELLS: Readonly<Record<string, (script: string, typed: readonly string[]) => string[]>> = {
  fish: (script, typed) => [
    '-N',
    '-c',
    `source ${script}; complete -C'${['helioport', ...typed].join(' ')}'`,
  ],
  zsh: (script, typed) => [
    '-f',
    '-c',
    `compdef() {}; _message() {}; source ${script}
compadd() { shift; print -l -- \${(M)@:#$words[CURRENT]*} }
_describe() { print -l -- \${(M)\${(@P)2%%:*}:#$words[CURRENT]*} }
_files() { print -l -- $words[CURRENT]*(N) }
words=(${['helioport', ...typed].map((word) => `'${word}'`).join(' ')}); CURRENT=${typed.length + 1}
_helioport`,
  ],
};

describe.each(Object.entries(SHELLS))('completion in %s', (shell, asked) => {
  const missing = lacks(shell);
  if (missing) console.log(`skipped: completion in ${shell} (${missing})`);
  let home: Installation;
  let script: string;
  beforeAll(async () => {
    home = createInstallation();
    writeFileSync(join(home.folder, 'backup-1'), '');
    script = join(home.folder, 'completion');
    writeFileSync(script, (await home.helioport('completion', shell)).stdout);
  });
  afterAll(() => home.remove());

  test.skipIf(missing !== undefined).each(TRIES)('%j is completed to %j', (typed, offered) => {
    const printed = execFileSync(shell, asked(script, typed), {
      cwd: home.folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home.folder },
    });
    const words = printed.trim().split('\n');
    expect(new Set(words.map((one) => one.split(/[\t:]/)[0]))).toEqual(new Set(offered));
  });
});
