import { plantDayKwh } from '../../energy/bounds.ts';
import { dayWindow, type Zones } from '../../calendar/plant-calendar.ts';
import type { VisiblePlant } from '../../plants/access.ts';
import type { Sum } from '../energy/sums.ts';

/** What bounds the production of all devices of a plant together. */
export type Modules = Pick<VisiblePlant, 'capacityKwp' | 'latitude' | 'longitude'>;

/**
 * What several devices tell of a plant's production on a local day (yyyymmdd), cut to what its modules can yield; each of them is bounded by that
 * alone already.
 */
export function withinModules(produced: Sum, modules: Modules, zones: Zones, day: number): Sum {
  const atMost = plantDayKwh(modules.capacityKwp, modules, dayWindow(zones, day));
  const { kwh, amount } = produced;
  return kwh <= atMost ? produced : { kwh: atMost, amount: amount && (amount * atMost) / kwh, estimated: true };
}
