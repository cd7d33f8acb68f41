import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('../../scripts/release.mjs', import.meta.url));

/** Builds what is published into a folder, as of a fixed time, which needs no git history. */
export async function release(folder: string, ...args: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [SCRIPT, '--to', folder, ...args], {
    env: { ...process.env, SOURCE_DATE_EPOCH: '1790000000' },
    maxBuffer: 64 * 1024 * 1024,
  });
}
