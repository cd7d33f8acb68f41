import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadProgram } from '../../../packages/server/src/interfaces/cli/main.ts';
import { createInstallation, type Installation, type Outcome } from '../../support/command.ts';
import { commandRows, type CommandRow } from './every-command.ts';

type Command = Awaited<ReturnType<typeof loadProgram>>;
const leaves = (command: Pick<Command, 'commands'>, path = ''): string[] =>
  command.commands.length === 0
    ? [path]
    : command.commands.flatMap((one) => leaves(one, `${path} ${one.name()}`.trim()));
const names = leaves(await loadProgram());
const rows = names
  .filter((name) => name in commandRows)
  .map((name): [string, CommandRow] => [name, commandRows[name]!]);

let home: Installation;
beforeEach(() => {
  home = createInstallation();
});
afterEach(() => home.remove());

const call = (name: string, args: string, ...more: string[]): Promise<Outcome> =>
  home.helioport(...name.split(' '), ...args.split(' ').filter(Boolean), ...more);

/** What a command that failed has said with `--json`: nothing on standard output, and its last line is the error. */
function errorOf({ stdout, stderr, exitCode }: Outcome): { code: string; message: string } {
  expect(stdout).toBe('');
  const { error } = JSON.parse(stderr.split('\n').at(-1)!) as { error: any };
  expect(error).toEqual({
    code: expect.stringMatching(/^[a-zA-Z]+$/),
    message: expect.stringMatching(/\S/),
    exitCode,
    ...(error.data !== undefined && { data: expect.anything() }),
  });
  return error;
}

test('every command has a row, and every row a command', () => {
  expect(Object.keys(commandRows).toSorted()).toEqual(names.toSorted());
});

describe.each(rows)('helioport %s', (name, { args, exitCode, alone = false }) => {
  test('that is used wrongly ends with 2 and says so in JSON', async () => {
    // What `collect` is given belongs to the collector's own program.
    if (name === 'collect') return;
    const outcome = await call(name, args, '--nonsense', '--json');
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toMatchObject({ code: 'usage' });
  });

  test('makes no database in a folder that has none, unless it begins an installation', async () => {
    const outcome = await call(name, args, '--json');
    if (alone) expect(outcome.exitCode).toBe(exitCode);
    else {
      expect(outcome.exitCode).toBe(1);
      expect(errorOf(outcome).message).toMatch(/^there is no database in/);
    }
    if (!/^(migrate|user add|app create)$/.test(name)) expect(readdirSync(home.folder)).toEqual([]);
  });

  test(`ends with ${exitCode} for what is not there, and blames no permission`, async () => {
    await home.ok('migrate');
    const outcome = await call(name, args, '--json');
    expect({ exitCode: outcome.exitCode, stderr: outcome.stderr }).toMatchObject({ exitCode });
    if (exitCode === 0) return;
    expect(errorOf(outcome).message).not.toMatch(/permission/);
  });
});
