import { signedPath } from '@helioport/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { applicationOpenApi, userOpenApi } from '../../packages/contract/src/openapi/index.ts';
import { operationsBy } from '../../packages/contract/src/operations/index.ts';
import { operationsPage } from '../../packages/reference/src/operations-page.ts';
import { everyOperation } from './every-operation.ts';

interface Endpoint {
  operationId: string;
  security: object[];
  parameters?: { name: string }[];
  responses: Record<string, object>;
}
interface Document {
  paths: Record<string, Record<'post', Endpoint>>;
}

const options = { operations: everyOperation, url: 'https://solar.example', version: '1' };
const documents = {
  user: userOpenApi(options) as unknown as Document,
  application: applicationOpenApi(options) as unknown as Document,
};

describe.each(['user', 'application'] as const)('the document of the %s interface', (name) => {
  const document = documents[name];

  test('is valid OpenAPI 3.1 by an outside validator', async () => {
    const validator = new Validator();
    const result = await validator.validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    );
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('is plain JSON with one id for each operation', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('the user-level document offers every operation, signed', () => {
  const { paths } = documents.user;
  expect(Object.keys(paths)).toEqual(operationsBy('signed').map(signedPath));
  const { post } = paths['/v1/api/inverterDetail']!;
  expect(post.security).toEqual([{ signature: [] }]);
  expect(post.parameters!.map((parameter) => parameter.name)).toEqual(['Content-MD5', 'Date']);
  expect(Object.keys(post.responses)).toEqual([
    '200',
    '400',
    '401',
    '403',
    '408',
    '413',
    '415',
    '429',
    '500',
    '503',
  ]);
  expect(paths['/v1/api/addStation']!.post.responses).toHaveProperty('409');
});

test('a field says its unit to programs too, or which field names it', () => {
  const { StationDetail } = (
    documents.user as unknown as { components: { schemas: Record<string, { properties: object }> } }
  ).components.schemas;
  expect(StationDetail!.properties).toMatchObject({
    power: { 'x-unit': 'kW' },
    allEnergy: { 'x-unit-field': 'allEnergyStr' },
    allEnergyStr: { enum: ['kWh', 'MWh', 'GWh'] },
    allEnergy1: { 'x-unit': 'kWh' },
  });
  expect(StationDetail!.properties).not.toHaveProperty('state.x-unit');
});

test('the OAuth document offers what a scope opens, and nothing of ammeters and management', () => {
  const { paths } = documents.application;
  expect(
    Object.keys(paths).filter(
      (path) => !path.startsWith('/oauth/forwarding/') && !path.startsWith('/api/access_data/'),
    ),
  ).toEqual([
    '/api/control_device/control',
    '/api/control_device/atRead',
    '/api/control_device/atReadBatch',
    '/api/control_device/atReadSAPN',
    '/api/control_device/result',
    '/api/control_device/strategy/create',
    '/api/control_device/strategy/validate',
    '/api/control_device/strategy/dispatch',
    '/api/control_device/strategy/list',
    '/api/control_device/strategy/detail',
    '/api/control_device/strategy/delivery',
    '/api/control_device/strategy/amend',
    '/api/control_device/strategy/heartbeat',
    '/api/control_device/strategy/cancel',
    '/oauth/authorize',
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/introspect',
    '/.well-known/oauth-authorization-server',
  ]);
  expect(
    Object.keys(paths).filter((path) =>
      /ammeter|Station(Bind|Update)|addStation|addDevice|delCollector/.test(path),
    ),
  ).toEqual([]);
  expect(paths['/api/access_data/inverterDetail']!.post.security).toEqual([
    { oauth: ['access_data'] },
  ]);
  expect(paths['/api/control_device/control']!.post.security).toEqual([
    { oauth: ['control_device'] },
  ]);
});

test('the reference page describes every operation, its parameters and its fields', () => {
  const page = operationsPage(everyOperation);
  for (const { id, request } of everyOperation) {
    expect(page).toContain(`### ${id}\n`);
    for (const { names } of Object.values(request)) expect(page).toContain(`\`${names[0]}\``);
  }
  expect(page).toContain('| `etotal1` | number | all energy produced, in kWh |');
  expect(page).toContain('- OAuth: not offered');
  expect(page).toContain('- an addition of this service');
});

test('a bar in a description does not break the table of the page', () => {
  const rows = operationsPage(everyOperation)
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows.filter((row) => row.split(/(?<!\\)\|/).length !== 5)).toEqual([]);
});
