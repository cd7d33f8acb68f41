import type { Energies, PlantFacts, PlantRecord } from '@helioport/contract';
import type { DeviceKind } from '../../../fleet/devices/devices.ts';
import type { MonthRollup } from '../../telemetry/telemetry.ts';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import { bindingsOfPlants } from '../../../fleet/plants/bindings.ts';
import { tariffsOf, versionAt, type TariffUse } from '../../../fleet/plants/tariffs/tariffs.ts';
import { zonesOf } from '../../../fleet/plants/zones.ts';
import { dayOf, type Zones } from '../../../platform/calendar/plant-calendar.ts';
import type { FigureSources } from '../sources.ts';
import { lastReportOfBinding, measured, type MeasuredBinding } from '../measured-bindings.ts';
import { connectionOf } from './connection.ts';
import { plantEnergies, plantValues, recordedEnergies } from './plant-figures.ts';
import { bestSums, ofMonths } from '../energy/energy-rows.ts';
import { buyPriceVaries, ownKwh, plantWorth } from './worth.ts';
import { findPasts, type PlantPast, type PlantToDate } from './past-months.ts';
import { findStarts, firstTimes, type Starts } from '../starts.ts';
import { onlyPeak, type Peak } from './peak.ts';
import { isAbnormal, shownStateOf } from '../states.ts';
import { zoneRecord } from '../../../platform/calendar/zone-record.ts';

/** A plant's record, with the data from which it was computed. */
export interface DescribedPlant {
  readonly record: PlantRecord;
  readonly bindings: readonly MeasuredBinding[];
  readonly zones: Zones;
  /** The plant's local day, yyyymmdd. */
  readonly today: number;
  /** Energies since the plant was connected, without what its devices or its owner tell of earlier times. */
  readonly recorded: () => Energies;
}

/** The records of plants, in the given order. */
export const plantRecords = async (
  deps: FigureSources,
  plants: readonly VisiblePlant[],
): Promise<PlantRecord[]> => (await describePlants(deps, plants)).map(({ record }) => record);

/** The records of plants, in the given order. The number of statements does not depend on the number of plants. */
export async function describePlants(
  deps: FigureSources,
  plants: readonly VisiblePlant[],
): Promise<DescribedPlant[]> {
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
  const latest = await telemetry.latestOf(db, numbers, now);
  const today = new Map([...zones].map(([plantId, spans]) => [plantId, dayOf(spans, now)]));
  const measuredBindings = measured(bindings, latest, (plantId) => today.get(plantId)!);
  const starts = await findStarts(deps, measuredBindings, ({ plantId }) => zones.get(plantId)!);
  const byPlant = Map.groupBy(measuredBindings, ({ binding }) => binding.plantId);
  const toDate = plants.map((plant) => ({
    plant,
    bindings: byPlant.get(plant.id) ?? [],
    zones: zones.get(plant.id)!,
    today: today.get(plant.id)!,
  }));
  const pasts = await findPasts(deps, toDate, starts);
  return toDate.map((described, i) => {
    const { bindings: own, zones: spans, today: day } = described;
    const { groups, months } = pasts[i]!;
    const recorded = () => recordedEnergies(groups, { starts, today: day, months });
    return {
      record: plantRecord(described, pasts[i]!, { starts, recorded }, now),
      bindings: own,
      zones: spans,
      today: day,
      recorded,
    };
  });
}

/** Today's peak, if a single device provides the plant's power. */
const peakOfToday = (bindings: readonly MeasuredBinding[], today: number): Peak =>
  onlyPeak(
    bindings.flatMap(({ binding: { kind }, latest }) =>
      latest?.day === today && latest.peakPowerW !== null
        ? [{ kind, peak: { peakPowerW: latest.peakPowerW, peakPowerAt: latest.peakPowerAt } }]
        : [],
    ),
  );

// One literal with all fields: an object that grows field by field is copied again and again.
function plantRecord(
  { plant, bindings, zones, today }: PlantToDate,
  { groups, months }: PlantPast,
  { starts, recorded }: { readonly starts: Starts; readonly recorded: () => Energies },
  now: number,
): PlantRecord {
  const current = (kind: DeviceKind): readonly MeasuredBinding[] => groups.get(kind)?.current ?? [];
  const inverters = current('inverter');
  const { installerId, installerName, installerEmail } = plant;
  const tariffs = tariffsOf(plant);
  const priceNow = (use: TariffUse): number | undefined =>
    versionAt(tariffs[use] ?? [], now)?.pricePerKwh;
  const facts = JSON.parse(plant.facts) as PlantFacts;
  const energies = plantEnergies(groups, {
    starts,
    today,
    months,
    energyOffsetKwh: facts.energyOffsetKwh,
  });
  const { peakPowerW, peakPowerAt } = peakOfToday(bindings, today);
  const { firstReportAt, firstProductionAt } = firstTimes(bindings, starts);
  const { connection, measuredAt } = connectionOf(
    plant,
    [...groups.values()].flatMap((group) => group.current),
    now,
  );
  return {
    id: plant.id,
    ownerId: plant.ownerId,
    name: plant.name,
    type: plant.type,
    capacityKwp: plant.capacityKwp,
    currency: plant.currency,
    pricePerKwh: priceNow('production'),
    buyPricePerKwh: priceNow('import'),
    sellPricePerKwh: priceNow('export'),
    address: plant.address,
    latitude: plant.latitude,
    longitude: plant.longitude,
    tiltDegrees: plant.tiltDegrees,
    azimuthDegrees: plant.azimuthDegrees,
    nmiCode: plant.nmiCode,
    installer:
      installerId === null
        ? undefined
        : { id: installerId, name: installerName, email: installerEmail },
    zone: zoneRecord(plant.timeZone, now),
    facts,
    createdAt: plant.createdAt,
    updatedAt: plant.updatedAt,
    state: shownStateOf(plant.state),
    abnormallyOffline: isAbnormal(plant.state, plant.abnormalDevices),
    values: plantValues(groups),
    lastReportAt: lastReportOfBinding(bindings),
    energies,
    income: energies.production?.amounts,
    connection,
    measuredAt,
    worth: plantWorth({
      priced: plant,
      zones,
      today,
      now,
      firstReportAt,
      recorded,
      ownKwhByMonth: buyPriceVaries(plant) ? ownByMonth(bindings, months) : undefined,
    }),
    peakPowerW,
    peakPowerAt,
    firstReportAt,
    firstProductionAt,
    inverterCount: inverters.length,
    onlineInverterCount: inverters.filter(
      ({ binding }) => shownStateOf(binding.state) !== 'offline',
    ).length,
    epmCount: current('epm').length,
    weatherCount: current('weather').length,
    alarmCount: plant.pendingAlarms,
  };
}

/** What was produced and not sold in each month. */
const ownByMonth = (
  bindings: readonly MeasuredBinding[],
  months: readonly MonthRollup[],
): Map<number, number> => {
  const kinds = new Map(bindings.map(({ binding: { no, kind } }) => [no, kind]));
  const byMonth = Map.groupBy(ofMonths(months), ({ coverage }) => coverage.period);
  return new Map(
    [...byMonth].flatMap(([month, periods]) => {
      const own = ownKwh(bestSums(kinds, periods));
      return own === undefined ? [] : [[month, own] as const];
    }),
  );
};
