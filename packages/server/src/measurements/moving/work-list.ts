import { sql, type ExpressionBuilder } from 'kysely';
import { CHANGED, LAST_KEY, mergeChanges, type ChangedKind } from '../series/changes.ts';
import type { Db, Tables } from '../../platform/storage/database.ts';
import { engineOf } from '../../platform/storage/engine.ts';

/** A device and all its bindings. */
export interface Whole {
  readonly series: number;
  readonly sn: string;
  readonly bindings: readonly number[];
}

/** Rows that the copy has yet to bring: of a device's samples, or of a binding's roll-ups. */
export interface Stretch {
  readonly kind: ChangedKind;
  /** device.series of samples, else binding.no. */
  readonly subject: number;
  /** Both included. */
  readonly fromKey: number;
  readonly toKey: number;
}

const kindOf = (kind: number): ChangedKind =>
  (Object.keys(CHANGED) as ChangedKind[]).find((name) => CHANGED[name] === kind)!;

/** Puts everything that there is on the list. */
export async function listEverything(trx: Db): Promise<void> {
  const everything = (
    kind: ChangedKind,
    from: 'device' | 'binding',
    subject: 'device.series' | 'binding.no',
  ) =>
    trx
      .insertInto('seriesChange')
      .columns(['kind', 'subject', 'taken', 'fromKey', 'toKey'])
      .expression((eb) =>
        eb
          .selectFrom(from as 'device')
          .select([
            sql.lit(CHANGED[kind]).as('kind'),
            sql.ref<number>(subject).as('subject'),
            sql.lit(0).as('taken'),
            sql.lit(0).as('fromKey'),
            sql.lit(LAST_KEY).as('toKey'),
          ]),
      )
      .execute();
  await trx.deleteFrom('seriesChange').execute();
  await everything('samples', 'device', 'device.series');
  await everything('days', 'binding', 'binding.no');
  await everything('months', 'binding', 'binding.no');
}

/** Puts everything of a device on the list. */
export async function listDevice(db: Db, { series, bindings }: Whole): Promise<void> {
  const all = { taken: 0, fromKey: 0, toKey: LAST_KEY };
  await mergeChanges(db, [
    { kind: CHANGED.samples, subject: series, ...all },
    ...bindings.flatMap((subject) =>
      [CHANGED.days, CHANGED.months].map((kind) => ({ kind, subject, ...all })),
    ),
  ]);
}

/** Which stretches to take: those of a device alone, or those after a place in the list. */
export type Wanted = Pick<Whole, 'series' | 'bindings'> | Place;

/** A place in the list, which is in the order of kinds and subjects. */
export interface Place {
  readonly kind: number;
  readonly subject: number;
}

export const BEGINNING: Place = { kind: 0, subject: 0 };

export const placeOf = ({ kind, subject }: Stretch): Place => ({ kind: CHANGED[kind], subject });

const wantedOf = (wanted: Wanted) => (eb: ExpressionBuilder<Tables, 'seriesChange'>) =>
  'series' in wanted
    ? eb.or([
        eb.and([eb('kind', '=', CHANGED.samples), eb('subject', '=', wanted.series)]),
        ...(wanted.bindings.length > 0
          ? [eb.and([eb('kind', '!=', CHANGED.samples), eb('subject', 'in', wanted.bindings)])]
          : []),
      ])
    : eb.or([
        eb('kind', '>', wanted.kind),
        eb.and([eb('kind', '=', wanted.kind), eb('subject', '>', wanted.subject)]),
      ]);

/**
 * Takes some stretches from the list, in its order; what changes from now on becomes a stretch of its own. Includes those that a copier has taken and
 * not finished.
 */
export async function takeStretches(trx: Db, wanted: Wanted, atMost: number): Promise<Stretch[]> {
  const listed = trx
    .selectFrom('seriesChange')
    .select(['kind', 'subject', 'taken', 'fromKey', 'toKey'])
    .where(wantedOf(wanted));
  const waiting = listed.orderBy('kind').orderBy('subject').orderBy('taken', 'desc').limit(atMost);
  // Those that an attempt is changing at this moment are taken later: waiting for them in another order than attempts do could deadlock.
  const found = await (
    engineOf(trx) === 'postgres' ? waiting.forUpdate().skipLocked() : waiting
  ).execute();
  // Of one that is begun and has changed since, the beginning is finished first.
  const taken = found.filter(
    (row, i) => row.kind !== found[i - 1]?.kind || row.subject !== found[i - 1]?.subject,
  );
  for (const { kind, subject } of taken.filter((row) => row.taken === 0))
    await trx
      .updateTable('seriesChange')
      .set({ taken: 1 })
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .where('taken', '=', 0)
      .execute();
  return taken.map(({ kind, subject, fromKey, toKey }) => ({
    kind: kindOf(kind),
    subject,
    fromKey,
    toKey,
  }));
}

/** Keeps how far a stretch that was taken has been brought. */
export async function keepPlace(
  trx: Db,
  { kind, subject }: Stretch,
  fromKey: number,
): Promise<void> {
  await trx
    .updateTable('seriesChange')
    .set({ fromKey })
    .where('kind', '=', CHANGED[kind])
    .where('subject', '=', subject)
    .where('taken', '=', 1)
    .execute();
}

export async function crossOff(trx: Db, stretches: readonly Stretch[]): Promise<void> {
  for (const { kind, subject } of stretches)
    await trx
      .deleteFrom('seriesChange')
      .where('kind', '=', CHANGED[kind])
      .where('subject', '=', subject)
      .where('taken', '=', 1)
      .execute();
}

/** How many stretches are left. */
export async function countStretches(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('seriesChange')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
