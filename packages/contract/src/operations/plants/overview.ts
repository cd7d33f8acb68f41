import { examplePage, examplePlant } from '../../examples.ts';
import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { page } from '../../compat/field-kinds/containers.ts';
import type { Maybe } from '../../compat/field-kinds/field.ts';
import { defineOperation } from '../../operation.ts';
import { meaning } from '../../parameters.ts';
import { CONNECTIONS_IN_WORDS, type PlantConnection } from '../../records/plant-connection.ts';
import {
  plantStates,
  type PeriodAmounts,
  type PlantState,
  type WorthOf,
} from '../../records/index.ts';
import { paging } from '../../requests.ts';
import { choice, id, number, textInput, wordsInput } from '../../scalars.ts';
import type { ShareLevel } from '../accounts/shares.ts';

const common = {
  family: 'plants',
  permission: 'read',
  write: false,
  doors: ['portal', 'support'],
  own: true,
} as const;

/** What plants can be sorted by. */
export const plantOrders = [
  'name',
  'state',
  'power',
  'day',
  'yesterday',
  'month',
  'total',
  'capacity',
] as const;
export type PlantOrder = (typeof plantOrders)[number];

const { pageNo, pageSize } = paging;
const search = meaning(
  'only plants that have this text in their name or address, in the serial number of a device, or in the e-mail address or name of their owner, if that is somebody else; upper and lower case are alike',
  textInput(100, 'search'),
);
const states = meaning('only plants in these states', wordsInput(plantStates, 'states'));

/** What the energy of all plants with one currency was worth. */
export interface WorthSums extends PeriodAmounts {
  readonly currency: string;
  /** The first day that counts, such as `2026-11-06`; undefined for more plants than `FEW_PLANTS`. */
  readonly since?: Maybe<string>;
}

/** All plants of a caller together. */
export interface PlantOverview {
  readonly plants: number;
  readonly online: number;
  readonly offline: number;
  readonly alarm: number;
  readonly building: number;
  /** Plants that should report and do not: `connection` tells why. */
  readonly disconnected: number;
  /** Own plants that are archived; none of the other figures counts them. */
  readonly archived: number;
  readonly capacityKwp: number;
  /** Plants that `capacityKwp` does not count. */
  readonly unmeasured: number;
  readonly powerW?: Maybe<number>;
  readonly dayKwh?: Maybe<number>;
  readonly monthKwh?: Maybe<number>;
  readonly yearKwh?: Maybe<number>;
  readonly totalKwh?: Maybe<number>;
  readonly worths: readonly WorthSums[];
  /** The first day with readings, such as `2026-11-06`; undefined without any, and for more plants than `FEW_PLANTS`. */
  readonly recordedSince?: Maybe<string>;
  /** The time of the oldest figure in the sums; undefined without plants, or until those of all plants have been worked out. */
  readonly asOf?: Maybe<number>;
}

/** Up to so many plants, as on one page of the portal’s list, the sums are those of their current figures. */
export const FEW_PLANTS = 20;

const overview = ownRecord<PlantOverview>('all plants together', {
  plants: an.number('number of plants'),
  online: an.number('number of plants that are online'),
  offline: an.number('number of plants that are offline'),
  alarm: an.number('number of plants with an alarm'),
  building: an.number('number of plants without devices'),
  disconnected: an.number('number of plants that should report and do not'),
  archived: an.number(
    'number of the caller’s own plants that are archived, which nothing else here counts',
  ),
  capacityKwp: an.number('rated power of the modules of all plants that measure what they produce'),
  unmeasured: an.number(
    'number of the other plants: without devices, or with devices that have not measured anything yet',
  ),
  powerW: an.number(
    'AC power now, of the plants whose figures are of this moment; unknown if those of none are',
  ),
  dayKwh: an.number('energy produced today, in each plant’s own day'),
  monthKwh: an.number('energy produced this month'),
  yearKwh: an.number('energy produced this year'),
  totalKwh: an.number('energy produced in all'),
  recordedSince: an.text(
    `the first day with readings, in its plant’s calendar; known for ${FEW_PLANTS} plants or fewer`,
  ),
  worths: an.objects(
    'what was saved and sold, by currency: currency, today, month, year, total, and since, the first day that counts',
  ),
  asOf: an.instant(
    'when the oldest of these figures was worked out; unknown as long as a plant’s are still being worked out',
  ),
});

const exampleAt = 1_700_000_000_000;

export const plantOverview = defineOperation({
  ...common,
  id: 'plant/overview',
  summary:
    'Adds up all plants that the caller owns or that are shared with the caller, and counts them by state.',
  description: `The counters are exact. The sums of ${FEW_PLANTS} plants or fewer are current; those of more are worked out every few minutes.`,
  request: {},
  response: overview,
  errors: [],
  example: {
    request: {},
    data: {
      plants: 2,
      online: 1,
      offline: 1,
      alarm: 0,
      building: 0,
      disconnected: 1,
      archived: 0,
      capacityKwp: 19.68,
      unmeasured: 0,
      powerW: 4210,
      dayKwh: 31.4,
      monthKwh: 412.9,
      yearKwh: 8204.1,
      totalKwh: 30_211.7,
      recordedSince: '2022-04-15',
      worths: [
        {
          currency: 'EUR',
          today: 2.57,
          month: 33.86,
          year: 672.74,
          total: 2477.36,
          since: '2022-04-15',
        },
      ],
      asOf: exampleAt,
    },
  },
});

/** A plant in a sorted list. Figures are those of its record in the other lists. */
export interface RankedPlant {
  readonly id: string;
  readonly name: string;
  readonly address?: Maybe<string>;
  readonly level: 'owner' | ShareLevel;
  readonly ownerEmail?: Maybe<string>;
  readonly state: PlantState;
  readonly abnormallyOffline: boolean;
  readonly alarmCount: number;
  readonly alarmCode?: Maybe<string>;
  readonly alarmMessage?: Maybe<string>;
  readonly timeZone: string;
  readonly latitude?: Maybe<number>;
  readonly longitude?: Maybe<number>;
  readonly capacityKwp: number;
  readonly currency: string;
  readonly powerW?: Maybe<number>;
  readonly gridPowerW?: Maybe<number>;
  readonly loadPowerW?: Maybe<number>;
  readonly batteryPowerW?: Maybe<number>;
  readonly batterySocPercent?: Maybe<number>;
  readonly dayKwh?: Maybe<number>;
  readonly yesterdayKwh?: Maybe<number>;
  readonly yesterdayFullHours?: Maybe<number>;
  readonly monthKwh?: Maybe<number>;
  readonly yearKwh?: Maybe<number>;
  readonly totalKwh?: Maybe<number>;
  readonly sharePercent?: Maybe<number>;
  readonly lostKwh?: Maybe<number>;
  readonly dayWorth?: Maybe<number>;
  readonly totalWorth?: Maybe<number>;
  readonly worthOf?: Maybe<WorthOf>;
  readonly connection?: Maybe<PlantConnection>;
  readonly measuredAt?: Maybe<number>;
  readonly lastReportAt?: Maybe<number>;
}

const ranked = ownRecord<RankedPlant>('a plant', {
  id: an.text('id of the plant'),
  name: an.text('name'),
  address: an.text('address'),
  level: an.text('what the caller may do: owner, install, control or read'),
  ownerEmail: an.text('e-mail address of its owner, if that is somebody else'),
  state: an.text('online, offline, alarm, or building as long as it has no devices'),
  abnormallyOffline: an.flag('whether it is offline when it should be online'),
  alarmCount: an.number('number of pending alarms'),
  alarmCode: an.text(
    'code of the pending alarm of the highest level, of several of the latest; without one, of such an alarm that somebody has taken on',
  ),
  alarmMessage: an.text('its message, as in the list of alarms'),
  timeZone: an.text('time zone'),
  latitude: an.number('latitude, + north'),
  longitude: an.number('longitude, + east'),
  capacityKwp: an.number('rated power of the modules'),
  currency: an.text('currency of its amounts'),
  powerW: an.number('AC power now; unknown unless its figures are of this moment'),
  gridPowerW: an.number('power at the connection, + export, - import; likewise'),
  loadPowerW: an.number('power of the loads; likewise'),
  batteryPowerW: an.number('power of the batteries, + charging, - discharging; likewise'),
  batterySocPercent: an.number('state of charge; likewise'),
  dayKwh: an.number('energy produced today, in the plant’s own day'),
  yesterdayKwh: an.number(
    'energy produced on the plant’s own day before today; unknown if nothing was measured',
  ),
  yesterdayFullHours: an.number(
    'energy produced yesterday for each kWp of rated power, by which plants of different sizes can be compared',
  ),
  monthKwh: an.number('energy produced this month'),
  yearKwh: an.number('energy produced this year'),
  totalKwh: an.number('energy produced in all'),
  sharePercent: an.number(
    'energy produced as a share of what the sun allowed, in the last 30 days with figures (performance/losses)',
  ),
  lostKwh: an.number('energy lost on those days'),
  dayWorth: an.number('what was saved and sold today'),
  totalWorth: an.number('what was saved and sold since the plant has been recorded and had prices'),
  worthOf: an.text(
    'what these amounts consist of: savedAndSold, saved, sold or, without either, produced',
  ),
  connection: an.text(`how it is connected: ${CONNECTIONS_IN_WORDS}`),
  measuredAt: an.instant('time of the newest reading of its power'),
  lastReportAt: an.instant('time of the last report'),
});

const rankedPage = page({
  schema: ranked.schema,
  project: ranked.project,
  text: (one: RankedPlant) => JSON.stringify(ranked.project(one)),
});

const exampleRanked: RankedPlant = {
  id: examplePlant.id,
  name: examplePlant.name,
  address: 'Meadow Lane 4, 10115 Berlin',
  level: 'owner',
  state: 'online',
  abnormallyOffline: false,
  alarmCount: 0,
  timeZone: 'Europe/Berlin',
  latitude: 52.53,
  longitude: 13.38,
  capacityKwp: 9.84,
  currency: 'EUR',
  powerW: 4210,
  dayKwh: 31.4,
  yesterdayKwh: 36.9,
  yesterdayFullHours: 3.75,
  monthKwh: 412.9,
  yearKwh: 8204.1,
  totalKwh: 30_211.7,
  sharePercent: 94,
  lostKwh: 14.3,
  dayWorth: 2.57,
  totalWorth: 2477.36,
  worthOf: 'savedAndSold',
  connection: 'live',
  measuredAt: exampleAt,
  lastReportAt: exampleAt,
};

export const plantRanking = defineOperation({
  ...common,
  id: 'plant/ranking',
  summary:
    'Lists the plants that the caller owns or that are shared with the caller, sorted by what is shown, or searched.',
  description:
    'Sorted by `yesterday`, plants go by yesterday’s energy for each kWp, so that with `up` those that yielded least for their size come first. ' +
    'Sorted by state, plants with alarms that nobody has taken on come before others in that state. ' +
    'Sorted by power or yield, plants whose value is unknown come last in both directions, and a new value takes up to a few minutes to change a plant’s place. ' +
    'The figures of the page itself are current.',
  request: {
    pageNo,
    pageSize,
    sort: meaning('what to sort by; name by default', choice(plantOrders, 'sort')),
    direction: meaning(
      'up or down; by default, names and states go up, everything else down',
      choice(['up', 'down'] as const, 'direction'),
    ),
    search,
    states,
  },
  response: rankedPage,
  errors: ['invalidValue'],
  example: {
    request: { sort: 'day', pageSize: 20 },
    data: rankedPage.project(examplePage(exampleRanked)),
  },
});

/** A mark on the map: one plant, or several that are close to one another. */
export interface PlantMark {
  readonly plants: number;
  readonly latitude: number;
  readonly longitude: number;
  /** The state that most needs looking at: alarm, then offline, building, online. */
  readonly state: PlantState;
  /** Of a single plant. */
  readonly id?: Maybe<string>;
  readonly name?: Maybe<string>;
}

const degrees = (what: string, name: string, limit: number) =>
  meaning(what, number({ min: -limit, max: limit }, name));

export const plantPositions = defineOperation({
  ...common,
  id: 'plant/positions',
  summary: 'Returns where the caller’s plants are, for a map.',
  description:
    'At most 1,024 marks: if more plants than 500 are in the section, those that are close to one another share a mark. A section with a western border east of the eastern one crosses the 180th meridian.',
  request: {
    south: degrees('southern border of the section', 'south', 90),
    west: degrees('western border of the section', 'west', 180),
    north: degrees('northern border of the section', 'north', 90),
    east: degrees('eastern border of the section', 'east', 180),
    plantId: meaning('only this plant', id('plantId')),
    search,
    states,
  },
  allOrNoneOf: ['south', 'west', 'north', 'east'],
  response: ownRecords<PlantMark>('a mark', {
    plants: an.number('how many plants it stands for'),
    latitude: an.number('latitude, + north; the mean of several'),
    longitude: an.number('longitude, + east; the mean of several'),
    state: an.text(
      'the state of the plant, or the one among several that most needs looking at: alarm, then offline, building, online',
    ),
    id: an.text('id, if it is one plant'),
    name: an.text('name, if it is one plant'),
  }),
  errors: ['invalidValue', 'missingParameter'],
  example: {
    request: {},
    data: [
      {
        plants: 1,
        latitude: 52.53,
        longitude: 13.38,
        state: 'online',
        id: examplePlant.id,
        name: examplePlant.name,
      },
    ],
  },
});
