import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn } from '../../packages/server/src/identity/accounts/log-in.ts';
import type { SecretInput } from '../../packages/server/src/interfaces/cli/secret-input.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { createInstallation, type Installation } from '../support/command.ts';

const PASSPHRASE = 'sun on the barn roof';

const piped = (text: string): SecretInput => ({ stream: Readable.from([text]), ask: () => {} });

/** A terminal at which each question is answered with the next line; `shown` is what stood on the screen. */
function terminal(...lines: string[]): SecretInput & { readonly shown: string[] } {
  const stream = Object.assign(new PassThrough(), { isTTY: true });
  const shown: string[] = [];
  return {
    stream,
    shown,
    ask(question) {
      shown.push(question);
      if (question !== '\n') setImmediate(() => stream.write(`${lines.shift()}\r`));
    },
  };
}

describe('a password on the command line', () => {
  let home: Installation;
  beforeAll(() => {
    home = createInstallation();
  });
  afterAll(() => home.remove());

  async function opens(email: string, password: string): Promise<boolean> {
    const storage = openStorage(`${home.folder}/data/helioport.db`);
    const act = { at: systemClock.now(), address: null, newId: createIdSource(systemClock) };
    const opened = await logIn(storage.db, act, { email, password }).then(
      () => true,
      () => false,
    );
    await storage.close();
    return opened;
  }

  test('of less than ten characters, or one that everybody tries first, is refused', async () => {
    for (const [password, expected] of [
      ['1', '10 to 1024 characters'],
      ['', '10 to 1024 characters'],
      ['123456789', '10 to 1024 characters'],
      ['🔆'.repeat(9), '10 to 1024 characters'],
      ['x'.repeat(1025), '10 to 1024 characters'],
      ['1234567890', 'not among the most common'],
      ['Password123', 'not among the most common'],
      ['qwertyuiop', 'not among the most common'],
    ]) {
      const { exitCode, stderr } = await home.helioport(
        'user',
        'add',
        '--email',
        'weak@example.com',
        '--password',
        password!,
      );
      expect([exitCode, stderr.includes(expected!)]).toEqual([2, true]);
    }
    expect(await home.ok('user', 'list')).toEqual([]);
  });

  test('may come from standard input, without the line break at its end', async () => {
    const added = await home.helioportWith(
      piped(`${PASSPHRASE}\n`),
      'user',
      'add',
      '--email',
      'piped@example.com',
      '--password',
      '-',
      '--json',
    );
    expect(added).toMatchObject({ exitCode: 0, stderr: '' });
    expect(added.stdout).not.toContain(PASSPHRASE);
    expect(await opens('piped@example.com', PASSPHRASE)).toBe(true);
    await home.helioportWith(
      piped('another on the roof'),
      'user',
      'password',
      'piped@example.com',
      '--password',
      '-',
    );
    expect([
      await opens('piped@example.com', PASSPHRASE),
      await opens('piped@example.com', 'another on the roof'),
    ]).toEqual([false, true]);
  });

  test('may be typed at a terminal, twice, and is not shown', async () => {
    const typed = terminal(PASSPHRASE, PASSPHRASE);
    const added = await home.helioportWith(
      typed,
      'user',
      'add',
      '--email',
      'typed@example.com',
      '--password',
      '-',
    );
    expect(added.exitCode).toBe(0);
    expect(typed.shown).toEqual(['Password: ', '\n', 'Password again: ', '\n']);
    expect(await opens('typed@example.com', PASSPHRASE)).toBe(true);
  });

  test('typed otherwise the second time, empty, or asked for where nobody can answer, makes no account', async () => {
    for (const [input, said] of [
      [terminal(PASSPHRASE, 'something else'), 'the two passwords differ'],
      [piped(''), 'no password was given'],
      [piped('\n'), 'no password was given'],
    ] as const) {
      const { exitCode, stderr } = await home.helioportWith(
        input,
        'user',
        'add',
        '--email',
        'nobody@example.com',
        '--password',
        '-',
      );
      expect([exitCode, stderr]).toEqual([1, `helioport: ${said}`]);
    }
    expect(
      (await home.helioport('user', 'add', '--email', 'nobody@example.com', '--password', '-'))
        .exitCode,
    ).toBe(1);
    expect(
      (await home.ok('user', 'list')).map(({ email }: { email: string }) => email),
    ).not.toContain('nobody@example.com');
  });
});
