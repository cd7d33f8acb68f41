import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Why programs cannot be run: the first that is not installed, or that root is needed; undefined if they can. */
export function lacks(...programs: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const absent = programs.find((name) => !folders.some((folder) => existsSync(join(folder, name))));
  if (absent !== undefined) return `${absent} is not installed`;
  return process.getuid?.() === 0 ? undefined : 'only root can';
}

/** Runs a program; returns what it prints. Throws with what it said if it fails. */
export function run(program: string, ...args: readonly string[]): string {
  // What this machine trusts is not on the other one.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    env,
  });
}
