import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { engineOf, type Engine } from '../engine.ts';
import type { WakeUps } from './port.ts';
import { CHANNEL, createPostgresWakeUps } from './postgres.ts';
import { createSqliteWakeUps } from './sqlite.ts';

/** Opens a connection of its own when somebody waits. */
export const createWakeUps = (engine: Engine, address: string): WakeUps =>
  engine === 'postgres' ? createPostgresWakeUps(address) : createSqliteWakeUps(address);

/**
 * Wakes who waits for the topic when the transaction commits. On PostgreSQL a statement, and transactions that wake commit one after
 * the other: not for what comes with every report. On SQLite each commit wakes everybody, and this costs nothing.
 */
export async function wakeUp(trx: Db, topic: string): Promise<void> {
  if (engineOf(trx) === 'postgres') await sql`select pg_notify(${CHANNEL}, ${topic})`.execute(trx);
}
