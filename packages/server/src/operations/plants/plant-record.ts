import type { PlantFacts, PlantRecord } from '@helioport/contract';
import type { DeviceKind } from '../../devices/devices.ts';
import type { VisiblePlant } from '../../plants/access.ts';
import { bindingsOfPlants } from '../../plants/bindings.ts';
import { tariffsOf, versionAt, type TariffUse } from '../../plants/tariffs/tariffs.ts';
import { zonesOf, type ZoneSpan } from '../../plants/zones.ts';
import { dayOf, yearOf } from '../../calendar/plant-calendar.ts';
import type { MonthRollup } from '../../telemetry/telemetry.ts';
import type { OperationDependencies } from '../dependencies.ts';
import { earliest, lastReportOf, measured, type MeasuredBinding } from '../../figures/figures.ts';
import { groupByKind, needsMonths, plantEnergies, plantValues, type KindGroups } from '../../figures/plant-figures.ts';
import { acPowerPrecedence } from '../../figures/precedence.ts';
import { isAbnormal, stateOf } from '../states.ts';
import { zoneRecord } from '../../calendar/zone-record.ts';

/** A plant's record with what it was made of. */
export interface DescribedPlant {
  readonly record: PlantRecord;
  readonly bindings: readonly MeasuredBinding[];
  readonly zones: readonly ZoneSpan[];
  /** Local day. */
  readonly today: number;
  /** By number of the binding. */
  readonly firstReports: ReadonlyMap<number, number>;
}

/** The records of some plants, in their order. */
export const plantRecords = async (deps: OperationDependencies, plants: readonly VisiblePlant[]): Promise<PlantRecord[]> =>
  (await describePlants(deps, plants)).map(({ record }) => record);

/** As many statements for a hundred plants as for one. */
export async function describePlants(deps: OperationDependencies, plants: readonly VisiblePlant[]): Promise<DescribedPlant[]> {
  const { db, clock, telemetry } = deps;
  if (plants.length === 0) return [];
  const now = clock.now();
  const [bindings, zones] = await Promise.all([
    bindingsOfPlants(
      db,
      plants.map(({ id }) => id),
    ),
    zonesOf(
      db,
      plants.map(({ id, timeZone, zoneChanged }) => ({ plantId: id, timeZone, zoneChanged })),
    ),
  ]);
  const numbers = bindings.map(({ no }) => no);
  const [latest, firstReports] = await Promise.all([telemetry.latestOf(db, numbers, now), telemetry.firstReportsOf(db, numbers)]);
  const today = new Map([...zones].map(([plantId, spans]) => [plantId, dayOf(spans, now)]));
  const byPlant = Map.groupBy(
    measured(bindings, latest, (plantId) => today.get(plantId)!),
    ({ binding }) => binding.plantId,
  );
  const groupsOf = new Map([...byPlant].map(([plantId, own]) => [plantId, groupByKind(own)]));
  const months = await monthsNeeded(deps, groupsOf, firstReports, today);
  return plants.map((plant) => {
    const [own, groups, day] = [byPlant.get(plant.id) ?? [], groupsOf.get(plant.id) ?? new Map(), today.get(plant.id)!];
    const energies = plantEnergies(groups, firstReports, day, months.get(plant.id) ?? []);
    const firstReportAt = earliest(own.map(({ binding }) => firstReports.get(binding.no)));
    const record = { ...plantRecord(plant, own, groups, now), energies, income: energies.production?.amounts, ...onlyPeak(own, day), firstReportAt };
    return { record, bindings: own, zones: zones.get(plant.id)!, today: day, firstReports };
  });
}

/** This year's months of the plants that need them, by plant: two statements more where there are such. */
async function monthsNeeded(
  { db, telemetry }: OperationDependencies,
  groupsOf: ReadonlyMap<string, KindGroups>,
  firstReports: ReadonlyMap<number, number>,
  today: ReadonlyMap<string, number>,
): Promise<Map<string, MonthRollup[]>> {
  const plantOf = new Map<number, string>();
  for (const [plantId, groups] of groupsOf) {
    if (needsMonths(groups, firstReports)) for (const { all } of groups.values()) for (const { binding } of all) plantOf.set(binding.no, plantId);
  }
  if (plantOf.size === 0) return new Map();
  // On new year's eve plants live in two years.
  const yearOfPlant = (plantId: string): number => yearOf(today.get(plantId)!);
  const years = [...new Set(plantOf.values())].map(yearOfPlant);
  const months = await telemetry.monthsOf(db, [...plantOf.keys()], Math.min(...years) * 100 + 1, Math.max(...years) * 100 + 12);
  const ofTheYear = months.filter(({ bindingNo, month }) => Math.trunc(month / 100) === yearOfPlant(plantOf.get(bindingNo)!));
  return Map.groupBy(ofTheYear, ({ bindingNo }) => plantOf.get(bindingNo)!);
}

export type Peak = Pick<PlantRecord, 'peakPowerW' | 'peakPowerAt'>;

/** Today's peak where one device alone tells the plant's power; peaks of several are not reached at one time, and their sum never was. */
function onlyPeak(bindings: readonly MeasuredBinding[], today: number): Peak {
  for (const kind of acPowerPrecedence) {
    const [first, second] = bindings.flatMap(({ binding, latest }) =>
      binding.kind === kind && latest?.day === today && latest.peakPowerW !== null ? latest : [],
    );
    if (second) return {};
    if (first) return { peakPowerW: first.peakPowerW, peakPowerAt: first.peakPowerAt };
  }
  return {};
}

function plantRecord(plant: VisiblePlant, bindings: readonly MeasuredBinding[], groups: KindGroups, now: number): Omit<PlantRecord, 'energies' | 'income'> {
  const current = (kind: DeviceKind): readonly MeasuredBinding[] => groups.get(kind)?.current ?? [];
  const { installerId, installerName, installerEmail } = plant;
  const tariffs = tariffsOf(plant);
  const priceNow = (use: TariffUse): number | undefined => versionAt(tariffs[use] ?? [], now)?.pricePerKwh;
  return {
    ...plant,
    pricePerKwh: priceNow('production'),
    buyPricePerKwh: priceNow('import'),
    sellPricePerKwh: priceNow('export'),
    facts: JSON.parse(plant.facts) as PlantFacts,
    zone: zoneRecord(plant.timeZone, now),
    installer: installerId === null ? undefined : { id: installerId, name: installerName, email: installerEmail },
    state: stateOf(plant.state),
    abnormallyOffline: isAbnormal(plant.state, plant.abnormalDevices),
    alarmCount: plant.pendingAlarms,
    values: plantValues(groups),
    lastReportAt: lastReportOf(bindings),
    inverterCount: current('inverter').length,
    onlineInverterCount: current('inverter').filter(({ binding }) => stateOf(binding.state) !== 'offline').length,
    epmCount: current('epm').length,
    weatherCount: current('weather').length,
  };
}
