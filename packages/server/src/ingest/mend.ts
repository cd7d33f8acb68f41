import type { Db } from '../storage/database.ts';
import { transactionsOf } from '../storage/transact.ts';
import type { Mark, Series } from '../series/port.ts';
import { attempt, type Attempt } from './attempt.ts';
import type { BoundDevice } from './bound-device.ts';
import { createDayShelf } from './day-shelf.ts';
import { recalculateMonth } from './recalculate-month.ts';
import { lockBoundDevice } from './reporters.ts';
import { writeAnew } from './write-anew.ts';

/**
 * Makes anew what attempts that never ended may have left half-written of some devices: their days from the marked one on, from the samples.
 * The caller has locked the devices.
 */
export async function mendDevices(trx: Db, own: Attempt, devices: Iterable<BoundDevice>): Promise<void> {
  const { series } = own;
  if (series.sharesTransaction) return;
  const chain = withNeighbours(devices);
  const marks = await series.marks(chain.map(({ binding }) => binding));
  if (marks.length === 0) return;
  const fromDays = new Map<number, number>();
  for (const { binding, day } of marks) fromDays.set(binding, Math.min(day, fromDays.get(binding) ?? day));
  const marked = chain.filter(({ binding }) => fromDays.has(binding));
  // A device continues in its next plant from its last day in the former: nothing half-written may be left there.
  for (const device of marked) await forgetDays(trx, series, device, fromDays.get(device.binding)!);
  for (const device of marked) {
    const { startAt } = device.calendar.dayWindow(fromDays.get(device.binding)!);
    for (let since: number | undefined = startAt; since !== undefined;) since = await recalculateMonth(trx, series, device, since);
  }
  own.takeOver(marks);
}

/** Those devices, their former and their next bindings, each once, in order of time. */
function withNeighbours(devices: Iterable<BoundDevice>): BoundDevice[] {
  const all = new Map<number, BoundDevice>();
  for (const device of devices) {
    for (let one: BoundDevice | undefined = device; one; one = one.former) all.set(one.binding, one);
    for (let one: BoundDevice | undefined = device; one; one = one.next) all.set(one.binding, one);
  }
  return [...all.values()].toSorted((a, b) => a.fromAt - b.fromAt);
}

/** Removes the days of a binding from a day on, and what they found out about those before it. */
async function forgetDays(trx: Db, series: Series, { binding }: BoundDevice, fromDay: number): Promise<void> {
  const newest = (await series.newestDays(trx, [binding])).get(binding);
  const shelf = createDayShelf(trx, series, binding);
  await shelf.forget(fromDay);
  await writeAnew(trx, series, binding, newest, shelf, true);
}

/** Makes marked bindings anew, each device in a transaction of its own: the marks of an attempt that goes on are gone when it has ended. */
export async function mendBindings(db: Db, series: Series, bindings: Iterable<number>): Promise<void> {
  for (const binding of new Set(bindings)) {
    await attempt<[trx: Db], void, void>(series, transactionsOf(db), async (own, trx) => {
      const device = await lockBoundDevice(trx, binding);
      if (device) await mendDevices(trx, own, [device]);
      else own.takeOver(await series.marks([binding]));
    });
  }
}

/** Makes anew whatever is marked, at a start. */
export const mendAll = async (db: Db, series: Series): Promise<void> =>
  mendBindings(
    db,
    series,
    (await series.marks()).map(({ binding }: Mark) => binding),
  );
