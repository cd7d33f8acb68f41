import { getPlant } from '../../../fleet/plants/access.ts';
import {
  beginText,
  findBegin,
  readBegin,
  tariffZonesOf,
} from '../../../fleet/plants/tariffs/begin.ts';
import { removeTariff, setTariff } from '../../../fleet/plants/tariffs/prices.ts';
import { requestRecalculation } from '../../../fleet/plants/tariffs/recalculation.ts';
import {
  checkTariff,
  tariffsOf,
  tariffUses,
  type TariffVersion,
} from '../../../fleet/plants/tariffs/tariffs.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { plantOf } from '../rights/plants.ts';

type TariffOperation = 'tariff/list' | 'tariff/set' | 'tariff/remove' | 'plant/recalculate';

/** Energy prices, which may vary by period and time of day, and the recalculation of what depends on them. */
export function createTariffOperations(deps: OperationDependencies): HandlersOf<TariffOperation> {
  const { db } = deps;
  return {
    async 'tariff/list'(caller, { plantId }) {
      const plant = await getPlant(db, caller, plantId, 'read');
      const [zones, known] = [await tariffZonesOf(db, plantId), tariffsOf(plant)];
      return tariffUses.flatMap((use) =>
        (known[use] ?? []).map((version) => ({
          use,
          ...version,
          fromText: beginText(zones, version.fromAt),
        })),
      );
    },

    'tariff/set': async (caller, { plantId, use, from, pricePerKwh, windows }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }), async (trx, act) => {
        const zones = await tariffZonesOf(trx, plantId);
        const tariff = checkTariff({ pricePerKwh, ...(windows && { windows }) });
        const version: TariffVersion = {
          fromAt: from === undefined ? act.at : readBegin(zones, from),
          ...tariff,
        };
        await setTariff(trx, act, plantId, use, version);
        return { use, ...version, fromText: beginText(zones, version.fromAt) };
      }),

    'tariff/remove': async (caller, { plantId, use, from }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }), async (trx, act, plant) => {
        const zones = await tariffZonesOf(trx, plantId);
        const begins = (tariffsOf(plant)[use] ?? []).map(({ fromAt }) => fromAt);
        const fromAt = findBegin(begins, zones, from);
        await removeTariff(trx, act, plantId, use, fromAt);
        return { use, fromAt, fromText: beginText(zones, fromAt) };
      }),

    'plant/recalculate': async (caller, { plantId, from = 'beginning' }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }), async (trx, act) => {
        const fromAt = readBegin(await tariffZonesOf(trx, plantId), from);
        return { fromAt, devices: await requestRecalculation(trx, plantId, fromAt, act.at) };
      }),
  };
}
