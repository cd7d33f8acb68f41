import { plantDayKwh } from '../../energy/bounds.ts';
import { dayWindow, type Zones } from '../../../platform/calendar/plant-calendar.ts';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import type { Sum } from '../energy/sums.ts';

/** The facts that limit the total production of a plant's devices. */
export type Modules = Pick<VisiblePlant, 'capacityKwp' | 'latitude' | 'longitude'>;

/**
 * Cuts a plant's production on a local day (yyyymmdd), summed over devices, to what the modules can yield. Each device's energy is already
 * cut to that on its own, but their sum is not. The limit is computed once, for all sums of the day.
 */
export function modulesLimit(modules: Modules, zones: Zones, day: number): (produced: Sum) => Sum {
  const atMost = plantDayKwh(modules.capacityKwp, modules, () => dayWindow(zones, day));
  return (produced) => {
    const { kwh, amount } = produced;
    return kwh <= atMost
      ? produced
      : { kwh: atMost, amount: amount && (amount * atMost) / kwh, estimated: true };
  };
}
