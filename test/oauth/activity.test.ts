import { expect, test } from 'vitest';
import { activityOf } from '../../packages/server/src/identity/oauth/uses/activity.ts';

const OWNER = 'account:1';
const APPLICATION = 'application:7';
const grant = { id: '5', applicationId: '7', createdAt: 1000, revokedAt: 5000 };
const decision = { grantId: '5', scopes: 'access_data', plantIds: ['2'] };
const write = { plantId: '2', sn: 'SN-1', parameter: '15', value: '60' };

let ids = 0;
const event = (at: number, kind: string, actor: string, data: object) => ({
  id: String((ids += 1)),
  at,
  kind,
  actor,
  data,
});
const kindsOf = (events: ReturnType<typeof event>[]): string[] =>
  activityOf(events as never, grant, '1').map(({ kind }) => kind);

test('the first decision gives access, however little of what was asked for; a later one restricts', () => {
  expect(kindsOf([event(1000, 'grant.narrowed', OWNER, decision)])).toEqual(['grant.given']);
  expect(kindsOf([event(1000, 'grant.given', OWNER, { ...decision, plantIds: null })])).toEqual([
    'grant.given',
  ]);
  expect(kindsOf([event(2000, 'grant.narrowed', OWNER, decision)])).toEqual(['grant.narrowed']);
  expect(kindsOf([event(2000, 'grant.narrowed', 'operator', decision)])).toEqual([
    'grant.narrowedForYou',
  ]);
  expect(kindsOf([event(2000, 'grant.narrowed', OWNER, { ...decision, grantId: '6' })])).toEqual(
    [],
  );
});

test('what is put back after an authorization belongs to its history, also when it has ended; other settings of the service do not', () => {
  expect(
    kindsOf([event(6000, 'device.commanded', 'service', { ...write, restoresAfter: '5' })]),
  ).toEqual(['setting.putBack']);
  expect(
    kindsOf([event(3000, 'device.commanded', 'service', { ...write, restoresAfter: '6' })]),
  ).toEqual([]);
  expect(kindsOf([event(3000, 'device.commanded', 'service', write)])).toEqual([]);
});

test('what an application does counts as long as the authorization is in force', () => {
  const commanded = (at: number) => event(at, 'device.commanded', APPLICATION, write);
  expect(kindsOf([commanded(900), commanded(2000), commanded(5001)])).toEqual(['device.commanded']);
});

test('a person who ended or paused a strategy of the application is distinguished from it, and from its authorizations before', () => {
  const made = event(1500, 'strategy.created', APPLICATION, {
    applicationId: '7',
    strategyId: '3',
    name: 'Evening',
  });
  const ended = (actor: string, at = 2000, strategyId = '3') =>
    event(at, 'strategy.ended', actor, { strategyId, name: 'Evening' });
  const kindsOfEnd = (end: ReturnType<typeof event>) => kindsOf([end, made]).slice(0, -1);
  expect(kindsOfEnd(ended(APPLICATION))).toEqual(['strategy.ended']);
  expect(kindsOfEnd(ended(OWNER))).toEqual(['strategy.endedByYou']);
  expect(kindsOfEnd(ended('service'))).toEqual(['strategy.endedByHelioport']);
  for (const actor of ['account:2', 'key:9', 'operator'])
    expect(kindsOfEnd(ended(actor))).toEqual(['strategy.endedByOthers']);
  expect(
    kindsOfEnd(event(2000, 'strategy.paused', OWNER, { strategyId: '3', name: 'Evening' })),
  ).toEqual(['strategy.paused']);
  expect([kindsOfEnd(ended(OWNER, 2000, '4')), kindsOfEnd(ended(OWNER, 5001))]).toEqual([[], []]);
});
