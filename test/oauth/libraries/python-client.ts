import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { pythonWith } from '../../support/python.ts';
import { converse, type Third } from './third-party.ts';

/** A Python with authlib; undefined, with a word about it, where that cannot be had. */
export const pythonWithAuthlib = (): Promise<string | undefined> =>
  pythonWith('oauth', ['authlib==1.9.8', 'requests==2.34.2'], 'the client library of Python');

const SCRIPT = fileURLToPath(new URL('./authlib_client.py', import.meta.url));

export const runPythonClient = (
  python: string,
  third: Third,
  approve: (address: string) => Promise<string>,
): Promise<any> =>
  converse(
    spawn(python, [SCRIPT, third.url, third.clientId, third.clientSecret, third.redirectUri], {
      env: { ...process.env, AUTHLIB_INSECURE_TRANSPORT: '1' },
    }),
    approve,
  );
