import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A Python with packages, in a folder of its own, made once; undefined, with a word about it, where that cannot be had. `needed`: what is skipped then. */
export async function pythonWith(
  name: string,
  packages: readonly string[],
  needed: string,
): Promise<string | undefined> {
  const cache = fileURLToPath(new URL(`../../.cache/python-${name}/`, import.meta.url));
  const python = join(cache, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const options = { timeout: 180_000 };
  try {
    if (!existsSync(join(cache, 'ready'))) {
      await run('python3', ['-m', 'venv', cache], options);
      await run(python, ['-m', 'pip', 'install', '--quiet', ...packages], options);
      await run(
        python,
        ['-c', 'import pathlib, sys; pathlib.Path(sys.argv[1]).touch()', join(cache, 'ready')],
        options,
      );
    }
    return python;
  } catch {
    console.log(`skipped: ${needed} (python3 with venv and pip, or the network, is missing)`);
    return undefined;
  }
}
