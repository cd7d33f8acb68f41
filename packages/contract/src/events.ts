import { exampleInverter, examplePlant } from './examples.ts';
import type { JsonSchema } from './json-schema.ts';
import { lossCauses } from './records/losses.ts';
import { quantities } from './quantities.ts';

/** A kind of event that is forwarded to applications. */
export interface EventKindEntry {
  /** Its stored form, so that a set of kinds is one number. Never reused. */
  readonly bit: number;
  /** Raised when `data` changes in a way that receivers have to know of. */
  readonly version: number;
  readonly summary: string;
  /** Schemas of the properties of `data`; those in `optional` may be absent. */
  readonly data: Readonly<Record<string, JsonSchema>>;
  readonly optional?: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
}

const text = (description: string): JsonSchema => ({ type: 'string', description });
const known = (description: string): JsonSchema => ({ type: ['string', 'null'], description });
const instant = (description: string): JsonSchema => ({
  type: 'integer',
  description: `${description}, in epoch milliseconds`,
  'x-unit': 'ms',
});

const AT = 1_793_963_100_000;
const ALARM_ID = '1793963100000000002';

const values: JsonSchema = {
  type: 'object',
  description: 'values by quantity, each in the unit in which its name ends',
  additionalProperties: false,
  properties: Object.fromEntries(
    [...quantities].map(([name, { description }]) => [name, { type: 'number', description }]),
  ),
};

const alarm = {
  alarmId: text('id of the alarm'),
  code: text('code of the alarm, as in the alarm list'),
  level: {
    type: 'integer',
    enum: [1, 2, 3],
    description: 'severity: 1 tip, 2 general, 3 emergency',
  },
  message: text('what it means'),
  beginAt: instant('when it began'),
} as const satisfies Record<string, JsonSchema>;

const authorizationId = text('id of the authorization; its events have a sequence of their own');
const account = text('the owner, as `sub` in the answer of the introspection endpoint');

const boundDevice = { deviceKind: text('inverter, collector, epm or weather') };

const authorization = {
  authorizationId: text('id of the authorization that gives access to it'),
  account,
};

const place = (description: string): JsonSchema => ({ type: ['number', 'null'], description });

const sequences: JsonSchema = {
  type: 'object',
  description:
    'the last number of each of its sequences: what these events say is known here already. Kinds without any event, and kinds that the destination does not take, are absent',
  additionalProperties: { type: 'integer' },
};

/** Kinds of events that are about no plant, and about a plant but no device. */
const WITHOUT_PLANT: readonly string[] = [
  'authorization.granted',
  'authorization.revoked',
  'snapshot.complete',
];
const WITHOUT_DEVICE: readonly string[] = ['plant.changed', 'performance.loss', 'snapshot.plant'];

/** Every kind of event, by name. docs/asyncapi-forwarding.json describes them. */
export const eventKinds = {
  'telemetry.sample': {
    bit: 1,
    version: 1,
    summary: 'What a device measured at one instant.',
    data: {
      at: instant('when it was measured'),
      values,
      amended: {
        const: true,
        description: 'it came late, or replaces what was sent before for this instant',
      },
    },
    optional: ['amended'],
    example: { at: AT, values: { acPowerW: 1234.5, energyTotalKwh: 812.25 } },
  },
  'device.state': {
    bit: 2,
    version: 1,
    summary: 'A device went online or offline, or an alarm of it began or ended.',
    data: {
      state: {
        type: 'string',
        enum: ['online', 'offline', 'alarm'],
        description: 'the state from now on',
      },
      formerState: {
        type: 'string',
        enum: ['online', 'offline', 'alarm'],
        description: 'the state before',
      },
      unexpected: {
        type: 'boolean',
        description: 'whether it is offline although it should be reporting',
      },
    },
    example: { state: 'offline', formerState: 'online', unexpected: false },
  },
  'alarm.raised': {
    bit: 4,
    version: 1,
    summary:
      'An alarm began. One that ended only because its plant was archived is sent again, with the same `alarmId`, if the plant is back within a day.',
    data: alarm,
    example: {
      alarmId: ALARM_ID,
      code: 'H101',
      level: 2,
      message: 'the device is silent',
      beginAt: AT,
    },
  },
  'alarm.cleared': {
    bit: 8,
    version: 1,
    summary: 'An alarm ended.',
    data: { ...alarm, endAt: instant('when it ended') },
    example: {
      alarmId: ALARM_ID,
      code: 'H101',
      level: 2,
      message: 'the device is silent',
      beginAt: AT,
      endAt: AT + 900_000,
    },
  },
  'control.result': {
    bit: 16,
    version: 1,
    summary: 'A command that was to write a parameter of a device has ended.',
    data: {
      commandId: text('id of the command'),
      parameter: text('number of the parameter; `cid` in control operations'),
      state: {
        type: 'string',
        enum: ['verified', 'failed', 'refused', 'expired', 'cancelled', 'superseded'],
        description: 'how it ended',
      },
      reason: known('why it did not succeed'),
      oldValue: known('value before the write, if it was read'),
      newValue: known('value that was to be written'),
      readValue: known('value that was read last'),
      endedAt: instant('when it ended'),
    },
    example: {
      commandId: '1793963100000000003',
      parameter: '157',
      state: 'verified',
      reason: null,
      oldValue: '30',
      newValue: '20',
      readValue: '20',
      endedAt: AT + 4_000,
    },
  },
  'strategy.state': {
    bit: 32,
    version: 1,
    summary: 'The course of a strategy on a device has changed.',
    data: {
      strategyId: text('id of the strategy, for the application that dispatched it'),
      state: {
        type: 'string',
        enum: ['dispatching', 'active', 'paused', 'completed', 'cancelled', 'failed'],
        description: 'the state from now on',
      },
      reason: known('why it pauses, or ended otherwise than planned'),
    },
    example: {
      strategyId: '1793963100000000006',
      state: 'paused',
      reason: 'parameter 157 was written by hand',
    },
  },
  'authorization.granted': {
    bit: 64,
    version: 1,
    summary: 'An owner gave the application access, or changed what it may do.',
    data: {
      authorizationId,
      account,
      scopes: {
        type: 'array',
        items: { type: 'string' },
        description: 'what the application may do from now on',
      },
      plantIds: {
        type: ['array', 'null'],
        items: { type: 'string' },
        description: 'the plants that the owner chose; null = all, including future ones',
      },
    },
    example: {
      authorizationId: '1793963100000000004',
      account: '1793963100000000005',
      scopes: ['access_data'],
      plantIds: [examplePlant.id],
    },
  },
  'authorization.revoked': {
    bit: 128,
    version: 1,
    summary: 'An authorization has ended. No event of its plants follows.',
    data: {
      authorizationId,
      account,
      reason: {
        type: 'string',
        enum: ['revoked', 'expired'],
        description: 'expired: its last refresh token was not used in time, or was revoked',
      },
    },
    example: {
      authorizationId: '1793963100000000004',
      account: '1793963100000000005',
      reason: 'revoked',
    },
  },
  'device.bound': {
    bit: 256,
    version: 1,
    summary: 'A device came to a plant.',
    data: boundDevice,
    example: { deviceKind: 'inverter' },
  },
  'device.unbound': {
    bit: 512,
    version: 1,
    summary: 'A device left its plant.',
    data: boundDevice,
    example: { deviceKind: 'inverter' },
  },
  'plant.changed': {
    bit: 1024,
    version: 1,
    summary: 'Properties of a plant changed.',
    data: {
      changed: {
        type: 'array',
        items: { type: 'string' },
        description: 'names of the properties that changed',
      },
    },
    example: { changed: ['capacityKwp'] },
  },
  'performance.loss': {
    bit: 16_384,
    version: 1,
    summary:
      'A loss that a visit to a plant would mend began or ended, as performance/visits lists them. Losses are worked out once a day, after the plant’s midnight.',
    data: {
      state: { type: 'string', enum: ['begun', 'ended'], description: 'what became of it' },
      cause: { type: 'string', enum: [...lossCauses], description: 'why energy is lost' },
      sn: text('serial number of the inverter; absent: the whole plant'),
      since: text('first day of the loss in the plant’s calendar, yyyy-mm-dd'),
      lostKwh: {
        type: 'number',
        description: 'energy lost since then; once it has ended, as far as it was told',
        'x-unit': 'kWh',
      },
      kwhPerYear: {
        type: 'number',
        description: 'energy that is lost in a year if nothing changes',
        'x-unit': 'kWh',
      },
      lostAmount: { type: 'number', description: 'the value of the energy lost' },
      currency: text('currency of that value'),
    },
    optional: ['sn', 'lostAmount'],
    example: {
      state: 'begun',
      cause: 'standstill',
      sn: exampleInverter.sn,
      since: '2026-10-12',
      lostKwh: 61,
      kwhPerYear: 840,
      lostAmount: 6.7,
      currency: 'EUR',
    },
  },
  'snapshot.plant': {
    bit: 2048,
    version: 1,
    summary: 'A plant as it is. Part of a snapshot, which a destination gets when it asks for one.',
    data: {
      ...authorization,
      name: text('what the owner calls it'),
      timeZone: text('IANA time zone'),
      capacityKwp: { type: 'number', description: 'installed capacity', 'x-unit': 'kWp' },
      latitude: place('degrees north of the equator'),
      longitude: place('degrees east of Greenwich'),
      sequences,
    },
    example: {
      authorizationId: '1793963100000000004',
      account: '1793963100000000005',
      name: 'House in Berlin',
      timeZone: 'Europe/Berlin',
      capacityKwp: 10.4,
      latitude: 52.54,
      longitude: 13.41,
      sequences: { 'plant.changed': 2 },
    },
  },
  'snapshot.device': {
    bit: 4096,
    version: 1,
    summary: 'A device as it is, with its newest values. Part of a snapshot.',
    data: {
      ...boundDevice,
      state: { type: 'string', enum: ['online', 'offline', 'alarm'], description: 'its state' },
      stateSince: instant('since when'),
      at: {
        type: ['integer', 'null'],
        description: 'when it last measured, in epoch milliseconds; null = never',
        'x-unit': 'ms',
      },
      values,
      alarms: {
        type: 'array',
        items: { type: 'object', properties: alarm, required: Object.keys(alarm) },
        description: 'alarms that have not ended',
      },
      sequences,
    },
    example: {
      deviceKind: 'inverter',
      state: 'online',
      stateSince: AT - 3_600_000,
      at: AT,
      values: { acPowerW: 1234.5, energyTotalKwh: 812.25 },
      alarms: [],
      sequences: { 'telemetry.sample': 17, 'device.state': 4 },
    },
  },
  'snapshot.complete': {
    bit: 8192,
    version: 1,
    summary: 'A snapshot is complete. From here on, the stream goes on.',
    data: {
      plants: { type: 'integer', description: 'how many plants it has' },
      devices: { type: 'integer', description: 'how many devices it has' },
      refused: {
        type: 'integer',
        description: 'how many of them were not taken; they are sent again later',
      },
    },
    example: { plants: 1, devices: 3, refused: 0 },
  },
} as const satisfies Record<string, EventKindEntry>;

export type EventKind = keyof typeof eventKinds;

/** All kinds of events, in the order of the registry. */
export const eventKindNames = Object.keys(eventKinds) as EventKind[];

/** A set of kinds as bits, the form in which it is stored. */
export const bitsOfKinds = (kinds: readonly EventKind[]): number =>
  kinds.reduce((bits, kind) => bits | eventKinds[kind].bit, 0);

/** The kinds for some bits. */
export const kindsOfBits = (bits: number): EventKind[] =>
  eventKindNames.filter((kind) => bits & eventKinds[kind].bit);

/** An event as applications receive it. */
export interface ForwardedEvent {
  /** Stays with the event over all attempts and replays. */
  readonly id: string;
  readonly kind: EventKind;
  readonly version: number;
  /** Counts the events of one device (or plant, or authorization) and kind, without gaps. */
  readonly sequence: number;
  /** Present if the application could not receive earlier events of this sequence, so that a gap before this one is none. */
  readonly resumed?: true;
  /** Epoch ms, by the clock of its source. */
  readonly occurredAt: number;
  /** Epoch ms, when it was recorded. */
  readonly recordedAt: number;
  readonly plantId: string | null;
  readonly deviceSn: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The properties that all events have. */
export const eventSchema = (kind: EventKind): JsonSchema => {
  const { version, summary, data, optional = [] }: EventKindEntry = eventKinds[kind];
  return {
    type: 'object',
    description: summary,
    properties: {
      id: text('the same for every attempt and every replay'),
      kind: { const: kind },
      version: { const: version },
      sequence: {
        type: 'integer',
        minimum: 1,
        description: kind.startsWith('snapshot.')
          ? 'counts the snapshots of the application; the same for all events of a snapshot'
          : 'counts the events of one device (or plant, or authorization) and kind, without gaps',
      },
      resumed: {
        const: true,
        description:
          'the application could not receive earlier events of this sequence: a gap before this one is none',
      },
      occurredAt: instant('when it happened, by the clock of its source'),
      recordedAt: instant('when it was recorded'),
      plantId: known('id of the plant; null if the event is not about one'),
      deviceSn: known('serial number of the device; null if the event is not about one'),
      data: {
        type: 'object',
        properties: data,
        required: Object.keys(data).filter((name) => !optional.includes(name)),
      },
    },
    required: [
      'id',
      'kind',
      'version',
      'sequence',
      'occurredAt',
      'recordedAt',
      'plantId',
      'deviceSn',
      'data',
    ],
  };
};

/** An event of a kind, for documentation. */
export const exampleEvent = (kind: EventKind): ForwardedEvent => {
  const { version, example } = eventKinds[kind];
  const plantId = WITHOUT_PLANT.includes(kind) ? null : examplePlant.id;
  const deviceSn = plantId === null || WITHOUT_DEVICE.includes(kind) ? null : exampleInverter.sn;
  const about = {
    kind,
    version,
    occurredAt: AT,
    recordedAt: AT + 900,
    plantId,
    deviceSn,
    data: example,
  };
  return kind.startsWith('snapshot.')
    ? { id: 'snapshot-3-1793963100000000001', sequence: 3, resumed: true, ...about }
    : { id: `${AT}-5512-0`, sequence: 17, ...about };
};
