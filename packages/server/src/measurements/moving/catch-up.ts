import { eachOf } from '../../platform/kernel/each-of.ts';
import { asCopier, bring, type Way } from './bring.ts';
import { crossOff, keepPlace, takeStretches, type Stretch, type Wanted } from './work-list.ts';

/** How much is brought between two looks at the list. */
const STRETCHES_AT_ONCE = 64;
/** How many of them at the same time. */
const WORKERS = 8;

/** What was brought. */
export interface Brought {
  readonly stretches: readonly Stretch[];
  readonly rows: number;
}

/** Brings some of what is on the list. What was interrupted is brought once more. Throws CopyTakenOver. */
export async function bringSome(way: Way, wanted: Wanted): Promise<Brought> {
  const stretches = await asCopier(way, (trx) => takeStretches(trx, wanted, STRETCHES_AT_ONCE));
  let rows = 0;
  // Before anything is tried again, all that is in progress is over: what was read before must not be written after what is read then.
  await eachOf(stretches, WORKERS, async (stretch) => {
    rows += await bring(way, stretch, (fromKey) =>
      asCopier(way, (trx) => keepPlace(trx, stretch, fromKey)),
    );
  });
  if (stretches.length > 0) await asCopier(way, (trx) => crossOff(trx, stretches));
  return { stretches, rows };
}

/** Brings all that is on the list, or all of a device, in a transaction that keeps others from adding to it. Fails when it takes too long. */
export async function bringInside(way: Way, wanted: Wanted, until = Infinity): Promise<void> {
  for (;;) {
    const stretches = await takeStretches(way.db, wanted, STRETCHES_AT_ONCE);
    if (stretches.length === 0) return;
    for (const stretch of stretches) {
      if (performance.now() > until) throw new TooMuchLeft();
      await bring(way, stretch, async () => {});
    }
    await crossOff(way.db, stretches);
  }
}

/** More was left than can be brought while reports wait. */
export class TooMuchLeft extends Error {}
