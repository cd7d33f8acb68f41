import { sql } from 'kysely';
import type { Db } from '../../platform/storage/database.ts';
import { engineOf } from '../../platform/storage/engine.ts';
import type { Series } from './port.ts';

/** What rows a change is of: samples of a device, or roll-ups of a binding. */
export const CHANGED = { samples: 1, days: 2, months: 3 } as const;
export type ChangedKind = keyof typeof CHANGED;

/** A key beyond all instants, days and months. */
export const LAST_KEY = Number.MAX_SAFE_INTEGER;

/** The rows that an attempt writes while the series are being copied, so that the copy brings them once more. */
export interface Changes {
  /** The engine, noting what is written. */
  readonly series: Series;
  /** Notes rows from one key to another, both included. */
  note(kind: ChangedKind, subject: number, fromKey: number, toKey: number): void;
  /** Whether nothing was written or noted. */
  isEmpty(): boolean;
  /** Stores what was noted, together with the attempt. */
  store(trx: Db): Promise<void>;
}

interface Stretch {
  readonly kind: ChangedKind;
  readonly subject: number;
  fromKey: number;
  toKey: number;
}

// SQLite accepts a limited number of values in a statement.
const ROWS_AT_ONCE = 1_000;

export function noteChanges(engine: Series): Changes {
  const stretches = new Map<string, Stretch>();
  const note = (kind: ChangedKind, subject: number, fromKey: number, toKey = fromKey): void => {
    const name = `${CHANGED[kind]} ${subject}`;
    const stretch = stretches.get(name);
    if (!stretch) stretches.set(name, { kind, subject, fromKey, toKey });
    else
      Object.assign(stretch, {
        fromKey: Math.min(fromKey, stretch.fromKey),
        toKey: Math.max(toKey, stretch.toKey),
      });
  };
  return {
    series: {
      ...engine,
      put(db, rows) {
        for (const { seriesId, sample } of rows.samples ?? []) note('samples', seriesId, sample.at);
        for (const { binding, day } of rows.days ?? []) note('days', binding, day);
        for (const { binding, month } of rows.months ?? []) note('months', binding, month);
        return engine.put(db, rows);
      },
      remove(db, binding, gone) {
        for (const day of gone.days ?? []) note('days', binding, day);
        for (const month of gone.months ?? []) note('months', binding, month);
        return engine.remove(db, binding, gone);
      },
    },
    note,
    isEmpty: () => stretches.size === 0,
    async store(trx) {
      const rows = [...stretches.values()].map(({ kind, subject, fromKey, toKey }) => ({
        kind: CHANGED[kind],
        subject,
        taken: 0,
        fromKey,
        toKey,
      }));
      // In one order, so that two attempts never deadlock.
      rows.sort((a, b) => a.kind - b.kind || a.subject - b.subject);
      for (let done = 0; done < rows.length; done += ROWS_AT_ONCE)
        await mergeChanges(trx, rows.slice(done, done + ROWS_AT_ONCE));
    },
  };
}

interface ChangeRow {
  readonly kind: number;
  readonly subject: number;
  readonly taken: number;
  readonly fromKey: number;
  readonly toKey: number;
}

/** Stores stretches; one that is stored already is widened. */
export async function mergeChanges(db: Db, rows: readonly ChangeRow[]): Promise<void> {
  const [least, greatest] = (
    engineOf(db) === 'postgres' ? ['least', 'greatest'] : ['min', 'max']
  ).map((name) => sql.raw(name));
  await db
    .insertInto('seriesChange')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subject', 'taken']).doUpdateSet({
        fromKey: sql<number>`${least}("seriesChange"."fromKey", excluded."fromKey")`,
        toKey: sql<number>`${greatest}("seriesChange"."toKey", excluded."toKey")`,
      }),
    )
    .execute();
}
