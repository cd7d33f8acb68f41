import type { DeviceOrder, DeviceRanking, RankedDevice, PresenceState } from '@helioport/contract';
import { countPending } from '../../../outbound/alarms/pending.ts';
import {
  deviceMeasurements,
  deviceRecord,
  type DeviceMeasurements,
} from '../../../measurements/figures/device/device-record.ts';
import { getPlant } from '../../../fleet/plants/access.ts';
import { listPlantDevices } from '../../../fleet/plants/device-access.ts';
import { isConnectionCurrent } from '../../../measurements/figures/plant/connection.ts';
import { foldText } from '../../../fleet/plants/ranking/keys.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

const KINDS = ['inverter', 'collector', 'epm', 'ammeter', 'weather'] as const;

/** All devices of a plant at a glance. A plant has hundreds at most, so that they are sorted in memory; the statements do not depend on their number. */
export function createDeviceRanking(deps: OperationDependencies): HandlersOf<'device/ranking'> {
  const { db } = deps;
  return {
    async 'device/ranking'(
      caller,
      { plantId, pageNo, pageSize, sort = 'state', direction, search, kind, states },
    ) {
      await getPlant(db, caller, plantId, 'read');
      const found = await listPlantDevices(db, caller, plantId);
      const [measured, alarms] = await Promise.all([
        deviceMeasurements(deps, found),
        countPending(db, plantId),
      ]);
      const offsets = new Map(
        found.map(({ id, clockOffsetSeconds }) => [id, clockOffsetSeconds ?? undefined]),
      );
      const all = measured.map((device) =>
        rankedDevice(device, alarms.get(device.device.id) ?? 0, offsets),
      );
      const text = search === undefined ? undefined : foldText(search);
      const left = all.filter(
        (one) =>
          (kind === undefined || one.kind === kind) &&
          (text === undefined || textOf(one).includes(text)),
      );
      const listed = left
        .filter(({ state }) => !states || states.includes(state))
        .toSorted(comparisonOf(sort, direction));
      const from = (pageNo - 1) * pageSize;
      return {
        page: {
          records: listed.slice(from, from + pageSize),
          total: listed.length,
          pageNo,
          pageSize,
        },
        kinds: countBy(all, KINDS, (one) => one.kind),
        states: countBy(
          left,
          ['online', 'offline', 'alarm'],
          ({ state }) => state,
        ) as DeviceRanking['states'],
      };
    },
  };
}

function rankedDevice(
  measured: DeviceMeasurements,
  alarmCount: number,
  clockOffsets: ReadonlyMap<string, number | undefined>,
): RankedDevice {
  const { device, bindings } = measured;
  const { state, abnormallyOffline, values, energies, lastReportAt, ...record } =
    deviceRecord(measured);
  const clockOffset = clockOffsets.get(device.collectorId ?? '');
  const now = bindings.some((one) => isConnectionCurrent(one, measured.now, clockOffset))
    ? values
    : {};
  const isInverter = device.kind === 'inverter';
  const isMeter = device.kind === 'epm' || device.kind === 'ammeter';
  const dayKwh = isInverter ? energies.production?.todayKwh : undefined;
  const { ratedPowerW } = device;
  return {
    id: record.id,
    kind: device.kind,
    sn: record.sn,
    name: record.name,
    model: record.model,
    state,
    abnormallyOffline: abnormallyOffline === true,
    alarmCount,
    // The reports of a collector carry the readings of its devices, and its own only at times.
    lastReportAt: (device.kind === 'collector' ? device.reportedAt : null) ?? lastReportAt,
    ratedPowerW,
    powerW: isInverter ? now.acPowerW : isMeter ? now.gridPowerW : undefined,
    dayKwh,
    fullHours: dayKwh == null || !ratedPowerW ? undefined : dayKwh / (ratedPowerW / 1000),
    collectorId: record.collector?.id,
    collectorState: record.collector?.state,
    batterySocPercent: values.batterySocPercent,
  };
}

const textOf = ({ name, sn, model }: RankedDevice): string =>
  foldText(`${name ?? ''}\n${sn}\n${model ?? ''}`);

function countBy<K extends string>(
  devices: readonly RankedDevice[],
  keys: readonly K[],
  keyOf: (device: RankedDevice) => K,
): { [Key in K]?: number } {
  const counts = Object.groupBy(devices, keyOf);
  return Object.fromEntries(keys.map((key) => [key, counts[key]?.length ?? 0])) as {
    [Key in K]?: number;
  };
}

const NEEDS: readonly PresenceState[] = ['alarm', 'offline', 'online'];

/** States, that which most needs looking at first; a device that rests at night comes after one that should be online. */
const need = ({ state, abnormallyOffline }: RankedDevice): number =>
  NEEDS.indexOf(state) * 2 - (abnormallyOffline ? 1 : 0);

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const byName = (a: RankedDevice, b: RankedDevice): number =>
  names.compare(a.name ?? a.sn, b.name ?? b.sn) || (a.id < b.id ? -1 : 1);

const figures = {
  kind: ({ kind }) => KINDS.indexOf(kind),
  state: need,
  power: ({ powerW }) => powerW,
  day: ({ dayKwh }) => dayKwh,
  fullHours: ({ fullHours }) => fullHours,
  reported: ({ lastReportAt }) => lastReportAt,
} satisfies Readonly<
  Record<Exclude<DeviceOrder, 'name'>, (device: RankedDevice) => number | null | undefined>
>;

const UPWARDS: readonly DeviceOrder[] = ['kind', 'name', 'state'];

function comparisonOf(
  sort: DeviceOrder,
  direction: 'up' | 'down' | undefined,
): (a: RankedDevice, b: RankedDevice) => number {
  const sign = (direction ?? (UPWARDS.includes(sort) ? 'up' : 'down')) === 'up' ? 1 : -1;
  if (sort === 'name') return (a, b) => sign * byName(a, b);
  const figure: (device: RankedDevice) => number | null | undefined = figures[sort];
  return (a, b) => {
    const [x, y] = [figure(a), figure(b)];
    if (x == null || y == null) return x == null && y == null ? byName(a, b) : x == null ? 1 : -1;
    return sign * (x - y) || byName(a, b);
  };
}
