// Errors of PostgreSQL that no longer occur once the database is back, has space, is the leader again or is less busy
// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
const SQLSTATES = new RegExp(
  `^(${[
    '08', // connection exceptions
    '25006', // read-only: a standby, or a leader that is stepping down
    '25P03', // idle in transaction for too long
    '25P04', // a transaction took too long
    '28', // the user is refused
    '3D000', // the database does not exist: it is being renamed or restored
    '40001', // ended so that another transaction could continue
    '40P01',
    '53', // too many connections, disk or memory full
    '55000', // accepts no connections
    '55P03', // waited too long for a lock
    '57', // shutting down, starting up, or a statement took too long
    '58030', // input or output failed
  ].join('|')})`,
);
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
// Messages of errors for which the driver has no code.
const MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed) and is not queryable)/;
// SQLite's BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN and PROTOCOL, as the low byte of an extended code.
const SQLITE = new Set([5, 6, 8, 10, 13, 14, 15]);

/** The database did not answer in time; whether it carried out the request is unknown. */
export class StorageAway extends Error {
  readonly code = 'ETIMEDOUT';
}

/** Rows that were read before locking have changed since: the transaction must start over. */
export class Overtaken extends Error {
  // PostgreSQL's code for a serialization failure.
  readonly code = '40001';
}

/** Whether a transaction was ended, or ended itself, so that others could continue: it can be repeated at once. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof Error && /^(40001|40P01)$/.test(String((error as { code?: unknown }).code));

/** Whether a query failed because the database is unavailable, full, read-only or overloaded, so that a retry may work a little later. */
export function isStorageAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && SQLITE.has(errcode & 0xff);
  if (typeof code === 'string') return NETWORK.has(code) || SQLSTATES.test(code);
  return MESSAGES.test(error.message);
}
