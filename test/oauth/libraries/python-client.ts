import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { converse, type Third } from './third-party.ts';

const AUTHLIB = ['authlib==1.9.8', 'requests==2.34.2'];
const CACHE = fileURLToPath(new URL('../../../.cache/python-oauth/', import.meta.url));

const run = promisify(execFile);

/** A Python with authlib in a folder of its own, made once; undefined, with a word about it, where that cannot be had. */
export async function pythonWithAuthlib(): Promise<string | undefined> {
  const python = join(CACHE, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const options = { timeout: 180_000 };
  try {
    if (!existsSync(join(CACHE, 'ready'))) {
      await run('python3', ['-m', 'venv', CACHE], options);
      await run(python, ['-m', 'pip', 'install', '--quiet', ...AUTHLIB], options);
      await run(python, ['-c', 'import pathlib, sys; pathlib.Path(sys.argv[1]).touch()', join(CACHE, 'ready')], options);
    }
    return python;
  } catch {
    console.log('skipped: the client library of Python (python3 with venv and pip, or the network, is missing)');
    return undefined;
  }
}

const SCRIPT = fileURLToPath(new URL('./authlib_client.py', import.meta.url));

export const runPythonClient = (python: string, third: Third, approve: (address: string) => Promise<string>): Promise<any> =>
  converse(
    spawn(python, [SCRIPT, third.url, third.clientId, third.clientSecret, third.redirectUri], { env: { ...process.env, AUTHLIB_INSECURE_TRANSPORT: '1' } }),
    approve,
  );
