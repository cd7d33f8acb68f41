// PostgreSQL: connection exceptions, shutting down or starting up, too many connections, disk or memory full, and a transaction that
// was ended so that another could go on. SQLSTATE classes 08, 53, 57P, and 40001, 40P01.
const SQLSTATES = /^(08|53|57P|40001|40P01)/;
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH']);
// What pg says without a code.
const MESSAGES = /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;
// SQLite: BUSY, LOCKED, IOERR, FULL, CANTOPEN; the low byte of an extended code.
const SQLITE = new Set([5, 6, 10, 13, 14]);

/** What was read before a lock is no longer so after it: the transaction is to begin anew. */
export class Overtaken extends Error {
  // A serialization failure, as the engine would name it.
  readonly code = '40001';
}

/** Whether a transaction was ended, or ended itself, so that others could go on: the same works at once. */
export const isOvertaken = (error: unknown): boolean => error instanceof Error && /^(40001|40P01)$/.test(String((error as { code?: unknown }).code));

/** Whether a query failed because the database is away, full or overrun, so that the same may work a little later. */
export function isStorageAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && SQLITE.has(errcode & 0xff);
  if (typeof code === 'string') return NETWORK.has(code) || SQLSTATES.test(code);
  return MESSAGES.test(error.message);
}
