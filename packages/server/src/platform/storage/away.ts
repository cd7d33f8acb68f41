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
    '40', // ended so that another transaction could continue, or with an outcome that nobody knows
    '53', // too many connections, disk or memory full
    '55000', // accepts no connections
    '55P03', // waited too long for a lock
    '57', // shutting down, starting up, or a statement took too long
    '58', // errors of the machine: input or output failed
    '72000', // the snapshot of a long read is gone
  ].join('|')})`,
);
// Of the network, of the machine (no more files, ports, memory or space), and of connections that have ended.
const SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTCONN',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EPIPE',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'EADDRNOTAVAIL',
  'ENOBUFS',
  'ENOMEM',
  'EMFILE',
  'ENFILE',
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_SOCKET_CLOSED',
]);
// Messages of errors for which the drivers and kysely have no code, among them those of a server that is stopping.
const MESSAGES = new RegExp(
  `^(${[
    'Connection terminated',
    'Query read timeout',
    'timeout e(xceeded when trying to connect|xpired)$',
    'Client (has encountered a connection error|was closed) and is not queryable',
    'Cannot use a pool after calling end on the pool',
    'The server does not support SSL connections',
    'There was an error establishing an SSL connection',
    'driver has already been destroyed',
    'database is not open',
    'statement has been finalized',
  ].join('|')})`,
);
// SQLite's PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL and NOLFS, as the low byte of an extended code.
const SQLITE = new Set([3, 5, 6, 7, 8, 10, 13, 14, 15, 22]);

/** A store did not answer in time, or cannot be reached; whether it carried out the request is unknown. */
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

/**
 * Whether a request failed because a store is unavailable, full, read-only or overloaded, so that a retry may work a little later. It decides for all
 * engines: what a cluster answers has become SeriesAway, which is one (series/cassandra/faults.ts).
 */
export function isStorageAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode, syscall } = error as {
    code?: unknown;
    errcode?: unknown;
    syscall?: unknown;
  };
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && SQLITE.has(errcode & 0xff);
  // Addresses of one host that all failed, each in its way.
  if (error instanceof AggregateError && error.errors.some(isStorageAway)) return true;
  // A socket in a folder may be missing or forbidden.
  if (syscall === 'connect') return true;
  if (typeof code === 'string' && (SYSTEM.has(code) || SQLSTATES.test(code))) return true;
  return MESSAGES.test(error.message);
}
