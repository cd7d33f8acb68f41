import type { Binding } from '../plants/bindings.ts';
import type { ZoneSpan } from '../plants/zones.ts';
import { daysOfMonth, dayWindow } from '../calendar/plant-calendar.ts';
import type { ChannelEnergies } from '../telemetry/telemetry.ts';
import { boundDay, partsOfDay } from './day-windows.ts';
import type { FigureSources } from './sources.ts';
import { earliest } from './figures.ts';
import { createRemembered } from '../kernel/remembered.ts';

/** Finds when the inverters of some bindings in one plant produced first. `firstReports` by number of the binding. */
export type FirstProduction = (
  bindings: readonly Binding[],
  zones: readonly ZoneSpan[],
  firstReports: ReadonlyMap<number, number>,
) => Promise<number | undefined>;

const LAST_MONTH = 999_912;
const REMEMBERED_AT_MOST = 10_000;
/** History that is imported for the time after the first reading shows when this is over. */
const HELD_MS = 3_600_000;

const hasProduced = ({ energies }: { readonly energies: ChannelEnergies }): boolean => (energies.production?.energyKwh ?? 0) > 0;

/**
 * The first reading that tells of energy, found by way of the first month and the first day with any; unknown when the readings of that
 * day are gone.
 */
export function createFirstProduction({ db, telemetry, clock }: FigureSources): FirstProduction {
  const remembered = createRemembered<{ readonly foundAt: number; readonly firstAt: number }>(REMEMBERED_AT_MOST);

  const find = async (inverters: readonly Binding[], zones: readonly ZoneSpan[]): Promise<number | undefined> => {
    const numbers = inverters.map(({ no }) => no);
    const months = (await telemetry.monthsOf(db, numbers, 0, LAST_MONTH)).filter(hasProduced);
    if (months.length === 0) return undefined;
    const { fromDay, toDay } = daysOfMonth(Math.min(...months.map(({ month }) => month)));
    const days = (await telemetry.daysOf(db, numbers, fromDay, toDay)).filter(hasProduced);
    if (days.length === 0) return undefined;
    const day = Math.min(...days.map((one) => one.day));
    const parts = partsOfDay(inverters, dayWindow(zones, day));
    const curves = await telemetry.dayCurves(db, day, parts.map(boundDay), false);
    return earliest(curves.map((curve) => curve.find(({ energies }) => (energies.production?.dayKwh ?? 0) > 0)?.at));
  };

  return async (bindings, zones, firstReports) => {
    const inverters = bindings.filter(({ kind, no }) => kind === 'inverter' && firstReports.has(no));
    if (inverters.length === 0) return undefined;
    const key = inverters.map(({ no }) => `${no}:${firstReports.get(no)}`).join(' ');
    const known = remembered.get(key);
    if (known && known.foundAt > clock.now() - HELD_MS) return known.firstAt;
    const firstAt = await find(inverters, zones);
    // What has not produced may do so at any time.
    if (firstAt !== undefined) remembered.set(key, { foundAt: clock.now(), firstAt });
    return firstAt;
  };
}
