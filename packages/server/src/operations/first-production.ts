import type { Stretch } from '../plants/bindings.ts';
import type { ZoneSpan } from '../plants/zones.ts';
import { daysOfMonth, dayWindow } from '../telemetry/plant-day.ts';
import type { Energies } from '../telemetry/telemetry.ts';
import { boundDay, partsOfDay } from './day-windows.ts';
import type { OperationDependencies } from './dependencies.ts';
import { earliest } from './figures.ts';

/** Finds when the inverters of some stretches in one plant produced first. */
export type FirstProduction = (stretches: readonly Stretch[], zones: readonly ZoneSpan[]) => Promise<number | undefined>;

const LAST_MONTH = 999_912;
const REMEMBERED_AT_MOST = 10_000;

const producedKwh = ({ energies }: { readonly energies: Energies }): number => energies.production?.energyKwh ?? 0;

/**
 * The first reading that tells of energy, found by way of the first month and the first day with any; unknown when the readings of that
 * day are gone. What was found is remembered for as long as that month's energies stay what they are.
 */
export function createFirstProduction({ db, telemetry }: Pick<OperationDependencies, 'db' | 'telemetry'>): FirstProduction {
  const remembered = new Map<string, number | undefined>();

  const findIn = async (month: number, inverters: readonly Stretch[], zones: readonly ZoneSpan[]): Promise<number | undefined> => {
    const numbers = inverters.map(({ no }) => no);
    const { fromDay, toDay } = daysOfMonth(month);
    const days = (await telemetry.daysOf(db, numbers, fromDay, toDay)).filter((day) => producedKwh(day) > 0);
    if (days.length === 0) return undefined;
    const day = Math.min(...days.map((one) => one.day));
    const parts = partsOfDay(inverters, dayWindow(zones, day));
    const courses = await telemetry.dayCourses(db, day, parts.map(boundDay), false);
    return earliest(courses.map((course) => course.find(({ energies }) => (energies.production?.dayKwh ?? 0) > 0)?.at));
  };

  return async (stretches, zones) => {
    const inverters = stretches.filter(({ kind }) => kind === 'inverter');
    if (inverters.length === 0) return undefined;
    const numbers = inverters.map(({ no }) => no);
    const months = (await telemetry.monthsOf(db, numbers, 0, LAST_MONTH)).filter((month) => producedKwh(month) > 0);
    if (months.length === 0) return undefined;
    const month = Math.min(...months.map((one) => one.month));
    const energies = months.filter((one) => one.month === month).map(producedKwh);
    const key = [...numbers, month, ...energies, zones.length].join(' ');
    if (!remembered.has(key)) {
      if (remembered.size >= REMEMBERED_AT_MOST) remembered.delete(remembered.keys().next().value!);
      remembered.set(key, await findIn(month, inverters, zones));
    }
    return remembered.get(key);
  };
}
