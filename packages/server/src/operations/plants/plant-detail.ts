import type { PlantDayRow, PlantRecord } from '@helioport/contract';
import type { VisiblePlant } from '../../plants/access.ts';
import type { OperationDependencies } from '../dependencies.ts';
import { createFirstProduction } from '../../figures/first-production.ts';
import { plantDayRows } from '../../figures/plant-day-rows.ts';
import { describePlants, type DescribedPlant, type Peak } from './plant-record.ts';
import { createRemembered } from '../../kernel/remembered.ts';

const REMEMBERED_AT_MOST = 10_000;

/** Makes the record of one plant with what costs more than a list's: the peak of several inverters, and when they produced first. */
export function createPlantDetail(deps: OperationDependencies): (plant: VisiblePlant) => Promise<PlantRecord> {
  const findFirstProduction = createFirstProduction(deps);
  const peaks = createRemembered<Peak>(REMEMBERED_AT_MOST);

  /** The highest sum of what the devices gave at one time of today: anew when one of them has reported. */
  const peakOf = async (plant: VisiblePlant, { bindings, today }: DescribedPlant): Promise<Peak> => {
    const reported = bindings.flatMap(({ binding: { no }, latest }) => (latest?.day === today ? `${no}:${latest.lastAt}:${latest.samples}` : []));
    if (reported.length === 0) return {};
    const key = [plant.id, today, ...reported].join(' ');
    const known = peaks.get(key);
    if (known) return known;
    const peak = highest(await plantDayRows(deps, plant, today));
    peaks.set(key, peak);
    return peak;
  };

  return async (plant) => {
    const [described] = await describePlants(deps, [plant]);
    const { record, bindings, zones, firstReports } = described!;
    const [firstProductionAt, peak] = await Promise.all([
      findFirstProduction(
        bindings.map(({ binding }) => binding),
        zones,
        firstReports,
      ),
      record.peakPowerW === undefined ? peakOf(plant, described!) : {},
    ]);
    return { ...record, ...peak, firstProductionAt };
  };
}

function highest(rows: readonly PlantDayRow[]): Peak {
  let [peakPowerW, peakPowerAt] = [-Infinity, 0];
  for (const { at, values } of rows) {
    if (values.acPowerW === undefined || values.acPowerW <= peakPowerW) continue;
    peakPowerW = values.acPowerW;
    peakPowerAt = at;
  }
  return peakPowerW === -Infinity ? {} : { peakPowerW, peakPowerAt };
}
