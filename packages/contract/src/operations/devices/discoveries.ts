import { exampleCollector, exampleInverter, examplePlant } from '../../examples.ts';
import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { choice, id, integer, textInput } from '../../scalars.ts';
import { deviceLink, type DeviceKind, type DeviceLinkRecord } from '../../records/devices.ts';
import { measuringKinds } from '../installation-devices.ts';

const common = {
  family: 'discoveries',
  permission: 'install',
  doors: ['signed', 'portal', 'operator'],
  own: true,
} as const;
const errors = ['invalidValue', 'noPermission'] as const;

/** A serial number that waits to be bound. */
export interface DiscoveryRecord {
  readonly sn: string;
  /** Serial number of the collector that reported it. */
  readonly collectorSn: string;
  /** Plant of that collector. */
  readonly plantId: string;
  /** What it is known to be, or says that it is. */
  readonly kind?: DeviceKind | undefined;
  readonly model?: string | undefined;
  readonly link?: DeviceLinkRecord | undefined;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
  /** How many of its readings are kept, and come with it. */
  readonly kept: number;
}

const EXAMPLE_AT = 1_793_963_100_000;

export const discoveryList = defineOperation({
  ...common,
  id: 'discovery/list',
  write: false,
  summary:
    'Lists serial numbers that collectors of the caller’s plants have reported and that nobody has bound, latest first.',
  description:
    'What each collector reports is kept for its 100 latest refusals; what it has not reported for long may be missing.',
  request: {
    plantId: meaning('only those that a collector in this plant has reported', id('plantId')),
    limit: meaning('maximum number; 100 by default', integer({ min: 1, max: 1000 }, 'limit')),
  },
  response: ownRecords<DiscoveryRecord>('a serial number that was reported', {
    sn: an.text('serial number'),
    collectorSn: an.text('serial number of the collector that reported it'),
    plantId: an.text('id of the collector’s plant'),
    kind: an.text('what it is known to be, or says that it is: inverter, epm, weather or ammeter'),
    model: an.text('its model, as far as it is known'),
    link: deviceLink,
    firstAt: an.instant('since when it has been reported'),
    lastAt: an.instant('when it was reported last'),
    count: an.number('how many of its readings, alarms and descriptions were refused'),
    kept: an.number(
      'how many of its readings are kept for whoever binds it: of the last seven days, at most 10,000 of a collector',
    ),
  }),
  errors,
  example: {
    request: { plantId: examplePlant.id },
    data: [
      {
        sn: exampleInverter.sn,
        collectorSn: exampleCollector.sn,
        plantId: examplePlant.id,
        kind: 'inverter',
        model: 'HS-8K-ES',
        link: deviceLink.example,
        firstAt: EXAMPLE_AT - 600_000,
        lastAt: EXAMPLE_AT,
        count: 2,
        kept: 2,
      },
    ],
  },
});

export const discoveryBind = defineOperation({
  ...common,
  id: 'discovery/bind',
  write: true,
  summary: 'Binds a device that `discovery/list` shows.',
  description:
    'Like `addDevice`, but for devices of every kind, and by default to the plant of the collector that reported it.',
  request: {
    sn: required(meaning('serial number, case-sensitive', textInput(64, 'sn'))),
    kind: meaning(
      'kind of the device; by default what it is known to be or says that it is, or an inverter. It can be corrected as long as the device has never been in a plant of another owner',
      choice(measuringKinds, 'kind'),
    ),
    plantId: meaning('another plant of the same owner', id('plantId')),
  },
  response: ownRecord<{ readonly sn: string; readonly plantId: string }>(
    'where the device is now',
    {
      sn: an.text('serial number'),
      plantId: an.text('id of the plant'),
    },
  ),
  errors: ['missingParameter', ...errors, 'deviceAlreadyBound'],
  example: {
    request: { sn: exampleInverter.sn },
    data: { sn: exampleInverter.sn, plantId: examplePlant.id },
  },
});
