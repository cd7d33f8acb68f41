import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { run } from '../../packages/server/src/interfaces/cli/main.ts';
import type { SecretInput } from '../../packages/server/src/interfaces/cli/secret-input.ts';
import type { Clock } from '../../packages/server/src/platform/kernel/clock.ts';

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The one JSON value of `--json`. */
  json(): any;
}

/** The command line on an embedded installation of its own, in this process. */
export interface Installation {
  readonly folder: string;
  readonly environment: Record<string, string>;
  helioport(...args: readonly string[]): Promise<Outcome>;
  /** The same with something to read: text, or a terminal at which lines are typed. */
  helioportWith(input: SecretInput, ...args: readonly string[]): Promise<Outcome>;
  /** The JSON value of a command that succeeds without a word beside it. */
  ok(...args: readonly string[]): Promise<any>;
  remove(): void;
}

export function createInstallation(
  environment: Record<string, string> = {},
  clock?: Clock,
): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-installation-'));
  const call = async (args: readonly string[], secretInput?: SecretInput): Promise<Outcome> => {
    const out: string[] = [];
    const notes: string[] = [];
    const exitCode = await run(args, {
      environment,
      folder,
      write: (text) => void out.push(text),
      writeNote: (text) => void notes.push(text),
      ...(clock && { clock }),
      ...(secretInput && { secretInput }),
    });
    const stdout = out.join('\n');
    return {
      exitCode,
      stdout,
      stderr: notes.join('\n'),
      json: () => JSON.parse(stdout) as unknown,
    };
  };
  const helioport: Installation['helioport'] = (...args) => call(args);
  return {
    folder,
    environment,
    helioport,
    helioportWith: (input, ...args) => call(args, input),
    async ok(...args) {
      const outcome = await helioport(...args, '--json');
      expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
      return outcome.json();
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Has the installation a database and a master key, by making a key pair. */
export async function makeKey(home: Installation): Promise<void> {
  await home.ok(
    'user',
    'add',
    '--email',
    'owner@example.org',
    '--role',
    'owner',
    '--password',
    'kestrel meadow 42',
  );
  await home.ok('key', 'create', '--user', 'owner@example.org');
}
