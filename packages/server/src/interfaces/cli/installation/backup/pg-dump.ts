import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CliCommandFault } from '../faults.ts';

/** Writes a PostgreSQL database into a file, in the form that `pg_restore` reads. @throws CliCommandFault */
export async function pgDump(
  address: string,
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  try {
    const env = { ...environment, ...variablesOf(address) };
    await promisify(execFile)('pg_dump', ['--format=custom', '--no-password', '--file', file], {
      env,
    });
  } catch (error) {
    const { code, stderr, message } = error as Error & { code?: unknown; stderr?: string };
    throw new CliCommandFault(
      code === 'ENOENT'
        ? 'pg_dump is not installed: it is in the package postgresql-client'
        : `pg_dump failed: ${(stderr ?? message).trim()}`,
    );
  }
}

/** What libpq reads instead of an address, which others could see among the arguments of a process. */
function variablesOf(address: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(address);
  const given = {
    PGHOST: hostname.replace(/^\[|\]$/g, ''),
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    ...Object.fromEntries(
      [...searchParams].map(([name, value]) => [`PG${name.toUpperCase()}`, value]),
    ),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
}
