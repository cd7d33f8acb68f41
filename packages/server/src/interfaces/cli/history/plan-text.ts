import { dayText, daysOfMonth } from '../../../platform/calendar/plant-calendar.ts';
import { curvesLeft } from '../../../measurements/ingest/history/import-curves.ts';
import { monthsLeft } from '../../../measurements/ingest/history/import-energies.ts';
import type { HistoryPlan, PlannedImport } from '../../../measurements/ingest/history/plan.ts';
import { tableText } from '../table.ts';

/** The requests that a plan takes, as far as they are known before the first. */
export function requestsOf({ devices }: HistoryPlan, now: number): number {
  let count = 0;
  for (const { device } of devices) {
    if (!device) continue;
    const months = monthsLeft(device, now);
    const years = new Set(months.map((month) => Math.trunc(month / 100)));
    const days = months.flatMap((month) => {
      const { fromDay, toDay } = daysOfMonth(month);
      return Array.from({ length: toDay - fromDay + 1 }, (_, i) => fromDay + i);
    });
    count += years.size + months.length + new Set([...days, ...curvesLeft(device)]).size;
  }
  return count;
}

/** A plan for programs. */
export const planValue = ({ devices, onlyThere, onlyHere }: HistoryPlan) => ({
  devices: devices.map(({ there, here, reason, device }) => ({
    sn: there.sn,
    kind: there.kind,
    plantThere: there.plant,
    plantHere: here.plant,
    owner: here.owner,
    ...(device && { ownDays: device.own.size, importedDays: device.kept.all('claimed').length }),
    ...(reason !== undefined && { leftOut: reason }),
  })),
  onlyThere: onlyThere.map(({ sn, kind, plant }) => ({ sn, kind, plant })),
  onlyHere: onlyHere.map(({ sn, kind, plant }) => ({ sn, kind, plant })),
});

/** A plan for people: what is imported from where to where, and what is not. */
export function planText({ devices, onlyThere, onlyHere }: HistoryPlan): string {
  return [
    tableText(
      ['device', 'kind', 'plant there', 'plant here', 'owner here', 'to do'],
      devices.map((planned) => [
        planned.there.sn,
        planned.there.kind,
        planned.there.plant,
        planned.here.plant,
        planned.here.owner,
        toDo(planned),
      ]),
    ),
    ...onlyThere.map(({ sn, plant }) => `${sn} (${plant}) is not here: add it to import it`),
    ...onlyHere.map(({ sn, plant }) => `${sn} (${plant}) is not there`),
  ].join('\n');
}

function toDo({ device, reason }: PlannedImport): string {
  if (!device) return `left out: ${reason}`;
  const claimed = device.kept.all('claimed');
  const own = [...device.own].toSorted((a, b) => a - b);
  return [
    claimed.length === 0 ? 'import' : `go on after ${dayText(claimed.at(-1)!)}`,
    ...(own.length === 0
      ? []
      : [`keep ${own.length} days with readings from ${dayText(own[0]!)} on`]),
  ].join(', ');
}
