import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readMasterKey } from '../../../../platform/config/master-key.ts';
import { CliUsageFault } from '../faults.ts';

export const newKey = (): Uint8Array => randomBytes(32);

/** The key in a file that was named. Throws UsageFault if there is none. */
export function keyIn(file: string): Uint8Array {
  const key = readMasterKey(file);
  if (!key) throw new CliUsageFault(`there is no file ${file}`);
  return key;
}

/** Puts a key into the place of another, completely or not at all. @param aside what the other is kept as; null = nowhere */
export function replaceKeyFile(file: string, key: Uint8Array, aside: string | null): void {
  const made = `${file}.new`;
  writeFileSync(made, `${Buffer.from(key).toString('base64')}\n`, { mode: 0o600, flush: true });
  if (aside !== null && existsSync(file)) renameSync(file, aside);
  renameSync(made, file);
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
