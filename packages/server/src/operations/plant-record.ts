import type { PlantFacts, PlantRecord } from '@helioport/contract';
import type { DeviceKind } from '../devices/devices.ts';
import type { VisiblePlant } from '../plants/access.ts';
import { stretchesOfPlants } from '../plants/bindings.ts';
import { zonesOf } from '../plants/zones.ts';
import { dayOf } from '../telemetry/plant-day.ts';
import type { OperationDependencies } from './dependencies.ts';
import { incomeOf, lastReportOf, measured, type MeasuredStretch } from './figures.ts';
import { groupByKind, plantEnergies, plantValues } from './plant-figures.ts';
import { isAbnormal, stateOf } from './states.ts';
import { zoneRecord } from './zone-record.ts';

/** The records of some plants, in their order: two statements, however many plants there are. */
export async function plantRecords({ db, clock, telemetry }: OperationDependencies, plants: readonly VisiblePlant[]): Promise<PlantRecord[]> {
  if (plants.length === 0) return [];
  const now = clock.now();
  const [stretches, zones] = await Promise.all([
    stretchesOfPlants(
      db,
      plants.map(({ id }) => id),
    ),
    zonesOf(
      db,
      plants.map(({ id, timeZone, zoneChanged }) => ({ plantId: id, timeZone, zoneChanged })),
    ),
  ]);
  const latest = await telemetry.latestOf(
    db,
    stretches.map(({ no }) => no),
    now,
  );
  const byPlant = Map.groupBy(
    measured(stretches, latest, (plantId) => dayOf(zones.get(plantId)!, now)),
    ({ stretch }) => stretch.plantId,
  );
  return plants.map((plant) => plantRecord(plant, byPlant.get(plant.id) ?? [], now));
}

function plantRecord(plant: VisiblePlant, stretches: readonly MeasuredStretch[], now: number): PlantRecord {
  const groups = groupByKind(stretches);
  const standing = (kind: DeviceKind): readonly MeasuredStretch[] => groups.get(kind)?.standing ?? [];
  const energies = plantEnergies(groups);
  const { installerId, installerName, installerEmail, pricePerKwh } = plant;
  return {
    ...plant,
    facts: JSON.parse(plant.facts) as PlantFacts,
    zone: zoneRecord(plant.timeZone, now),
    installer: installerId === null ? undefined : { id: installerId, name: installerName, email: installerEmail },
    state: stateOf(plant.state),
    abnormallyOffline: isAbnormal(plant.state, plant.abnormalDevices),
    alarmCount: plant.pendingAlarms,
    values: plantValues(groups),
    energies,
    income: incomeOf(energies.production, pricePerKwh),
    lastReportAt: lastReportOf(stretches),
    inverterCount: standing('inverter').length,
    onlineInverterCount: standing('inverter').filter(({ stretch }) => stateOf(stretch.state) !== 'offline').length,
    epmCount: standing('epm').length,
    weatherCount: standing('weather').length,
  };
}
