import type { PlantDayRow, PlantFacts, PlantRecord } from '@helioport/contract';
import type { DeviceKind } from '../devices/devices.ts';
import type { VisiblePlant } from '../plants/access.ts';
import { stretchesOfPlants } from '../plants/bindings.ts';
import { tariffsOf, versionAt } from '../plants/tariffs.ts';
import { zonesOf } from '../plants/zones.ts';
import { dayOf } from '../telemetry/plant-day.ts';
import type { MonthRollup } from '../telemetry/telemetry.ts';
import type { OperationDependencies } from './dependencies.ts';
import { earliest, lastReportOf, measured, type MeasuredStretch } from './figures.ts';
import type { FirstProduction } from './first-production.ts';
import { plantDayRows } from './plant-day-rows.ts';
import { groupByKind, isToldTwice, plantEnergies, plantValues, type KindGroups } from './plant-figures.ts';
import { powerSources } from './plant-sources.ts';
import { isAbnormal, stateOf } from './states.ts';
import { zoneRecord } from './zone-record.ts';

/** The records of some plants, in their order: as many statements for a hundred plants as for one. */
export async function plantRecords(deps: OperationDependencies, plants: readonly VisiblePlant[]): Promise<PlantRecord[]> {
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
  const months = await monthsToldTwice(deps, [...groupsOf.values()]);
  return plants.map((plant) => {
    const [own, groups, day] = [byPlant.get(plant.id) ?? [], groupsOf.get(plant.id) ?? new Map(), today.get(plant.id)!];
    const energies = plantEnergies(
      groups,
      day,
      own.flatMap(({ stretch }) => months.get(stretch.no) ?? []),
    );
    const firstReportAt = earliest(own.map(({ stretch }) => firstReports.get(stretch.no)));
    return { ...plantRecord(plant, own, groups, now), energies, income: energies.production?.amounts, ...onlyPeak(own, day), firstReportAt };
  });
}

/** The months of the plants in which more than one kind of devices tells of an energy, by binding: one statement more where there are such. */
async function monthsToldTwice({ db, telemetry }: OperationDependencies, plants: readonly KindGroups[]): Promise<Map<number, MonthRollup[]>> {
  const numbers = plants.filter(isToldTwice).flatMap((groups) => [...groups.values()].flatMap(({ all }) => all.map(({ stretch }) => stretch.no)));
  return numbers.length === 0 ? new Map() : Map.groupBy(await telemetry.monthsOf(db, numbers, 0, LAST_MONTH), ({ binding }) => binding);
}

const LAST_MONTH = 999_912;

/** The record of one plant with what costs more statements. */
export async function plantDetail(deps: OperationDependencies, plant: VisiblePlant, findFirstProduction: FirstProduction): Promise<PlantRecord> {
  const { id: plantId, timeZone, zoneChanged } = plant;
  const [[record], stretches, zones] = await Promise.all([
    plantRecords(deps, [plant]),
    stretchesOfPlants(deps.db, [plantId]),
    zonesOf(deps.db, [{ plantId, timeZone, zoneChanged }]),
  ]);
  const [firstProductionAt, peak] = await Promise.all([
    findFirstProduction(stretches, zones.get(plantId)!),
    record!.peakPowerW === undefined ? plantDayRows(deps, plant, undefined).then(highest) : {},
  ]);
  return { ...record!, ...peak, firstProductionAt };
}

const powerKinds = powerSources.find(([name]) => name === 'acPowerW')![1];

type Peak = Pick<PlantRecord, 'peakPowerW' | 'peakPowerAt'>;

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

/** The highest sum of what the devices gave at one time. */
function highest(rows: readonly PlantDayRow[]): Peak {
  let [peakPowerW, peakPowerAt] = [-Infinity, 0];
  for (const { at, values } of rows) {
    if (values.acPowerW === undefined || values.acPowerW <= peakPowerW) continue;
    peakPowerW = values.acPowerW;
    peakPowerAt = at;
  }
  return peakPowerW === -Infinity ? {} : { peakPowerW, peakPowerAt };
}

function plantRecord(plant: VisiblePlant, stretches: readonly MeasuredStretch[], groups: KindGroups, now: number): Omit<PlantRecord, 'energies' | 'income'> {
  const standing = (kind: DeviceKind): readonly MeasuredStretch[] => groups.get(kind)?.standing ?? [];
  const { installerId, installerName, installerEmail } = plant;
  return {
    ...plant,
    pricePerKwh: versionAt(tariffsOf(plant).production ?? [], now)?.pricePerKwh,
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
