import type { Db } from '../../platform/storage/database.ts';
import { transactionsOf } from '../../platform/storage/transactions/transact.ts';
import type { Mark, Series } from '../series/port.ts';
import { attempt, type Attempt } from './attempt.ts';
import type { BoundDevice } from '../bindings/bound-device.ts';
import { createDayWorkspace } from './day-workspace.ts';
import { recalculateMonth } from './recalculation/recalculate-month.ts';
import { lockBoundDevice } from '../bindings/reportable-devices.ts';
import { writeAnew } from './write-anew.ts';

/**
 * Recalculates, from the samples, the days of some devices from a marked day on, which attempts that never ended may have left half-written. The
 * caller has locked the devices.
 */
export const mendDevices = async (
  db: Db,
  own: Attempt,
  devices: readonly BoundDevice[],
): Promise<boolean> => mendMarked(db, own, devices, await findMarks(own, devices));

/** The marks of the bindings of some devices. */
export async function findMarks(
  { series }: Attempt,
  devices: readonly BoundDevice[],
): Promise<readonly Mark[]> {
  return series.sharesTransaction
    ? []
    : series.marks(withNeighbours(devices).map(({ binding }) => binding));
}

/** Like `mendDevices`, with the marks that were found. Returns whether anything was recalculated. */
export async function mendMarked(
  db: Db,
  own: Attempt,
  devices: readonly BoundDevice[],
  found: readonly Mark[],
): Promise<boolean> {
  const { series } = own;
  const marks = own.takeOver(found);
  if (marks.length === 0) return false;
  const chain = withNeighbours(devices);
  await series.seal(db, marks);
  const fromDays = new Map<number, number>();
  for (const { binding, day } of marks)
    fromDays.set(binding, Math.min(day, fromDays.get(binding) ?? day));
  const marked = chain.filter(({ binding }) => fromDays.has(binding));
  // The marked days of all bindings are removed first: in its next plant, a device continues from its last day in the former plant, which must not be
  // half-written.
  for (const device of marked) await forgetDays(db, series, device, fromDays.get(device.binding)!);
  for (const device of marked) {
    const { startAt } = device.calendar.dayWindow(fromDays.get(device.binding)!);
    for (let since: number | undefined = startAt; since !== undefined;)
      since = await recalculateMonth(db, own, device, since);
  }
  return true;
}

/** All bindings of the given devices, each once, in order of time. */
function withNeighbours(devices: Iterable<BoundDevice>): BoundDevice[] {
  const all = new Map<number, BoundDevice>();
  for (const device of devices) {
    for (let one: BoundDevice | undefined = device; one; one = one.former)
      all.set(one.binding, one);
    for (let one: BoundDevice | undefined = device; one; one = one.next) all.set(one.binding, one);
  }
  return [...all.values()].toSorted((a, b) => a.fromAt - b.fromAt);
}

/** Removes the days of a binding from a day on, and the receipts that they gave to earlier days. */
async function forgetDays(
  trx: Db,
  series: Series,
  { binding }: BoundDevice,
  fromDay: number,
): Promise<void> {
  const newest = (await series.newestDays(trx, [binding])).get(binding);
  const shelf = createDayWorkspace(trx, series, binding);
  await shelf.removeFrom(fromDay);
  await writeAnew(trx, series, binding, newest, shelf);
}

/**
 * Recalculates marked bindings, each in a transaction of its own. This waits for an attempt that is still running, which removes its
 * own marks when it ends.
 */
export async function mendBindings(
  db: Db,
  series: Series,
  bindings: Iterable<number>,
): Promise<void> {
  const transact = transactionsOf(db);
  for (const binding of new Set(bindings)) {
    await attempt<[trx: Db], BoundDevice | undefined, void, void, void>(
      series,
      { db, first: (body) => transact(body), last: (body) => transact(body) },
      {
        begin: (trx) => lockBoundDevice(trx, binding),
        written: (device) => (device ? [device.seriesId] : []),
        async change(own, _, device) {
          if (device) await mendDevices(db, own, [device]);
          else own.takeOver(await series.marks([binding]));
        },
        end: async () => {},
      },
    );
  }
}

/** Recalculates everything that is marked; called when the server starts. */
export const mendAll = async (db: Db, series: Series): Promise<void> =>
  mendBindings(
    db,
    series,
    (await series.marks()).map(({ binding }: Mark) => binding),
  );
