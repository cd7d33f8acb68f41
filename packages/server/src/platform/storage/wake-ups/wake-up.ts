import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { engineOf, type Engine } from '../engine.ts';
import type { WakeUps } from './port.ts';
import { CHANNEL, createPostgresWakeUps } from './postgres.ts';
import { createSqliteWakeUps } from './sqlite.ts';

/** Creates the wake-ups of a database. They open a connection of their own once somebody waits. */
export const createWakeUps = (engine: Engine, address: string): WakeUps =>
  engine === 'postgres' ? createPostgresWakeUps(address) : createSqliteWakeUps(address);

/**
 * Wakes those who wait for the topic when the transaction commits. On PostgreSQL this is a statement, and transactions that use it commit
 * one after the other, so it must not be used for every report. On SQLite each commit wakes everybody anyway, and this does nothing.
 */
export async function wakeUp(trx: Db, topic: string): Promise<void> {
  if (engineOf(trx) === 'postgres') await sql`select pg_notify(${CHANNEL}, ${topic})`.execute(trx);
}
