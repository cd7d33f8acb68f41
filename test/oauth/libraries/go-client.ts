import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { converse, type Third } from './third-party.ts';

const SOURCE = fileURLToPath(new URL('./go-client/', import.meta.url));
const PROGRAM = join(
  fileURLToPath(new URL('../../../.cache/', import.meta.url)),
  'go-oauth-client',
);

const run = promisify(execFile);

/** The program, built once by the go tool chain; undefined, with a word about it, where that cannot be had. */
export async function goToolchain(): Promise<string | undefined> {
  try {
    await run('go', ['build', '-o', PROGRAM, '.'], { cwd: SOURCE, timeout: 180_000 });
    return PROGRAM;
  } catch {
    console.log('skipped: the client library of Go (the go tool chain or its modules are missing)');
    return undefined;
  }
}

export const runGoClient = (
  program: string,
  third: Third,
  approve: (address: string) => Promise<string>,
): Promise<any> =>
  converse(
    spawn(program, [third.url, third.clientId, third.clientSecret, third.redirectUri]),
    approve,
  );
