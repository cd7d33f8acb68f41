import type { VisiblePlant } from '../../fleet/plants/access.ts';
import { bindingsOfPlants } from '../../fleet/plants/bindings.ts';
import type { Zones } from '../../platform/calendar/plant-calendar.ts';
import { learnInverters } from '../../measurements/figures/performance/learning.ts';
import { settlePowers } from '../../measurements/figures/performance/power-days.ts';
import { findInverters } from '../../measurements/figures/performance/units.ts';
import type { FigureSources } from '../../measurements/figures/sources.ts';

/** Powers of so many days of a plant are kept before it is another one’s turn. */
const DAYS_AT_ONCE = 60;

/** Keeps the powers of a plant's inverters on days, and learns from them what is due; says how many days are left to do before. */
export async function learnOf(
  sources: Pick<FigureSources, 'db' | 'telemetry'>,
  plant: VisiblePlant,
  zones: Zones,
  days: { readonly fromDay: number; readonly toDay: number },
): Promise<number> {
  const { db } = sources;
  const { id, latitude, longitude } = plant;
  if (latitude === null || longitude === null) return 0;
  const inverters = await findInverters(db, await bindingsOfPlants(db, [id]));
  const bindings = inverters.map(({ binding }) => binding);
  const left = await settlePowers(sources, bindings, zones, { ...days, atMost: DAYS_AT_ONCE });
  if (left === 0) await learnInverters(db, { latitude, longitude }, inverters, days.toDay);
  return left;
}
