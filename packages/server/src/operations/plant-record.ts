import type { PlantFacts, PlantRecord } from '@helioport/contract';
import type { DeviceKind } from '../devices/devices.ts';
import type { VisiblePlant } from '../plants/access.ts';
import { stretchesOfPlants } from '../plants/bindings.ts';
import { tariffsOf, versionAt, type TariffUse } from '../plants/tariffs/tariffs.ts';
import { zonesOf, type ZoneSpan } from '../plants/zones.ts';
import { dayOf, yearOf } from '../calendar/plant-calendar.ts';
import type { MonthRollup } from '../telemetry/telemetry.ts';
import type { OperationDependencies } from './dependencies.ts';
import { earliest, lastReportOf, measured, type MeasuredStretch } from '../figures/figures.ts';
import { groupByKind, needsMonths, plantEnergies, plantValues, type KindGroups } from '../figures/plant-figures.ts';
import { powerKinds } from '../figures/plant-sources.ts';
import { isAbnormal, stateOf } from './states.ts';
import { zoneRecord } from '../calendar/zone-record.ts';

/** A plant's record with what it was made of. */
export interface DescribedPlant {
  readonly record: PlantRecord;
  readonly stretches: readonly MeasuredStretch[];
  readonly zones: readonly ZoneSpan[];
  /** Local day. */
  readonly today: number;
  /** By number of the stretch. */
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
  const numbers = stretches.map(({ no }) => no);
  const [latest, firstReports] = await Promise.all([telemetry.latestOf(db, numbers, now), telemetry.firstReportsOf(db, numbers)]);
  const today = new Map([...zones].map(([plantId, spans]) => [plantId, dayOf(spans, now)]));
  const byPlant = Map.groupBy(
    measured(stretches, latest, (plantId) => today.get(plantId)!),
    ({ stretch }) => stretch.plantId,
  );
  const groupsOf = new Map([...byPlant].map(([plantId, own]) => [plantId, groupByKind(own)]));
  const months = await monthsNeeded(deps, groupsOf, firstReports, today);
  return plants.map((plant) => {
    const [own, groups, day] = [byPlant.get(plant.id) ?? [], groupsOf.get(plant.id) ?? new Map(), today.get(plant.id)!];
    const energies = plantEnergies(groups, firstReports, day, months.get(plant.id) ?? []);
    const firstReportAt = earliest(own.map(({ stretch }) => firstReports.get(stretch.no)));
    const record = { ...plantRecord(plant, own, groups, now), energies, income: energies.production?.amounts, ...onlyPeak(own, day), firstReportAt };
    return { record, stretches: own, zones: zones.get(plant.id)!, today: day, firstReports };
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
    if (needsMonths(groups, firstReports)) for (const { all } of groups.values()) for (const { stretch } of all) plantOf.set(stretch.no, plantId);
  }
  if (plantOf.size === 0) return new Map();
  // On new year's eve plants live in two years.
  const yearOfPlant = (plantId: string): number => yearOf(today.get(plantId)!);
  const years = [...new Set(plantOf.values())].map(yearOfPlant);
  const months = await telemetry.monthsOf(db, [...plantOf.keys()], Math.min(...years) * 100 + 1, Math.max(...years) * 100 + 12);
  const ofTheYear = months.filter(({ binding, month }) => Math.trunc(month / 100) === yearOfPlant(plantOf.get(binding)!));
  return Map.groupBy(ofTheYear, ({ binding }) => plantOf.get(binding)!);
}

export type Peak = Pick<PlantRecord, 'peakPowerW' | 'peakPowerAt'>;

/** Today's peak where one device alone tells the plant's power; peaks of several are not reached at one time, and their sum never was. */
function onlyPeak(stretches: readonly MeasuredStretch[], today: number): Peak {
  for (const kind of powerKinds) {
    const [first, second] = stretches.flatMap(({ stretch, latest }) =>
      stretch.kind === kind && latest?.day === today && latest.peakPowerW !== null ? latest : [],
    );
    if (second) return {};
    if (first) return { peakPowerW: first.peakPowerW, peakPowerAt: first.peakPowerAt };
  }
  return {};
}

function plantRecord(plant: VisiblePlant, stretches: readonly MeasuredStretch[], groups: KindGroups, now: number): Omit<PlantRecord, 'energies' | 'income'> {
  const standing = (kind: DeviceKind): readonly MeasuredStretch[] => groups.get(kind)?.standing ?? [];
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
    lastReportAt: lastReportOf(stretches),
    inverterCount: standing('inverter').length,
    onlineInverterCount: standing('inverter').filter(({ stretch }) => stateOf(stretch.state) !== 'offline').length,
    epmCount: standing('epm').length,
    weatherCount: standing('weather').length,
  };
}
