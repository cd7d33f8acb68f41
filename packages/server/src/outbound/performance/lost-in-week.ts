import type { LossCause } from '@helioport/contract';
import {
  reachParameters,
  visible,
  type Reach,
  type ReachParameters,
} from '../../fleet/plants/access.ts';
import type { Db } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';

/** What plants lost together, and through what most. */
export interface LostInWeek {
  readonly kwh: number;
  /** The largest of its causes, and the plant where it is largest. */
  readonly cause: LossCause;
  readonly causeKwh: number;
  readonly plantName: string;
}

const selectLost = prepareQuery(
  (db, p: ParameterOf<ReachParameters & { fromDay: number; toDay: number }>) =>
    visible(db, p)
      .innerJoin('performanceLoss as loss', 'loss.plantId', 'plant.id')
      .select(['plant.name', 'loss.cause'])
      .select((eb) => eb.fn.sum<number>('loss.kwh').as('kwh'))
      .where('loss.day', '>=', p('fromDay'))
      .where('loss.day', '<=', p('toDay'))
      .groupBy(['plant.id', 'plant.name', 'loss.cause']),
);

/** Less is not worth a sentence. */
const KWH_AT_LEAST = 1;

/** What plants of a reach are known to have lost between two days (yyyymmdd), from the losses that are kept; undefined if that is next to nothing. */
export async function lostInWeek(
  db: Db,
  reach: Reach,
  fromDay: number,
  toDay: number,
): Promise<LostInWeek | undefined> {
  const rows = await selectLost(db, { ...reachParameters(db, reach), fromDay, toDay });
  const sum = (some: typeof rows): number => some.reduce((all, { kwh }) => all + kwh, 0);
  const [most] = [...Map.groupBy(rows, ({ cause }) => cause)].toSorted(
    ([, a], [, b]) => sum(b) - sum(a),
  );
  if (!most || sum(rows) < KWH_AT_LEAST) return undefined;
  const [cause, own] = most;
  const { name } = own.toSorted((a, b) => b.kwh - a.kwh)[0]!;
  return { kwh: sum(rows), cause: cause as LossCause, causeKwh: sum(own), plantName: name };
}
