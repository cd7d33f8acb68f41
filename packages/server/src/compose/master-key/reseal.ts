import { createSecretBox, type KeyRing } from '../../platform/kernel/secrets.ts';
import type { Db, UntypedDb } from '../../platform/storage/database.ts';
import { MasterKeyFault } from '../../platform/storage/checks/master-key-check.ts';
import { sealedColumns, type SealedColumn, type SealedRow } from './sealed-columns.ts';

const ROWS_AT_ONCE = 200;

/**
 * Encrypts everything with the newest key of a ring that is not yet. May be repeated, and interrupted at any time; what others change meanwhile is
 * theirs. Returns how many values it has encrypted.
 */
export async function reseal(db: Db, ring: KeyRing): Promise<number> {
  let count = 0;
  // Others may still have written with the former key during the first round.
  for (let more = -1; more !== 0; count += more) {
    more = 0;
    for (const column of sealedColumns) more += await resealColumn(db as UntypedDb, ring, column);
  }
  return count;
}

async function resealColumn(
  db: UntypedDb,
  ring: KeyRing,
  { table, column, key, context }: SealedColumn,
): Promise<number> {
  const newest = createSecretBox(ring.current);
  let count = 0;
  let last: SealedRow | undefined;
  for (;;) {
    let query = db
      .selectFrom(table)
      .select([...key, column])
      .where(column, 'is not', null);
    for (const name of key) query = query.orderBy(name);
    if (last) {
      const after = last;
      query = query.where((eb) =>
        eb(
          eb.refTuple(...(key as [string, string])),
          '>',
          eb.tuple(...(key.map((name) => after[name]) as [unknown, unknown])),
        ),
      );
    }
    const rows: SealedRow[] = await query.limit(ROWS_AT_ONCE).execute();
    for (const row of rows) {
      const bound = context(row);
      const sealed = row[column] as Uint8Array;
      if (bound === undefined || sealed.length === 0 || opens(newest, sealed, bound)) continue;
      const plain = openWith(ring, sealed, bound, `${table} ${String(row[key[0]!])}`);
      let update = db.updateTable(table).set({ [column]: newest.seal(plain, bound) });
      for (const name of [...key, column]) update = update.where(name, '=', row[name]);
      await update.execute();
      count += 1;
    }
    last = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE) return count;
  }
}

function opens(box: ReturnType<typeof createSecretBox>, sealed: Uint8Array, context: string) {
  try {
    box.open(sealed, context);
    return true;
  } catch {
    return false;
  }
}

function openWith(ring: KeyRing, sealed: Uint8Array, context: string, what: string): string {
  try {
    return ring.open(sealed, context);
  } catch {
    throw new MasterKeyFault(
      `the secret of ${what} is encrypted with neither key: remove it, then repeat the command`,
    );
  }
}
