import { keepLosses } from '../../packages/server/src/outbound/performance/stored-losses.ts';
import { quantities, type operations } from '@helioport/contract';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import {
  assignCollector,
  type DeviceKind,
} from '../../packages/server/src/fleet/devices/devices.ts';
import type { createFleet, Measurements } from './fleet.ts';
import type { PlantOperation } from './plant-operations.ts';

/** A device of a scene; one of the same kind that nobody knows has an id and a serial number too. */
interface Named {
  readonly id: string;
  readonly sn: string;
}

/** A plant with a device of every kind, each of which has reported; and two people. */
export interface Scene {
  readonly owner: string;
  readonly other: string;
  readonly otherEmail: string;
  readonly plantId: string;
  readonly devices: Readonly<Record<DeviceKind, Named>>;
}

const kinds = [
  'inverter',
  'collector',
  'epm',
  'weather',
  'ammeter',
] as const satisfies readonly DeviceKind[];

/** The local day of the readings. */
export const SCENE_DAY = '2026-06-01';
export const SCENE_NOW = '2026-06-01T12:00:00Z';

const readings: Record<DeviceKind, Measurements> = {
  inverter: { acPowerW: 1234, energyTotalKwh: 56 },
  collector: { signalDbm: -61 },
  epm: { acPowerW: 1234, gridPowerW: 1234, gridExportTotalKwh: 56 },
  weather: { irradianceWm2: 1234, ambientTemperatureC: 12.34 },
  ammeter: { gridPowerW: 1234, gridImportTotalKwh: 56 },
};

/** Two days on which an inverter stood still. */
const lostDays = (sn: string) =>
  [20_260_530, 20_260_531].map((day) => ({
    day,
    digest: '',
    expectedKwh: 10,
    clippedKwh: 0,
    producedKwh: 4,
    uncertaintyPercent: 8,
    missing: null,
    price: 0.1,
    ratios: {},
    dueSteps: 40,
    ranSteps: 16,
    dueKwh: 10,
    ranKwh: 4,
    losses: [{ cause: 'standstill', sn, kwh: 5, amount: 0.5, confidence: 'high' } as const],
  }));

export async function createScene(fleet: ReturnType<typeof createFleet>): Promise<Scene> {
  const [owner, other] = [await fleet.person(), await fleet.person()];
  const plantId = await fleet.plant(owner.id, { pricePerKwh: 0.1 });
  const devices = {} as Record<DeviceKind, Named>;
  for (const kind of kinds) devices[kind] = await fleet.device(plantId, { kind });
  for (const kind of kinds) {
    if (kind !== 'collector')
      await fleet.write((trx) => assignCollector(trx, devices[kind].id, devices.collector.id));
    await fleet.report(devices[kind].sn, [
      ['2026-06-01T11:50:00Z', readings[kind]],
      ['2026-06-01T11:55:00Z', readings[kind]],
    ]);
  }
  const circumstances = { now: fleet.clock.now(), newId: fleet.newId };
  const fault = {
    code: 'TEST1',
    level: 2,
    message: 'made up',
    beginAt: Date.parse('2026-06-01T11:00:00Z'),
  } as const;
  await fleet.write((trx) =>
    changeAlarms(trx, circumstances, devices.inverter.id, [{ raise: fault }]),
  );
  await fleet.write((trx) => keepLosses(trx, plantId, lostDays(devices.inverter.sn)));
  return { owner: owner.id, other: other.id, otherEmail: other.email, plantId, devices };
}

/** A value for every quantity there is; counters of energy grow. */
const everything = (step: number): Measurements =>
  Object.fromEntries(
    [...quantities.values()].map(({ name, unit }) => [
      name,
      unit === 'kWh' ? 100 + step : unit === '%' ? 50 : unit === '' ? 1 : 3 * step,
    ]),
  );

/** A scene in which each device has reported everything there is. */
export async function createRichScene(fleet: ReturnType<typeof createFleet>): Promise<Scene> {
  const scene = await createScene(fleet);
  for (const { sn } of Object.values(scene.devices)) {
    await fleet.report(
      sn,
      [1, 2, 3].map(
        (i) => [Date.parse('2026-06-01T11:56:00Z') + i * 60_000, everything(i)] as const,
      ),
    );
  }
  return scene;
}

const unknownDevice = (i: number): Named => ({ id: `130000000000000000${i}`, sn: `UNKNOWN-${i}` });

/** Nothing that exists. */
export const UNKNOWN: Pick<Scene, 'plantId' | 'devices'> = {
  plantId: '1300000000000000000',
  devices: Object.fromEntries(kinds.map((kind, i) => [kind, unknownDevice(i + 1)])) as Record<
    DeviceKind,
    Named
  >,
};

type Question = (scene: Pick<Scene, 'plantId' | 'devices'>) => Record<string, unknown>;

const time = SCENE_DAY;
const month = SCENE_DAY.slice(0, 7);
const year = SCENE_DAY.slice(0, 4);

const ofPlant = (period: object = {}): Question[] => [
  ({ plantId }) => ({ id: plantId, ...period }),
];
const ofPlants = (period: object = {}): Question[] => [
  () => ({ ...period }),
  ({ plantId }) => ({ idList: [plantId], ...period }),
];
const ofDevices = (): Question[] => [() => ({}), ({ plantId }) => ({ stationId: plantId })];
const ofDevice = (kind: DeviceKind, period: object = {}): Question[] => [
  ({ devices }) => ({ sn: devices[kind].sn, ...period }),
  ({ devices }) => ({ id: devices[kind].id, ...period }),
  ({ devices }) => ({ ...devices[kind], ...period }),
];

/** Operations that only read; test/management/access.test.ts asks the others. */
export type QueryId = {
  [Id in PlantOperation]: (typeof operations)[Id]['write'] extends false ? Id : never;
}[PlantOperation];

/** How each operation is asked about the plant of a scene or a device in it. A new operation without rows here fails the access matrix. */
export const questions: Record<QueryId, readonly Question[]> = {
  userStationList: ofPlants(),
  stationDetail: ofPlant(),
  stationDetailList: ofPlants(),
  stationDay: ofPlant({ time }),
  stationMonth: ofPlant({ month }),
  stationYear: ofPlant({ year }),
  stationAll: ofPlant(),
  stationDayEnergyList: ofPlants({ time }),
  stationMonthEnergyList: ofPlants({ time: month }),
  stationYearEnergyList: ofPlants({ time: year }),
  inverterList: [...ofDevices(), ({ devices }) => ({ snList: devices.inverter.sn })],
  inverterDetail: ofDevice('inverter'),
  inverterDetailList: [...ofDevices(), ({ devices }) => ({ snList: [devices.inverter.sn] })],
  inverterDay: ofDevice('inverter', { time }),
  inverterMonth: ofDevice('inverter', { month }),
  inverterYear: ofDevice('inverter', { year }),
  inverterAll: ofDevice('inverter'),
  'inverter/shelfTime': [() => ({}), ({ devices }) => ({ sn: devices.inverter.sn })],
  collectorList: ofDevices(),
  collectorDetail: ofDevice('collector'),
  'collector/day': ofDevice('collector', { time }),
  epmList: ofDevices(),
  epmDetail: ofDevice('epm'),
  'epm/day': ofDevice('epm', { time, searchinfo: 'p_inverter_total' }),
  'epm/month': ofDevice('epm', { month }),
  'epm/year': ofDevice('epm', { year }),
  'epm/all': ofDevice('epm'),
  weatherList: ofDevices(),
  'performance/day': [({ plantId }) => ({ plantId, day: time })],
  'performance/energy': [({ plantId }) => ({ plantId, each: 'month', year })],
  'performance/losses': [({ plantId }) => ({ plantId, each: 'month', year })],
  'performance/visits': [() => ({}), () => ({ limit: 20 })],
  weatherDetail: ofDevice('weather'),
  ammeterList: ofDevices(),
  ammeterDetail: ofDevice('ammeter'),
  alarmList: [
    ...ofDevices(),
    ({ devices }) => ({ alarmDeviceSn: devices.inverter.sn }),
    () => ({ alarmBeginTime: time, alarmEndTime: time, state: 0 }),
  ],
};
