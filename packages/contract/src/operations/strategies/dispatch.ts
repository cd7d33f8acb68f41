import { EXAMPLE_STRATEGY_ID, exampleInverter } from '../../examples.ts';
import { an, ownRecord } from '../../records/own.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required, type RequestParameter } from '../../parameters.ts';
import { id, instant, integer, listInput, number, objects, textInput } from '../../scalars.ts';
import { INTERVALS_AT_MOST, intervalSchema, TARGETS_AT_MOST } from '../../strategies.ts';
import { exampleStrategy, strategyRecord } from './views.ts';

const common = {
  family: 'strategies',
  permission: 'control',
  doors: ['oauth'],
  scope: 'control_device',
  own: true,
} as const;

const strategyId = required(meaning('id of the strategy', id('id')));

const intervals: RequestParameter<readonly object[] | undefined, 'intervals'> = {
  ...objects(
    INTERVALS_AT_MOST,
    `a list of at most ${INTERVALS_AT_MOST} intervals with start, end, days and payload`,
    'intervals',
  ),
  schema: {
    type: 'array',
    items: intervalSchema,
    maxItems: INTERVALS_AT_MOST,
    description: `at most ${INTERVALS_AT_MOST} intervals`,
  },
};

const changeable = {
  start: meaning('when it begins; by default, at once', instant('start')),
  end: meaning('when it ends', instant('end')),
  heartbeatSeconds: meaning(
    'it ends if no heartbeat arrives for so many seconds; by default, it needs none',
    integer({ min: 30, max: 86_400 }, 'heartbeatSeconds'),
  ),
  intervals: meaning('a day plan: hours of the plants’ wall clocks, repeated every day', intervals),
  powerKw: meaning(
    'a set point: the power at the plants’ connections, + is export',
    number({ min: -1_000_000, max: 1_000_000 }, 'powerKw'),
  ),
} as const;

const content = {
  reference: required(
    meaning(
      'the application’s own name for it; the same request with the same reference creates it once',
      textInput(100, 'reference'),
    ),
  ),
  name: required(meaning('name that people see', textInput(100, 'name'))),
  program: meaning('the program to which it belongs', textInput(100, 'program')),
  priority: meaning(
    'its priority in the program, 0 is the highest',
    integer({ min: 0, max: 1_000_000 }, 'priority'),
  ),
  plantIds: meaning('all devices of these plants that can do it', listInput(1000, 'plantIds')),
  serialNumbers: meaning('devices, by serial number', listInput(TARGETS_AT_MOST, 'sn')),
  ...changeable,
  end: required(changeable.end),
} as const;

const aims = {
  needsOneOf: ['intervals', 'powerKw'],
  atMostOneOf: ['intervals', 'powerKw'],
} as const;
const refusals = ['missingParameter', 'invalidValue', 'noPermission', 'deviceUnknown'] as const;

const request = {
  reference: 'evening-2026-11-06',
  name: 'Evening peak',
  program: 'Peak shaving',
  priority: 0,
  sn: exampleInverter.sn,
  start: '2026-11-06T12:00:00Z',
  end: '2026-11-07T12:00:00Z',
  intervals: exampleStrategy.intervals,
};

export const strategyCreate = defineOperation({
  ...common,
  id: 'strategy/create',
  write: true,
  summary: 'Creates a strategy without dispatching it.',
  description:
    'A strategy concerns plants of the owner whose token is used. It is a day plan (`intervals`) or a set point (`powerKw`). If one of its devices is not in a plant that the owner has ticked, or cannot do it, nothing is created.',
  request: content,
  ...aims,
  response: strategyRecord,
  errors: [...refusals, 'referenceTaken'],
  example: { request, data: strategyRecord.project(exampleStrategy) },
});

export const strategyValidate = defineOperation({
  ...common,
  id: 'strategy/validate',
  write: false,
  summary: 'Checks whether a strategy could be created and dispatched now, without doing so.',
  description:
    'The answer is that of the first check that fails, as `strategy/create` or `strategy/dispatch` would give it.',
  request: content,
  ...aims,
  response: ownRecord<{ readonly devices: number }>('the strategy could be dispatched', {
    devices: an.number('number of devices'),
  }),
  errors: [...refusals, 'referenceTaken', 'controlStopped', 'deviceBusy'],
  example: { request, data: { devices: 1 } },
});

export const strategyDispatch = defineOperation({
  ...common,
  id: 'strategy/dispatch',
  write: true,
  summary: 'Dispatches a strategy to all its devices, or to none.',
  description:
    'From its start on, each device is set accordingly, and every setting is read back. Dispatching it again changes nothing.',
  request: { id: strategyId },
  response: strategyRecord,
  errors: [...refusals, 'strategyOver', 'controlStopped', 'deviceBusy'],
  example: {
    request: { id: EXAMPLE_STRATEGY_ID },
    data: strategyRecord.project({
      ...exampleStrategy,
      state: 'dispatching',
      dispatchedAt: 1_793_963_200_000,
    }),
  },
});

export const strategyAmend = defineOperation({
  ...common,
  id: 'strategy/amend',
  write: true,
  summary: 'Changes when a strategy begins and ends, or what it does, while it has not ended.',
  description:
    'What is not sent stays as it is. A strategy that has begun keeps its start. It keeps its devices, too.',
  request: { id: strategyId, ...changeable },
  atMostOneOf: ['intervals', 'powerKw'],
  response: strategyRecord,
  errors: [...refusals, 'strategyOver', 'deviceBusy'],
  example: {
    request: { id: EXAMPLE_STRATEGY_ID, end: '2026-11-08T12:00:00Z' },
    data: strategyRecord.project({ ...exampleStrategy, endAt: 1_794_139_200_000 }),
  },
});

export const strategyHeartbeat = defineOperation({
  ...common,
  id: 'strategy/heartbeat',
  write: true,
  summary: 'Says that the application still follows a strategy.',
  request: { id: strategyId },
  response: ownRecord<{ readonly nextBefore: number | null }>('the next heartbeat', {
    nextBefore: an.instant('when the strategy ends unless another heartbeat arrives first'),
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'strategyOver'],
  example: { request: { id: EXAMPLE_STRATEGY_ID }, data: { nextBefore: 1_793_963_500_000 } },
});

export const strategyCancel = defineOperation({
  ...common,
  id: 'strategy/cancel',
  write: true,
  summary: 'Ends a strategy: its devices get their former settings back.',
  request: { id: strategyId },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { id: EXAMPLE_STRATEGY_ID }, data: null },
});
