import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  defineOperation,
  errors,
  hasDoor,
  operationsBy,
  pathsOf,
  readRequest,
  type Door,
  type JsonSchema,
  type Operation,
} from '../../packages/contract/src/index.ts';
import { operations } from '../../packages/contract/src/index.ts';
import { requestSchema } from '../../packages/contract/src/openapi/request.ts';
import { everyOperation, projected } from './every-operation.ts';
import { fullOutputs } from './full-records.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
ajv.addVocabulary(['x-unit', 'x-unit-field']);
function faultsOf(schema: JsonSchema, instances: readonly unknown[]): unknown[] {
  const fits = ajv.compile(schema);
  return instances.flatMap((instance) => (fits(instance) ? [] : (fits.errors ?? [])));
}

const named = everyOperation.map((operation) => [operation.id, operation] as const);

describe.each(named)('%s', (id, operation: Operation) => {
  test('its example request is read without a fault', () => {
    expect(readRequest(operation, operation.example.request)).toHaveProperty('input');
  });

  test('its example request fits its schema', () => {
    expect(faultsOf(requestSchema(operation), [operation.example.request])).toEqual([]);
  });

  test('its example data fits its schema, and so does an answer with everything known', () => {
    const answers =
      id in fullOutputs
        ? [operation.example.data, projected(id, fullOutputs[id])]
        : [operation.example.data];
    expect(faultsOf(operation.response.schema, answers)).toEqual([]);
  });

  test('it can refuse a value, says what it does, and names errors of the registry', () => {
    if (Object.keys(operation.request).length > 0)
      expect(operation.errors).toContain('invalidValue');
    expect(operation.errors.every((name) => name in errors)).toBe(true);
    const needs =
      operation.needsOneOf !== undefined ||
      operation.allOrNoneOf !== undefined ||
      Object.values(operation.request).some(({ required }) => required);
    // Whom the operator means may have to be said, though a person who is signed in need not say it.
    if (needs || !('email' in operation.request))
      expect(operation.errors.includes('missingParameter')).toBe(needs);
    expect(operation.summary).toMatch(/^[A-Z].*\.$/);
  });

  test('each wire name belongs to one of its parameters, and each says what it is for', () => {
    const parameters = Object.values(operation.request);
    const first = parameters.map(({ names: [name] }) => name);
    expect(new Set(first).size).toBe(first.length);
    for (const { names, meaning } of parameters)
      expect([names[0], meaning]).toEqual([names[0], expect.any(String)]);
  });
});

test('every operation stands under its own id in one table', () => {
  expect(Object.entries(operations).filter(([key, { id }]) => key !== id)).toEqual([]);
});

const doors: readonly Door[] = [
  'signed',
  'oauth',
  'client',
  'portal',
  'console',
  'support',
  'operator',
];

test('an operation has a path by each door of its own, and none by another', () => {
  const prefixes: Record<Door, RegExp> = {
    signed: /^\/v[12]\/api\//,
    oauth: /^\/api\/(access_data|control_device)\//,
    client: /^\/oauth\/forwarding\//,
    portal: /^\/portal\/api\//,
    console: /^\/portal\/console\//,
    support: /^\/portal\/support\//,
    operator: /^$/,
  };
  for (const operation of everyOperation) {
    expect([operation.id, operation.doors.length > 0, new Set(operation.doors).size]).toEqual([
      operation.id,
      true,
      operation.doors.length,
    ]);
    for (const door of doors) {
      const paths = pathsOf(operation, door);
      const hasPaths = hasDoor(operation, door) && door !== 'operator';
      expect([
        operation.id,
        door,
        paths.length > 0,
        paths.every((path) => prefixes[door].test(path)),
      ]).toEqual([operation.id, door, hasPaths, true]);
    }
  }
});

test('a scope without the door for tokens, and the door without a scope, cannot be declared', () => {
  const { scope: _, ...withoutScope } = operations.userStationList;
  expect(() => defineOperation({ ...operations.userStationList, doors: ['signed'] })).toThrow(
    'userStationList: the door oauth and a scope go together',
  );
  expect(() => defineOperation(withoutScope)).toThrow('the door oauth and a scope go together');
});

test('no two operations share a path', () => {
  const paths = everyOperation.flatMap((operation) =>
    doors.flatMap((door) => pathsOf(operation, door)),
  );
  expect(paths.filter((path, i) => paths.indexOf(path) !== i)).toEqual([]);
});

test('the 37 operations of the existing interface are declared, its misspellings and ours beside them', () => {
  const ids = everyOperation.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
  const existing =
    `userStationList stationDetail stationDetailList stationDay stationMonth stationYear stationAll stationDayEnergyList
    stationMonthEnergyList stationYearEnergyList addStation stationUpdate addStationBindCollector delCollector addDevice inverterList
    inverterDetail inverterDetailList inverterDay inverterMonth inverterYear inverterAll inverter/shelfTime alarmList collectorList
    collectorDetail collector/day epmList epmDetail epm/day epm/month epm/year epm/all weatherList weatherDetail ammeterList
    ammeterDetail`.split(/\s+/);
  expect(existing).toHaveLength(37);
  expect(existing.filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids).toEqual(
    expect.arrayContaining(['inveterList', 'inveterDetail', 'stationList', 'collector/signal']),
  );
  const control = ['control', 'atRead', 'atReadBatch', 'atReadSAPN', 'result', 'login'];
  for (const { id, own } of everyOperation)
    expect([id, own === true]).toEqual([id, ![...existing, ...control].includes(id)]);
});

// interface W2
test('applications get every operation of data and control but those of ammeters and our own, and no management', () => {
  const closed = operationsBy('signed')
    .filter(
      (operation) =>
        !hasDoor(operation, 'oauth') &&
        (!['control', 'strategies'].includes(operation.family) || operation.own !== true) &&
        operation.id !== 'login',
    )
    .map(({ family }) => family);
  expect(new Set(closed)).toEqual(
    new Set(['ammeters', 'management', 'discoveries', 'invitations']),
  );
  expect(
    everyOperation.filter(
      ({ scope, family }) =>
        scope === 'access_data' && (family === 'ammeters' || family === 'management'),
    ),
  ).toEqual([]);
});

test('what changes something is marked as a write and needs the right to manage, or to control', () => {
  for (const { id, write, permission, family } of operationsBy('signed').filter(
    (one) => one.family === 'control',
  )) {
    const writes = [
      'control',
      'command/send',
      'command/cancel',
      'command/undo',
      'command/seen',
      'control/stop',
      'control/release',
    ];
    const reads = [
      'command/list',
      'command/show',
      'command/parameters',
      'control/powerLimits',
      'control/state',
    ];
    const owners = ['control/stop', 'control/release', 'command/byOthers', 'command/seen'];
    const needed = owners.includes(id) ? 'manage' : reads.includes(id) ? 'read' : 'control';
    expect([id, family, write, permission]).toEqual([id, 'control', writes.includes(id), needed]);
  }
  for (const { id, write, permission } of everyOperation.filter(
    (one) => one.family === 'strategies',
  )) {
    const owners = ['strategy/stop', 'strategy/resume', 'strategy/setLimits'];
    const reads = ['strategy/list', 'strategy/detail', 'strategy/delivery', 'strategy/limits'];
    const needed = owners.includes(id) ? 'manage' : reads.includes(id) ? 'read' : 'control';
    expect([id, write, permission]).toEqual([
      id,
      !reads.includes(id) && id !== 'strategy/validate',
      needed,
    ]);
  }
  for (const { id, write, permission, family } of operationsBy('signed').filter(
    (one) => !['control', 'strategies'].includes(one.family),
  ))
    expect([id, write, permission === 'manage' || permission === 'install']).toEqual(
      family === 'discoveries'
        ? [id, id === 'discovery/bind', true]
        : family === 'invitations'
          ? [id, write, write]
          : [id, family === 'management', family === 'management'],
    );
});
