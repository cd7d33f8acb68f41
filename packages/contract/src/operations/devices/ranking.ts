import { exampleInverter, examplePage, examplePlant } from '../../examples.ts';
import { an, ownRecord } from '../../records/own.ts';
import { page, type WirePage } from '../../compat/field-kinds/containers.ts';
import type { Maybe } from '../../compat/field-kinds/field.ts';
import { defineOperation, type Response } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import type { DeviceKind, PageRecord, PresenceState } from '../../records/index.ts';
import { paging } from '../../requests.ts';
import { choice, id, textInput, wordsInput } from '../../scalars.ts';

/** What the devices of a plant can be sorted by. */
export const deviceOrders = [
  'kind',
  'name',
  'state',
  'power',
  'day',
  'fullHours',
  'reported',
] as const;
export type DeviceOrder = (typeof deviceOrders)[number];

const kinds = [
  'inverter',
  'collector',
  'epm',
  'ammeter',
  'weather',
] as const satisfies readonly DeviceKind[];
const states = ['online', 'offline', 'alarm'] as const satisfies readonly PresenceState[];

/** A device in a sorted list. Figures are those of its record in the other lists. */
export interface RankedDevice {
  readonly id: string;
  readonly kind: DeviceKind;
  readonly sn: string;
  readonly name?: Maybe<string>;
  readonly model?: Maybe<string>;
  readonly state: PresenceState;
  readonly abnormallyOffline: boolean;
  readonly alarmCount: number;
  readonly lastReportAt?: Maybe<number>;
  readonly ratedPowerW?: Maybe<number>;
  readonly powerW?: Maybe<number>;
  readonly dayKwh?: Maybe<number>;
  readonly fullHours?: Maybe<number>;
  readonly collectorId?: Maybe<string>;
  readonly collectorState?: Maybe<'online' | 'offline'>;
  readonly batterySocPercent?: Maybe<number>;
}

/** A page of the devices of a plant, and how many there are. */
export interface DeviceRanking {
  readonly page: PageRecord<RankedDevice>;
  /** By kind, of all devices of the plant. */
  readonly kinds: { readonly [K in DeviceKind]?: number };
  /** By state, of those that the search and the kind leave. */
  readonly states: Readonly<Record<PresenceState, number>>;
}

const ranked = ownRecord<RankedDevice>('a device', {
  id: an.text('id of the device'),
  kind: an.text('kind: inverter, collector, epm, ammeter or weather'),
  sn: an.text('serial number'),
  name: an.text('name'),
  model: an.text('model'),
  state: an.text('online, offline or alarm'),
  abnormallyOffline: an.flag('whether it is offline when it should be online'),
  alarmCount: an.number('number of pending alarms'),
  lastReportAt: an.instant('time of the last report'),
  ratedPowerW: an.number('rated power'),
  powerW: an.number(
    'power at its last report: produced by an inverter, at the connection (+ export, - import) for a meter; unknown while it is offline',
  ),
  dayKwh: an.number('energy produced today, in the plant’s own day'),
  fullHours: an.number(
    'energy produced today for each kW of rated power, by which inverters of different sizes can be compared',
  ),
  collectorId: an.text('id of the collector that reports for it'),
  collectorState: an.text('state of that collector: online or offline'),
  batterySocPercent: an.number('state of charge of its battery at its last report'),
});

const rankedPage = page({
  schema: ranked.schema,
  project: ranked.project,
  text: (one: RankedDevice) => JSON.stringify(ranked.project(one)),
});

type Answer = Omit<DeviceRanking, 'page'> & {
  readonly page: WirePage<ReturnType<typeof ranked.project>>;
};

const response: Response<DeviceRanking, Answer> = {
  schema: {
    type: 'object',
    properties: {
      page: rankedPage.schema,
      kinds: { type: 'object', description: 'number of the plant’s devices by kind' },
      states: {
        type: 'object',
        description: 'number of devices by state, of those that the search and the kind leave',
      },
    },
  },
  project: (ranking) => ({ ...ranking, page: rankedPage.project(ranking.page) }),
};

const example: RankedDevice = {
  id: exampleInverter.id,
  kind: 'inverter',
  sn: exampleInverter.sn,
  name: 'South roof',
  model: 'SIM-8K-ES',
  state: 'online',
  abnormallyOffline: false,
  alarmCount: 0,
  lastReportAt: 1_700_000_000_000,
  ratedPowerW: 8000,
  powerW: 4210,
  dayKwh: 31.4,
  fullHours: 3.925,
};

export const deviceRanking = defineOperation({
  family: 'plants',
  permission: 'read',
  write: false,
  doors: ['portal', 'support'],
  own: true,
  id: 'device/ranking',
  summary: 'Lists the devices of a plant, of all kinds, sorted by what is shown, or searched.',
  description:
    'Sorted by a figure, devices whose value is unknown come last in both directions. Devices with the same value go by their names.',
  request: {
    plantId: required(meaning('id of the plant', id('plantId'))),
    pageNo: paging.pageNo,
    pageSize: paging.pageSize,
    sort: meaning(
      'what to sort by; state by default, that which most needs looking at first',
      choice(deviceOrders, 'sort'),
    ),
    direction: meaning(
      'up or down; by default, kinds, names and states go up, everything else down',
      choice(['up', 'down'] as const, 'direction'),
    ),
    search: meaning(
      'only devices that have this text in their name, serial number or model; upper and lower case are alike',
      textInput(100, 'search'),
    ),
    kind: meaning('only devices of this kind', choice(kinds, 'kind')),
    states: meaning('only devices in these states', wordsInput(states, 'states')),
  },
  response,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { plantId: examplePlant.id, sort: 'fullHours', direction: 'up', kind: 'inverter' },
    data: response.project({
      page: examplePage(example),
      kinds: { inverter: 1 },
      states: { online: 1, offline: 0, alarm: 0 },
    }),
  },
});
