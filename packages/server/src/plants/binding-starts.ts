import type { Db, Instant } from '../storage/database.ts';
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
  const rows = starts.map(({ binding: { no, revision }, reportedAt, producedAt }) => ({ bindingNo: no, revision, reportedAt, producedAt }));
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

/** Notes that readings from an instant on have changed: unless the binding is known to have produced earlier, its start must be searched for again. */
export async function reviseBinding(trx: Db, bindingNo: number, changedFromAt: Instant): Promise<void> {
  await trx
    .updateTable('binding')
    .set((e) => ({ revision: e('revision', '+', 1) }))
    .where('no', '=', bindingNo)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('bindingStart')
            .select('bindingNo')
            .whereRef('bindingStart.bindingNo', '=', 'binding.no')
            .whereRef('bindingStart.revision', '=', 'binding.revision')
            .where('producedAt', '<', changedFromAt),
        ),
      ),
    )
    .execute();
}
