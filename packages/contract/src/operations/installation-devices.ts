import { exampleInverter, examplePlant } from '../examples.ts';
import { an, ownRecord, ownRecords } from '../records/own.ts';
import { defineOperation } from '../operation.ts';
import { meaning, required } from '../parameters.ts';
import type { DeviceKind } from '../records/index.ts';
import { choice, flag, id, integer, number, textInput } from '../scalars.ts';

const common = {
  family: 'installation',
  permission: 'manage',
  doors: ['operator'],
  own: true,
} as const;
const sn = required(meaning('serial number, case-sensitive', textInput(64, 'sn')));

/** Kinds of device that measure; a collector only reports for them. */
export const measuringKinds = [
  'inverter',
  'epm',
  'weather',
  'ammeter',
] as const satisfies readonly DeviceKind[];

export interface NamedDevice {
  readonly id: string;
  readonly sn: string;
}
const named = { id: an.text('id of the device'), sn: an.text('serial number') };
const exampleNamed = { id: exampleInverter.id, sn: exampleInverter.sn };

export const deviceAdd = defineOperation({
  ...common,
  id: 'device/add',
  write: true,
  summary:
    'Adds a device, with or without a plant. A known device that is not in any plant is bound again.',
  request: {
    plantId: meaning(
      'id of the plant; without it, the device is only registered, and may be bound by an owner whose collector reports it',
      id('plantId'),
    ),
    kind: required(meaning('kind of device', choice(measuringKinds, 'kind'))),
    sn,
    collector: meaning(
      'serial number of the collector that reports for the device',
      textInput(64, 'collector'),
    ),
    model: meaning('model of the device', textInput(100, 'model')),
    name: meaning('name of the device', textInput(100, 'name')),
    ratedPowerW: meaning('rated AC power in watts', number({}, 'ratedPowerW')),
    phases: meaning('phases of an inverter: 1 or 3', integer({ min: 1, max: 3 }, 'phases')),
    dcInputs: meaning('DC inputs of an inverter', integer({ min: 0, max: 100 }, 'dcInputs')),
    storage: meaning('1: an inverter with a battery', flag('storage')),
  },
  response: ownRecord<NamedDevice>('the device', named),
  errors: [
    'missingParameter',
    'invalidValue',
    'noPermission',
    'deviceAlreadyBound',
    'collectorUnknown',
  ],
  example: {
    request: { plantId: examplePlant.id, kind: 'inverter', sn: exampleInverter.sn },
    data: exampleNamed,
  },
});

export const deviceMove = defineOperation({
  ...common,
  id: 'device/move',
  write: true,
  summary:
    'Moves a device or a collector to another plant from now on; its measurements so far stay with the old plant.',
  request: {
    sn,
    plantId: required(meaning('id of the plant to move to', id('plantId'))),
    withDevices: meaning(
      '1: when moving a collector, also move the devices in the same plant that report through it; 0, the default: only the collector',
      flag('withDevices'),
    ),
  },
  response: ownRecord<{ readonly moved: readonly string[] }>('what was moved', {
    moved: an.texts('serial numbers'),
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { sn: exampleInverter.sn, plantId: examplePlant.id },
    data: { moved: [exampleInverter.sn] },
  },
});

export interface ListedDevice extends NamedDevice {
  readonly kind: DeviceKind;
  readonly name: string | null;
  readonly model: string | null;
  readonly plantId: string | null;
  readonly collectorSn: string | null;
  readonly ratedPowerW: number | null;
  readonly createdAt: number;
}

export const deviceList = defineOperation({
  ...common,
  id: 'device/list',
  write: false,
  summary: 'Lists all devices, or those of one plant.',
  request: { plantId: meaning('only devices of this plant', id('plantId')) },
  response: ownRecords<ListedDevice>('a device', {
    ...named,
    kind: an.text('kind of device'),
    name: an.text('name'),
    model: an.text('model'),
    plantId: an.text('id of the device’s plant'),
    collectorSn: an.text('serial number of the collector that reports for the device'),
    ratedPowerW: an.number('rated AC power'),
    createdAt: an.instant('when the device was added'),
  }),
  errors: ['invalidValue'],
  example: {
    request: {},
    data: [
      { ...exampleNamed, kind: 'inverter', plantId: examplePlant.id, createdAt: 1_700_000_000_000 },
    ],
  },
});
