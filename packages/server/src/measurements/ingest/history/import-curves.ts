import { AccountRefusal } from './account.ts';
import { askCurve } from './curves-there.ts';
import {
  boundOn,
  lastDayOf,
  storeHistory,
  type HistoryDeps,
  type MatchedDevice,
} from './matched-device.ts';

/** After so many days without a reading, an account is taken to keep curves no further back. */
const EMPTY_DAYS = 31;

/** The days of which a device’s curves are still to be imported, newest first: those whose energies have been. */
export const curvesLeft = ({ kept }: MatchedDevice): number[] =>
  kept
    .all('claimed')
    .filter((day) => !kept.has('curves', day))
    .toReversed();

/**
 * Imports what devices measured in the course of days, the newest day of all devices first. Each day is durable when it has been stored, and is not
 * asked for again, but for the last day. `onDays` is called with the number of days left. Resolves to the number of curves of last days.
 */
export async function importCurves(
  deps: HistoryDeps,
  devices: readonly MatchedDevice[],
  onDays: (left: number) => void,
): Promise<number> {
  const { account, clock, doubts } = deps;
  const empty = new Map<MatchedDevice, number>();
  let ofLastDays = 0;
  const left = devices
    .flatMap((device) => curvesLeft(device).map((day) => ({ device, day })))
    .toSorted((a, b) => b.day - a.day);
  for (const [i, { device, day }] of left.entries()) {
    onDays(left.length - i);
    const bound = boundOn(device, day);
    if (!bound || (empty.get(device) ?? 0) >= EMPTY_DAYS) continue;
    const { startAt, endAt } = bound.calendar.dayWindow(day);
    const readings = await askCurve(account, device.there, day, { startAt, endAt, doubts }).catch(
      (error: unknown) => {
        if (!(error instanceof AccountRefusal)) throw error;
        doubts.add(`${device.there.sn}: ${error.message}`);
        return [];
      },
    );
    empty.set(device, readings.length === 0 ? (empty.get(device) ?? 0) + 1 : 0);
    await storeHistory(deps, device, readings);
    if (readings.length === 0) continue;
    if (day < lastDayOf(device, clock.now())) await device.kept.add('curves', [day]);
    else ofLastDays += 1;
  }
  for (const [{ there }, days] of empty)
    if (days >= EMPTY_DAYS) doubts.add(`${there.sn}: no curves are kept there from further back`);
  onDays(0);
  return ofLastDays;
}
