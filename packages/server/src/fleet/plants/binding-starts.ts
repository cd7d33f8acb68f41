import type { UpdateResult } from 'kysely';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery } from '../../platform/storage/prepare.ts';
import { rowsOf, rowsParameter } from '../../platform/storage/rows-of.ts';
import type { Binding } from './bindings.ts';

/** When a binding first reported, and when it first produced, if it has. */
export interface BindingStart {
  readonly binding: Pick<Binding, 'no' | 'revision'>;
  readonly reportedAt: Instant;
  readonly producedAt: Instant | null;
}

const ROWS_AT_ONCE = 500;

/** Stores the starts that were found, so that they are not searched for again until late readings change them. */
export async function keepBindingStarts(db: Db, starts: readonly BindingStart[]): Promise<void> {
  const rows = starts.map(({ binding: { no, revision }, reportedAt, producedAt }) => ({
    bindingNo: no,
    revision,
    reportedAt,
    producedAt,
  }));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await db
      .insertInto('bindingStart')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict.column('bindingNo').doUpdateSet((e) => ({
          revision: e.ref('excluded.revision'),
          reportedAt: e.ref('excluded.reportedAt'),
          producedAt: e.ref('excluded.producedAt'),
        })),
      )
      .execute();
  }
}

/** A binding, and the instant from which on its readings have changed. */
export type RevisedBinding = readonly [bindingNo: number, changedFromAt: Instant];

/** Notes that readings have changed: unless a binding is known to have produced earlier, its start must be searched for again. */
export async function reviseBindings(trx: Db, revised: readonly RevisedBinding[]): Promise<void> {
  const first = new Map<number, Instant>();
  for (const [no, at] of revised) first.set(no, Math.min(at, first.get(no) ?? at));
  if (first.size > 0) await revise(trx, { revised: rowsParameter([...first]) });
}

const revise = prepareQuery<{ revised: unknown }, UpdateResult>((db, p) =>
  db
    .updateTable('binding')
    .from(rowsOf(db, ['no', 'changedFromAt'], p('revised')).as('revised'))
    .set((e) => ({ revision: e('binding.revision', '+', 1) }))
    .whereRef('binding.no', '=', 'revised.no')
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('bindingStart')
            .select('bindingNo')
            .whereRef('bindingStart.bindingNo', '=', 'binding.no')
            .whereRef('bindingStart.revision', '=', 'binding.revision')
            .whereRef('producedAt', '<', 'revised.changedFromAt'),
        ),
      ),
    ),
);
