import type { PlantVisit } from '@helioport/contract';
import type { FigureSources } from '../../measurements/figures/sources.ts';
import { dayText } from '../../platform/calendar/plant-calendar.ts';
import { tellOfPlant } from '../../platform/events/tell.ts';
import { inTransaction } from '../../platform/storage/transactions/transaction.ts';
import { listVisits } from './visits.ts';

/** A loss that a visit would mend, as applications are told of it. */
interface OpenLoss {
  readonly cause: string;
  readonly sn?: string;
  /** yyyy-mm-dd, of the plant's calendar. */
  readonly since: string;
  readonly lostKwh: number;
  readonly kwhPerYear: number;
  readonly lostAmount?: number;
  readonly currency: string;
}

const openLossOf = (visit: PlantVisit): OpenLoss => ({
  cause: visit.cause,
  ...(typeof visit.sn === 'string' && { sn: visit.sn }),
  since: dayText(visit.since),
  lostKwh: visit.lostKwh,
  kwhPerYear: visit.kwhPerYear,
  ...(typeof visit.lostAmount === 'number' && { lostAmount: visit.lostAmount }),
  currency: visit.currency,
});

const keyOf = ({ cause, sn }: OpenLoss): string => `${cause} ${sn ?? ''}`;

/** Tells applications which losses of a plant that a visit would mend have begun or ended since they were told last, from the losses that are kept. */
export async function tellLosses(
  { db, clock }: Pick<FigureSources, 'db' | 'clock'>,
  plantId: string,
): Promise<void> {
  const reach = { accountId: null, levels: ['owner'], plantIds: [plantId] } as const;
  const present = (await listVisits({ db, clock }, reach)).map(openLossOf);
  const known = await db
    .selectFrom('plantStanding')
    .select('openLosses')
    .where('plantId', '=', plantId)
    .executeTakeFirst();
  if (!known) return;
  const former = JSON.parse(known.openLosses) as OpenLoss[];
  const lacks = (all: readonly OpenLoss[], loss: OpenLoss): boolean =>
    !all.some((one) => keyOf(one) === keyOf(loss));
  const begun = present.filter((loss) => lacks(former, loss));
  const ended = former.filter((loss) => lacks(present, loss));
  if (begun.length + ended.length === 0) return;
  const now = clock.now();
  await inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('plantStanding')
      .set({ openLosses: JSON.stringify(present) })
      .where('plantId', '=', plantId)
      .where('openLosses', '=', known.openLosses)
      .executeTakeFirst();
    // Somebody else has just told.
    if (numUpdatedRows === 0n) return;
    for (const [state, losses] of [
      ['begun', begun],
      ['ended', ended],
    ] as const)
      for (const loss of losses)
        await tellOfPlant(trx, 'performance.loss', plantId, { state, ...loss }, now);
  });
}
