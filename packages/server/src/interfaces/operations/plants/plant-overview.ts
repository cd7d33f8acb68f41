import {
  FEW_PLANTS,
  type PlantOverview,
  type PlantRecord,
  type PlantState,
  type RankedPlant,
} from '@helioport/contract';
import { findEmails } from '../../../identity/accounts/accounts.ts';
import type { Caller } from '../../../identity/accounts/caller.ts';
import { dayText, wallTime } from '../../../platform/calendar/plant-calendar.ts';
import { urgentAlarms, type UrgentAlarm } from '../../../outbound/alarms/pending.ts';
import { isAbnormal } from '../../../measurements/figures/states.ts';
import {
  plantYesterdays,
  type Yesterday,
} from '../../../measurements/figures/energy/plant-periods.ts';
import { describePlants, plantRecords } from '../../../measurements/figures/plant/plant-record.ts';
import { recentCurves } from '../../../measurements/figures/plant/recent-curves.ts';
import { sumKnown, sumRecords } from '../../../measurements/figures/plant/sum-records.ts';
import { narrow, reachOf, type Reach, type VisiblePlant } from '../../../fleet/plants/access.ts';
import { countArchived } from '../../../fleet/plants/archived.ts';
import { listPlants } from '../../../fleet/plants/fleet/plant-list.ts';
import { countStates, totalOf } from '../../../fleet/plants/fleet/visible-counts.ts';
import { presence } from '../../../fleet/plants/presence.ts';
import {
  plantStateName,
  plantStateNumbers,
  type RankingOrder,
} from '../../../fleet/plants/ranking/order.ts';
import { recentFigures } from '../../../outbound/performance/recent-figures.ts';
import { placePlants } from '../../../fleet/plants/ranking/positions.ts';
import { rankPlants, type RankingSelection } from '../../../fleet/plants/ranking/ranking.ts';
import { sumPlants, type CurrencySums } from '../../../fleet/plants/ranking/sums.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

/** All plants of a caller at a glance: their sums, their order by anything shown, and where they are. */
export function createPlantOverview(
  deps: OperationDependencies,
): HandlersOf<'plant/overview' | 'plant/ranking' | 'plant/positions' | 'plant/curves'> {
  const { db, clock } = deps;
  return {
    async 'plant/overview'(caller) {
      const reach = reachOf(caller, 'read');
      const [counts, archived] = await Promise.all([
        countStates(db, reach, 'plant'),
        countArchived(db, reach),
      ]);
      const plants = totalOf(counts);
      const inState = (state: PlantState): number => counts.get(presence[state]) ?? 0;
      return {
        plants,
        online: inState('online'),
        offline: inState('offline'),
        alarm: inState('alarm'),
        building: inState('building'),
        archived,
        ...(plants > FEW_PLANTS
          ? addUp(await sumPlants(db, reach, clock.now()))
          : await sumsOfFew(deps, reach)),
      };
    },

    async 'plant/ranking'(caller, { pageNo, pageSize, sort = 'name', direction, search, states }) {
      const order: RankingOrder = {
        sort,
        direction: direction ?? (sort === 'name' || sort === 'state' ? 'up' : 'down'),
      };
      const selection = selectionOf(caller, search, states);
      const { ids, total } = await rankPlants(
        db,
        selection,
        order,
        { pageNo, pageSize },
        clock.now(),
      );
      const found = await listPlants(
        db,
        { reach: narrow(selection.reach, ids) },
        { pageNo: 1, pageSize },
      );
      const byId = new Map(found.map((plant) => [plant.id, plant]));
      // A plant may have been archived a moment ago.
      const plants = ids.flatMap((id) => byId.get(id) ?? []);
      const alarming = plants
        .filter(({ pendingAlarms, state }) => pendingAlarms > 0 || state !== presence.online)
        .map(({ id }) => id);
      const others = plants
        .filter(({ ownerId }) => ownerId !== selection.reach.accountId)
        .map(({ ownerId }) => ownerId);
      const [records, yesterdays, alarms, emails, recent] = await Promise.all([
        plantRecords(deps, plants),
        plantYesterdays(deps, plants),
        urgentAlarms(db, alarming),
        findEmails(db, others),
        recentFigures(db, ids),
      ]);
      return {
        records: records.map((record, i) =>
          rankedPlant(record, {
            plant: plants[i]!,
            yesterday: yesterdays[i]!,
            alarms,
            emails,
            recent,
          }),
        ),
        total,
        pageNo,
        pageSize,
      };
    },

    async 'plant/positions'(caller, { south, west, north, east, plantId, search, states }) {
      const section =
        south === undefined ? undefined : { south, west: west!, north: north!, east: east! };
      const { reach, ...filter } = selectionOf(caller, search, states);
      return placePlants(
        db,
        { ...filter, reach: narrow(reach, plantId === undefined ? undefined : [plantId]) },
        section,
      );
    },

    async 'plant/curves'(caller, { plantIds }) {
      const plants = await listPlants(
        db,
        { reach: narrow(reachOf(caller, 'read'), plantIds) },
        { pageNo: 1, pageSize: FEW_PLANTS },
      );
      return recentCurves(
        deps,
        plants.map(({ id }) => id),
      );
    },
  };
}

const selectionOf = (
  caller: Caller,
  search: string | undefined,
  states: readonly PlantState[] | undefined,
): RankingSelection => ({
  reach: reachOf(caller, 'read'),
  states: states?.map((state) => plantStateNumbers[state]),
  search,
});

type Sums = Pick<
  PlantOverview,
  | 'capacityKwp'
  | 'unmeasured'
  | 'powerW'
  | 'dayKwh'
  | 'monthKwh'
  | 'yearKwh'
  | 'totalKwh'
  | 'worths'
  | 'disconnected'
  | 'asOf'
  | 'recordedSince'
>;

/** From what the list shows of the plants, so that a reader who adds up its lines gets the same. */
async function sumsOfFew(deps: OperationDependencies, reach: Reach): Promise<Sums> {
  const now = deps.clock.now();
  const plants = await listPlants(deps.db, { reach }, { pageNo: 1, pageSize: FEW_PLANTS });
  const described = await describePlants(deps, plants);
  const records = described.map(({ record }) => record);
  const firstDays = described.flatMap(({ record: { firstReportAt }, zones }) =>
    typeof firstReportAt === 'number' ? [wallTime(zones, firstReportAt).slice(0, 10)] : [],
  );
  const sums = addUp(sumRecords(plants, records, now));
  return {
    ...sums,
    worths: sums.worths.map((one) => ({
      ...one,
      since: firstWorthDay(records.filter(({ currency }) => currency === one.currency)),
    })),
    recordedSince: firstDays.toSorted()[0],
  };
}

/** The first day on which any of some plants was worth something. */
function firstWorthDay(records: readonly PlantRecord[]): string | undefined {
  const days = records.flatMap(({ worth }) => worth?.sinceDay ?? []);
  return days.length === 0 ? undefined : dayText(Math.min(...days));
}

function addUp(currencies: readonly CurrencySums[]): Sums {
  const sum = (of: (one: CurrencySums) => number | null): number | undefined =>
    sumKnown(currencies.map(of)) ?? undefined;
  const oldest = Math.min(...currencies.map(({ workedOutAt }) => workedOutAt));
  const worths = currencies.filter(({ totalWorth }) => totalWorth !== null);
  return {
    capacityKwp: sum((one) => one.capacityKwp) ?? 0,
    unmeasured: sum((one) => one.unmeasured) ?? 0,
    powerW: sum((one) => one.powerW),
    dayKwh: sum((one) => one.dayKwh),
    monthKwh: sum((one) => one.monthKwh),
    yearKwh: sum((one) => one.yearKwh),
    totalKwh: sum((one) => one.totalKwh),
    disconnected: sum((one) => one.disconnected) ?? 0,
    worths: worths.map(({ currency, dayWorth, monthWorth, yearWorth, totalWorth }) => ({
      currency,
      today: dayWorth,
      month: monthWorth,
      year: yearWorth,
      total: totalWorth,
    })),
    asOf: oldest === Infinity || oldest === 0 ? undefined : oldest,
  };
}

interface Beside {
  readonly plant: VisiblePlant;
  readonly yesterday: Yesterday;
  readonly alarms: ReadonlyMap<string, UrgentAlarm>;
  /** Of the owners of plants that are not the caller’s, by account id. */
  readonly emails: ReadonlyMap<string, string>;
  readonly recent: Awaited<ReturnType<typeof recentFigures>>;
}

function rankedPlant(
  { energies, worth, values, connection, measuredAt, lastReportAt }: PlantRecord,
  { plant, yesterday, alarms, emails, recent }: Beside,
): RankedPlant {
  const { production } = energies;
  const alarm = alarms.get(plant.id);
  const now = connection === 'live' ? values : {};
  return {
    id: plant.id,
    name: plant.name,
    address: plant.address,
    level: plant.level,
    ownerEmail: emails.get(plant.ownerId),
    state: plantStateName(plant.state),
    abnormallyOffline: isAbnormal(plant.state, plant.abnormalDevices),
    alarmCount: plant.pendingAlarms,
    alarmCode: alarm?.code,
    alarmMessage: alarm?.message,
    timeZone: plant.timeZone,
    latitude: plant.latitude,
    longitude: plant.longitude,
    capacityKwp: plant.capacityKwp,
    currency: plant.currency,
    powerW: now.acPowerW,
    gridPowerW: now.gridPowerW,
    loadPowerW: now.loadPowerW,
    batteryPowerW: now.batteryPowerW,
    batterySocPercent: now.batterySocPercent,
    dayKwh: production?.todayKwh,
    yesterdayKwh: yesterday.kwh,
    yesterdayFullHours: yesterday.fullHours,
    monthKwh: production?.monthKwh,
    yearKwh: production?.yearKwh,
    totalKwh: production?.totalKwh,
    ...recent.get(plant.id),
    dayWorth: worth?.sum.today,
    totalWorth: worth?.sum.total,
    worthOf: worth?.of,
    connection,
    measuredAt,
    lastReportAt,
  };
}
