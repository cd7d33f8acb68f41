import type { Values } from '../quantities.ts';
import { an } from './an.ts';
import { energies, values, type Energies } from './energies.ts';
import { energiesOfHouse, inverterValues, meterValues, NOON, weatherValues } from './house.ts';
import { maybe, oneOf, record, type InOf, type Kind, type OutOf } from './kind.ts';
import { beginnings, income, peak, plantSummary, states } from './plants.ts';

export const deviceKinds = ['inverter', 'collector', 'epm', 'weather', 'ammeter'] as const;
export type DeviceKind = (typeof deviceKinds)[number];

const presence = ['online', 'offline'] as const;
const createdAt = an.instant('when it was added', 1_700_000_000_000);
const abnormallyOffline = maybe(
  an.flag(
    'whether it is offline when it should be online, and not merely because it is night',
    false,
  ),
);
const collectorIdentity = {
  id: an.text('id of the collector', '1300386381676644420'),
  sn: an.text('serial number of the collector', 'C0042A'),
  name: maybe(an.text('name of the collector', 'Logger')),
  model: maybe(an.text('model of the collector', 'LAN')),
};

/** The collector as shown in the records of its devices. */
export const collectorSummary = record('the collector that reports for it', {
  ...collectorIdentity,
  state: maybe(an.word(presence, 'state', 'online')),
});
export type CollectorSummary = InOf<typeof collectorSummary>;

interface FactExamples {
  readonly phases?: 1 | 3;
  readonly modelCode?: string;
  readonly isInverter?: boolean;
}

/** Facts of a device that no query filters by: the column `device.facts`. */
const factFields = ({ phases, modelCode, isInverter }: FactExamples = {}) => {
  const of = <T>(example: T): T | undefined => (isInverter ? example : undefined);
  return {
    phases: maybe({
      schema: { type: 'integer', enum: [1, 3], description: 'single- or three-phase' },
      example: phases,
    } satisfies Kind<1 | 3> as Kind<1 | 3>),
    dcInputs: maybe(an.number('number of DC inputs', of(2))),
    storage: maybe(an.flag('whether it has a battery', of(true))),
    modelCode: maybe(an.text('code of the model, in addition to its name', modelCode)),
    profile: maybe(an.text('id of the profile by which its collector asks it')),
    firmwareVersion: maybe(an.text('version of the firmware', of('3D0037'))),
    secondFirmwareVersion: maybe(an.text('version of the second firmware')),
    displayVersion: maybe(
      an.text('version of the display’s firmware as hexadecimal text', of('4b00')),
    ),
    holds: maybe(an.text('parameters that it forgets by itself, and that its collector repeats')),
    gridStandard: maybe(an.text('grid standard', of('VDE4105'))),
    meterModel: maybe(
      an.number(
        '1 grid, 2 with load-side meter, 3 with grid-side meter, 4 storage with load-side meter, 5 storage with grid-side meter ...',
      ),
    ),
    batteryType: maybe(an.text('kind of battery', of('1'))),
    busAddress: maybe(an.text('address on the RS-485 bus')),
    tag: maybe(an.text('tag')),
    warrantyFromAt: maybe(an.instant('begin of the warranty')),
    warrantyUntilAt: maybe(an.instant('end of the warranty')),
  };
};
export type DeviceFacts = InOf<ReturnType<typeof deviceFactsKind>>;
const deviceFactsKind = (examples?: FactExamples) => record('facts', factFields(examples));

export const linkStates = ['answering', 'dark', 'silent'] as const;

/** How a collector reaches a device, and how well, as it said last. */
export const deviceLink = record('how the collector reaches the device', {
  via: an.text('how: tcp, rtu, serial, v5, push or another word of the collector', 'tcp'),
  address: an.text('host and port, or the path of a serial port', '192.168.1.40:502'),
  unit: maybe(an.number('number of the device on its bus', 1)),
  stick: maybe(an.text('serial number of the stick in between')),
  readOnly: an.flag('whether the collector would carry out no write', true),
  state: an.word(
    linkStates,
    'whether it answers; dark: silent because there is no light',
    'answering',
  ),
  timeouts: an.number('answers that did not come in time, since the collector has started', 3),
  strays: an.number('answers that belonged to no question', 0),
  reconnects: an.number('connections that were made again', 1),
  droppedValues: an.number('values that cannot be', 0),
});
export type DeviceLinkRecord = OutOf<typeof deviceLink>;

interface Examples {
  readonly id: string;
  readonly sn: string;
  readonly name?: string;
  readonly model?: string;
  readonly values: Values;
  readonly energies?: Energies;
  readonly income?: InOf<typeof income>;
}

/** What the records of all kinds of device hold that measure something. */
const measuring = (example: Examples) => ({
  id: an.text('id of the device', example.id),
  sn: an.text('serial number', example.sn),
  name: maybe(an.text('name', example.name)),
  model: maybe(an.text('model', example.model)),
  plant: plantSummary,
  collector: maybe(collectorSummary),
  createdAt,
  state: an.word(states, 'state', 'online'),
  abnormallyOffline,
  values: values('latest values', example.values),
  energies: energies(example.energies ?? {}),
  income: example.income ? income : { ...income, example: undefined },
  lastReportAt: maybe(an.instant('time of the last reading', NOON)),
});

export const inverter = record('an inverter', {
  ...measuring({
    id: '1300386381676644418',
    sn: '110F90217A190006',
    name: 'Garage',
    model: 'HS-10K',
    values: inverterValues,
    energies: energiesOfHouse,
    income: income.example!,
  }),
  facts: deviceFactsKind({ phases: 3, isInverter: true }),
  ratedPowerW: maybe(an.watts('rated power', 10_000)),
  ...peak,
  ...beginnings,
});
export interface InverterRecord extends InOf<typeof inverter> {}

/** An EPM unit, which limits export. `acPowerW` is the power of all inverters, and `gridPowerW` that at the grid connection. Phases are those of the meter. */
export const epm = record('an EPM unit', {
  ...measuring({
    id: '1300386381676644422',
    sn: 'EPM0007',
    model: 'HS-EPM3',
    values: meterValues,
    energies: energiesOfHouse,
  }),
  facts: record('facts', {
    ...factFields(),
    exportLimitW: maybe(an.watts('limit of the export', 6000)),
    currentTransformerRatio: maybe(an.number('ratio of the current transformers', 100)),
    failSafe: maybe(an.flag('whether export stops if the unit loses its connection', true)),
    inverterCount: maybe(an.number('number of inverters', 1)),
  }),
});
export interface EpmRecord extends InOf<typeof epm> {}
export type EpmFacts = EpmRecord['facts'];

export const weather = record('a weather station', {
  ...measuring({
    id: '1300386381676644424',
    sn: 'WS0003',
    name: 'Roof',
    values: weatherValues,
  }),
  facts: deviceFactsKind({ modelCode: '1' }),
  sunshineHours: maybe(an.hours('hours today with direct irradiance above 120 W/m²', 3.5)),
});
export interface WeatherRecord extends InOf<typeof weather> {}

export const ammeter = record('an ammeter', {
  ...measuring({
    id: '1300386381676644426',
    sn: 'AM0011',
    name: 'House connection',
    values: meterValues,
    energies: {
      gridImport: energiesOfHouse.gridImport,
      gridExport: energiesOfHouse.gridExport,
    },
  }),
  facts: record('facts', {
    ...factFields({ phases: 3 }),
    currentTransformer: maybe(an.text('current transformer')),
    protocol: maybe(an.text('protocol', 'modbus')),
  }),
});
export interface AmmeterRecord extends InOf<typeof ammeter> {}
export type AmmeterFacts = AmmeterRecord['facts'];

const collectorFacts = record('facts', {
  firmwareVersion: maybe(an.text('version of the firmware', '1.4.0')),
  networkOperator: maybe(an.text('mobile network')),
  iccid: maybe(an.text('number of the SIM card')),
  ssid: maybe(an.text('name of the wireless network')),
  lanAddress: maybe(an.text('address in the local network')),
  deviceLimit: maybe(an.number('number of devices that it can report for', 10)),
  uploadIntervalSeconds: maybe(an.seconds('interval between reports', 300)),
  builtAt: maybe(an.instant('time of manufacture')),
  tag: maybe(an.text('tag')),
});
/** Facts of a collector that no query filters by: the column `device.facts`. */
export type CollectorFacts = InOf<typeof collectorFacts>;

const signalDbm = maybe(an.dbm('radio signal', -63));

export const collector = record('a collector', {
  ...collectorIdentity,
  plant: plantSummary,
  facts: collectorFacts,
  createdAt,
  state: an.word(presence, 'state', 'online'),
  abnormallyOffline,
  lastReportAt: maybe(an.instant('time of the last report', NOON)),
  signalDbm,
  clockOffsetSeconds: maybe(an.seconds('how far its clock is ahead of the server’s', 2)),
  deviceCount: maybe(an.number('number of devices that report through it', 1)),
});
export interface CollectorRecord extends InOf<typeof collector> {}

/** A device of any kind. */
export const device = oneOf('a device, by its kind', {
  inverter,
  collector,
  epm,
  weather,
  ammeter,
});
export type AnyDeviceRecord = InOf<typeof device>;

/** The properties that the records of all kinds of device have which measure something. */
export type DeviceRecord = Omit<WeatherRecord, 'sunshineHours'>;

/** The manufacturer's warranty of an inverter. */
export const warranty = record('the manufacturer’s warranty of an inverter', {
  id: inverter.properties.id,
  sn: inverter.properties.sn,
  fromAt: maybe(an.instant('begin', 1_700_000_000_000)),
  untilAt: maybe(an.instant('end', 1_857_766_400_000)),
  state: an.word(['inWarranty', 'over', 'unknown'], 'state', 'inWarranty'),
});
export type WarrantyRecord = InOf<typeof warranty>;
