import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { createSleepers } from './sleepers.ts';
import type { WakeUps } from './port.ts';

// How often the version is read, which takes a few microseconds.
const POLL_MS = 100;

/** Notices commits by other connections and processes from a version number that SQLite maintains for this purpose. */
export function createSqliteWakeUps(file: string): WakeUps {
  const sleepers = createSleepers();
  let connection: DatabaseSync | undefined;
  let statement: StatementSync | undefined;
  let version: unknown;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    try {
      connection ??= new DatabaseSync(file, { readOnly: true, timeout: 0 });
      statement ??= connection.prepare('pragma data_version');
      const { data_version: seen } = statement.get() as { data_version: number };
      if (seen === version) return;
      version = seen;
      sleepers.wakeAll();
    } catch {
      // The database is missing, or busy with something that blocks readers: the next check decides.
    }
  }

  return {
    on(topic, wake) {
      timer ??= setInterval(look, POLL_MS).unref();
      return sleepers.add(topic, wake);
    },
    async close() {
      clearInterval(timer);
      connection?.close();
    },
  };
}
