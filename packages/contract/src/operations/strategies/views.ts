import { EXAMPLE_STRATEGY_ID, exampleInverter, examplePlant } from '../../examples.ts';
import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required, type RequestParameter } from '../../parameters.ts';
import { flag, id, integer, number, objects, textInput } from '../../scalars.ts';
import {
  intervalSchema,
  QUIET_HOURS_AT_MOST,
  quietHoursSchema,
  type StrategyDetail,
  type StrategyDeviceRecord,
  type StrategyLimits,
  type StrategyRecord,
} from '../../strategies.ts';

const common = { family: 'strategies', own: true } as const;
const everybody = {
  ...common,
  permission: 'read',
  doors: ['oauth', 'signed', 'portal', 'support', 'operator'],
  scope: 'control_device',
  write: false,
} as const;
const owners = { ...common, doors: ['signed', 'portal', 'operator'] } as const;

const properties = {
  id: an.text('id of the strategy'),
  reference: an.text('the application’s own name for it'),
  name: an.text('name that people see'),
  program: an.text('the program to which it belongs'),
  priority: an.number('its priority in the program, 0 is the highest'),
  applicationName: an.text('the application that created it'),
  state: an.text(
    'draft, dispatching, active; then completed, partlyApplied (it failed on some devices), cancelled or failed',
  ),
  reason: an.text('why it ended otherwise than planned'),
  startAt: an.instant('when it begins'),
  endAt: an.instant('when it ends'),
  heartbeatSeconds: an.number('it ends if no heartbeat arrives for so many seconds'),
  heartbeatAt: an.instant('when the last heartbeat arrived'),
  intervals: { type: 'array', items: intervalSchema, description: 'its day plan' },
  powerKw: an.number('its set point: the power at the plants’ connections, + is export'),
  createdAt: an.instant('when it was created'),
  dispatchedAt: an.instant('when it was dispatched'),
  endedAt: an.instant('when it ended'),
  devices: {
    type: 'object',
    description: 'how many of its devices are in each state',
    additionalProperties: { type: 'number' },
  },
} as const;

export const strategyRecord = ownRecord<StrategyRecord>('the strategy', properties);
const records = ownRecords<StrategyRecord>('a strategy', properties);

const target = {
  sn: an.text('serial number of the device'),
  plantId: an.text('id of its plant'),
  state: an.text(
    'draft, dispatching, active, paused (somebody has set it by hand), completed, cancelled or failed',
  ),
  reason: an.text('why it is paused, or ended otherwise than planned'),
  powerKw: an.number('its share of a set point'),
  appliedAt: an.instant('when it first had the settings of the strategy'),
  endedAt: an.instant('when the strategy ended on it'),
  restoredAt: an.instant('when it had its former settings again'),
};
const { project: projectTargets, schema: targets } = ownRecords<StrategyDeviceRecord>(
  'a device',
  target,
);
const detail = ownRecord<StrategyDetail>('the strategy', { ...properties, targets });

export const exampleStrategy: StrategyRecord = {
  id: EXAMPLE_STRATEGY_ID,
  reference: 'evening-2026-11-06',
  name: 'Evening peak',
  program: 'Peak shaving',
  priority: 0,
  applicationName: 'Peak Partner',
  state: 'draft',
  reason: null,
  startAt: 1_793_966_400_000,
  endAt: 1_794_052_800_000,
  heartbeatSeconds: null,
  heartbeatAt: null,
  intervals: [
    { start: '02:00', end: '05:00', payload: { type: 'charge', socPercent: 90, powerKw: 3 } },
    { start: '17:00', end: '20:00', payload: { type: 'discharge', socPercent: 20, powerKw: 3 } },
  ],
  powerKw: null,
  createdAt: 1_793_963_100_000,
  dispatchedAt: null,
  endedAt: null,
  devices: { draft: 1 },
};

const strategyId = required(meaning('id of the strategy', id('id')));
const refusals = ['missingParameter', 'invalidValue', 'noPermission'] as const;

export const strategyList = defineOperation({
  ...everybody,
  id: 'strategy/list',
  summary:
    'Lists strategies, newest first: an application’s own, or all that concern the caller’s plants.',
  request: {
    plantId: meaning('only strategies for this plant', id('plantId')),
    reference: meaning(
      'only the strategy with this reference of the application',
      textInput(100, 'reference'),
    ),
    current: meaning('1: only strategies that have not ended', flag('current')),
    before: meaning('only strategies older than the one with this id', id('before')),
    limit: meaning(
      'maximum number of strategies; 100 by default',
      integer({ min: 1, max: 1000 }, 'limit'),
    ),
  },
  response: records,
  errors: ['invalidValue', 'noPermission'],
  example: { request: {}, data: records.project([exampleStrategy]) },
});

export const strategyDetail = defineOperation({
  ...everybody,
  id: 'strategy/detail',
  summary: 'Shows a strategy and how far it has come on each of the caller’s devices.',
  request: {
    id: strategyId,
    after: meaning(
      'only devices that follow the one with this serial number',
      textInput(64, 'after'),
    ),
    limit: meaning(
      'maximum number of devices; 1000 by default',
      integer({ min: 1, max: 10_000 }, 'limit'),
    ),
  },
  response: {
    ...detail,
    project: (output: StrategyDetail) => ({
      ...detail.project(output),
      targets: projectTargets(output.targets),
    }),
  },
  errors: refusals,
  example: {
    request: { id: EXAMPLE_STRATEGY_ID },
    data: {
      ...strategyRecord.project(exampleStrategy),
      targets: [{ sn: exampleInverter.sn, plantId: examplePlant.id, state: 'draft' }],
    },
  },
});

export const strategyStop = defineOperation({
  ...owners,
  id: 'strategy/stop',
  permission: 'manage',
  write: true,
  summary:
    'Ends a strategy on the devices of the caller’s plants, which get their former settings back.',
  request: { id: strategyId, plantId: meaning('only on the devices of this plant', id('plantId')) },
  response: nothing,
  errors: refusals,
  example: { request: { id: EXAMPLE_STRATEGY_ID }, data: null },
});

export const strategyResume = defineOperation({
  ...owners,
  id: 'strategy/resume',
  permission: 'manage',
  write: true,
  summary:
    'Has a strategy go on on the devices of the caller’s plants where a write by hand has paused it. What was written by hand is given back when it ends.',
  request: { id: strategyId, plantId: meaning('only on the devices of this plant', id('plantId')) },
  response: nothing,
  errors: refusals,
  example: { request: { id: EXAMPLE_STRATEGY_ID }, data: null },
});

const plantId = required(meaning('id of the plant', id('plantId')));
const limits = ownRecord<StrategyLimits>('what strategies may do in the plant', {
  reserveSocPercent: an.number('the state of charge below which no strategy discharges a battery'),
  cyclesPerDay: an.number('how often a strategy may discharge a battery completely within a day'),
  quietHours: {
    type: 'array',
    items: quietHoursSchema,
    description: 'hours in which no strategy does anything',
  },
});

const quietHours: RequestParameter<readonly object[] | undefined, 'quietHours'> = {
  ...objects(
    QUIET_HOURS_AT_MOST,
    `a list of at most ${QUIET_HOURS_AT_MOST} objects with start, end and days`,
    'quietHours',
  ),
  schema: {
    type: 'array',
    items: quietHoursSchema,
    maxItems: QUIET_HOURS_AT_MOST,
    description: `at most ${QUIET_HOURS_AT_MOST} hours`,
  },
};

const exampleLimits: StrategyLimits = {
  reserveSocPercent: 30,
  cyclesPerDay: 1,
  quietHours: [{ start: '22:00', end: '06:00' }],
};

export const strategyLimits = defineOperation({
  ...owners,
  id: 'strategy/limits',
  permission: 'read',
  write: false,
  summary: 'Shows what strategies may do in a plant.',
  request: { plantId },
  response: limits,
  errors: refusals,
  example: { request: { plantId: examplePlant.id }, data: limits.project(exampleLimits) },
});

export const strategySetLimits = defineOperation({
  ...owners,
  id: 'strategy/setLimits',
  permission: 'manage',
  write: true,
  summary:
    'Sets what strategies may do in a plant; no strategy passes these limits, and those under way are changed accordingly.',
  description: 'A limit that is not sent is removed.',
  request: {
    plantId,
    reserveSocPercent: meaning(
      'the state of charge below which no strategy discharges a battery',
      number({ min: 0, max: 100 }, 'reserveSocPercent'),
    ),
    cyclesPerDay: meaning(
      'how often a strategy may discharge a battery completely within a day',
      number({ min: 0, max: 100 }, 'cyclesPerDay'),
    ),
    quietHours: meaning(
      'hours of the plant’s wall clock in which no strategy does anything',
      quietHours,
    ),
  },
  response: limits,
  errors: refusals,
  example: {
    request: {
      plantId: examplePlant.id,
      reserveSocPercent: 30,
      cyclesPerDay: 1,
      quietHours: exampleLimits.quietHours,
    },
    data: limits.project(exampleLimits),
  },
});
