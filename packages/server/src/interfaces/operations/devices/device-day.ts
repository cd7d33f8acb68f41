import { isQuantity, type QuantityName } from '@helioport/contract';
import { dayReadings } from '../../../measurements/figures/day-windows.ts';
import { getAnyDevice } from '../../../fleet/plants/device-access.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

/** The readings of a day, whatever the device measures. */
export function createDeviceDay(deps: OperationDependencies): HandlersOf<'device/day'> {
  return {
    async 'device/day'(caller, { id, day }) {
      const readings = await dayReadings(deps, await getAnyDevice(deps.db, caller, id), day);
      const names = new Set(
        readings.flatMap(({ values }) => Object.keys(values).filter(isQuantity)),
      );
      const column = (name: QuantityName): (number | null)[] =>
        readings.map(({ values }) => values[name] ?? null);
      return {
        times: readings.map(({ at }) => at),
        values: Object.fromEntries([...names].map((name) => [name, column(name)])),
      };
    },
  };
}
