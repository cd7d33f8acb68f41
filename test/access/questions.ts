import { operations, type Family, type Operation } from '@helioport/contract';
import type { DeviceKind } from '../../packages/server/src/fleet/devices/devices.ts';
import { questions, type QueryId, type Scene } from '../operations/scene.ts';

/** A scene, or things that do not exist, with a meter id. */
export type Target = Pick<Scene, 'plantId' | 'devices'> & { readonly nmiCode: string };

export type Body = Record<string, unknown>;

const nobody = (i: number) => ({ id: `130000000000000000${i}`, sn: `UNKNOWN-${i}` });

/** Nothing that exists. */
export const NOTHING: Target = {
  plantId: '1300000000000000000',
  nmiCode: 'NMIUNKNOWN',
  devices: {
    inverter: nobody(1),
    collector: nobody(2),
    epm: nobody(3),
    weather: nobody(4),
    ammeter: nobody(5),
  },
};

/** How an operation is asked about a target. */
export interface Question {
  readonly id: QueryId;
  readonly body: (target: Target) => Body;
}

/** Kind of the devices that a family's operations are about. */
const kinds: Partial<Record<Family, DeviceKind>> = {
  inverters: 'inverter',
  collectors: 'collector',
  epm: 'epm',
  weather: 'weather',
  ammeters: 'ammeter',
};

type Naming = (target: Target, kind: DeviceKind | undefined) => unknown;

/** Wire names that say what a request is about, and how they name a target; several where a list is meant. */
const naming: Readonly<Record<string, Naming>> = {
  id: ({ plantId, devices }, kind) => (kind ? devices[kind].id : plantId),
  stationId: ({ plantId }) => plantId,
  plantId: ({ plantId }) => plantId,
  idList: ({ plantId }) => [plantId],
  stationIds: ({ plantId }) => plantId,
  nmiCode: ({ nmiCode }) => nmiCode,
  nmicode: ({ nmiCode }) => nmiCode,
  sn: ({ devices }, kind) => devices[kind!].sn,
  snList: ({ devices }, kind) => [devices[kind!].sn],
  alarmDeviceSn: ({ devices }) => devices.inverter.sn,
  minId: ({ plantId, devices }, kind) => (kind ? devices[kind].id : plantId),
};

/** Wire names that say nothing of what a request is about. A name in neither table fails the access matrix. */
export const plainNames: ReadonlySet<string> = new Set([
  'collectorToken',
  'pageNo',
  'pageSize',
  'limit',
  'stationType',
  'money',
  'timeZone',
  'timezone',
  'time',
  'day',
  'each',
  'month',
  'year',
  'searchinfo',
  'searchInfo',
  'state',
  'alarmBeginTime',
  'alarmBegIntegerime',
  'alarmEndTime',
  'underWayFrom',
  'minLevel',
]);

/** Names of lists, whose requests may name several. */
export const listNames: readonly string[] = ['idList', 'stationIds', 'snList'];

const reading = (Object.keys(questions) as QueryId[]).map(
  (id) => operations[id] as unknown as Operation & { readonly id: QueryId },
);

export const wireNamesOf = (operation: Pick<Operation, 'request'>): string[] =>
  Object.values(operation.request).flatMap(({ names }) => [...names]);

export const isNaming = (name: string): boolean => Object.hasOwn(naming, name);

/** What an operation needs beside the thing that it is asked about: its period. */
export function periodOf(id: QueryId): Body {
  const body = questions[id].at(-1)!(NOTHING);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isNaming(name)));
}

/** The wire names that an operation takes to name things. */
export const namesOf = (operation: Pick<Operation, 'request'>): string[] =>
  wireNamesOf(operation).filter(isNaming);

/** Names a target by one wire name. */
export const nameBy = (id: QueryId, name: string, target: Target): unknown =>
  naming[name]!(target, kinds[operations[id].family]);

/** Every operation that reads, by each single name that it takes for what it is asked about, and as the scenes ask it. */
export const allQuestions: readonly Question[] = reading.flatMap((operation): Question[] => {
  const { id } = operation;
  const period = periodOf(id);
  const byName = namesOf(operation).map((name): Question => ({
    id,
    body: (target) => ({ ...period, [name]: nameBy(id, name, target) }),
  }));
  return [...questions[id].map((body): Question => ({ id, body })), ...byName];
});
