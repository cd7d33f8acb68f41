import { StorageAway } from './away.ts';

/** The database cannot be used; the message tells the person who runs the command why, in one sentence. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
}

const DAMAGED = 'the database file is damaged: put a backup in its place with helioport restore';

/** The fault to report when pages of the embedded database are damaged. */
export const damagedDatabase = (cause: unknown): DatabaseFault =>
  new DatabaseFault(DAMAGED, { cause });

// Result codes of SQLite: https://sqlite.org/rescode.html
const SQLITE: Readonly<Record<number, string>> = {
  5: 'the database is locked by another process',
  8: 'the database file cannot be written',
  11: DAMAGED,
  13: 'the disk is full',
  14: 'the database file cannot be opened',
  26: 'the database file is not a database of Helioport',
};

// Error codes of the socket and of PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html
const POSTGRES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the database cannot be reached (connection refused)',
  ECONNRESET: 'the database closed the connection',
  ETIMEDOUT: 'the database cannot be reached (no answer)',
  EHOSTUNREACH: 'the database cannot be reached (no route)',
  ENOTFOUND: 'the database cannot be reached (unknown host name)',
  EAI_AGAIN: 'the database cannot be reached (the host name cannot be looked up)',
  '28P01': 'the database refuses the user name or the password',
  '28000': 'the database refuses the user',
  '3D000': 'the database does not exist: create it first',
  '42501': 'the database user lacks a permission',
  '53100': 'the disk of the database is full',
  '53300': 'the database accepts no more connections',
  '57P03': 'the database is starting up',
  '25006': 'the database is read-only',
};

/** The fault for a driver's error; undefined if there is no sentence for it. */
export function databaseFaultOf(error: unknown): DatabaseFault | undefined {
  const { code, errcode, message } = (
    error instanceof StorageAway && error.cause ? error.cause : (error ?? {})
  ) as {
    code?: unknown;
    errcode?: unknown;
    message?: unknown;
  };
  const sentence =
    code === 'ERR_SQLITE_ERROR' ? SQLITE[Number(errcode) & 0xff] : POSTGRES[String(code)];
  if (sentence !== undefined) return new DatabaseFault(sentence, { cause: error });
  // The driver has no code for this error.
  return message === 'timeout exceeded when trying to connect'
    ? new DatabaseFault('the database cannot be reached (no answer)', { cause: error })
    : undefined;
}
