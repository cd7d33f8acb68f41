import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder for its owner alone, and those that it lies in. Does not use the option `recursive`: with it, Node retries forever if an existing folder
 * refuses new ones with ENOENT, as /proc does.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
