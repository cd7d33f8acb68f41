import { minimal } from '../management/fixture.ts';
import { SCENE_DAY, type Scene } from './scene.ts';
import type { PlantOperation } from './plant-operations.ts';

/** What an answer's `data` is (interface W5). */
export type Container =
  | 'record'
  | 'rows'
  | 'page'
  | 'listing'
  | 'page alone'
  | 'parallel arrays'
  | 'id'
  | 'id as text'
  | 'nothing';

type Body = Record<string, unknown>;
type Ask = (scene: Place) => Body;

/** A scene with a device and a collector that stand nowhere. */
export interface Place extends Scene {
  readonly free: string;
  readonly freeCollector: string;
}

/** What shows how an operation answers. */
export interface Row {
  readonly container: Container;
  /** The list's counters and what they hold beside all, normal, fault, offline. */
  readonly counters?: readonly [name: string, more: readonly string[]];
  /** The first asks for nothing but what is needed; the others spell the defaults and are answered alike. */
  readonly alike: readonly [Ask, Ask, ...Ask[]];
  /** A value that cannot be, by its name. */
  readonly bad: readonly [name: string, value: unknown];
}

const time = SCENE_DAY;
const month = time.slice(0, 7);
const year = time.slice(0, 4);

const asked = (what: Ask, ...defaults: readonly [Body, ...Body[]]): Row['alike'] => {
  const [first, ...others] = defaults.map((more): Ask => (place) => ({ ...what(place), ...more }));
  return [what, first!, ...others];
};

const all: Ask = () => ({});
const thePlant: Ask = ({ plantId }) => ({ id: plantId });
const the =
  (kind: keyof Scene['devices']): Ask =>
  ({ devices }) => ({ sn: devices[kind].sn });

const firstPage = [
  { pageNo: 1, pageSize: 20 },
  { pageNo: '1', pageSize: ' 20 ', minId: '0', nmiCode: '' },
] as const;
const listed = (container: Container, counters?: Row['counters']): Row => ({
  container,
  ...(counters && { counters }),
  alike: asked(all, ...firstPage),
  bad: ['pageSize', 101],
});
const listedIn = (period: string, bad: string): Row => ({
  container: 'page',
  alike: asked(
    all,
    { ...firstPage[0], time: period },
    { ...firstPage[1], time: period, stationIds: [] },
  ),
  bad: ['time', bad],
});
const detail = (what: Ask, bad: Row['bad']): Row => ({
  container: 'record',
  alike: asked(what, { unknown: 1, sn2: 'x' }),
  bad,
});
const chart = (what: Ask, period: Body, bad: Row['bad']): Row => ({
  container: 'rows',
  alike: asked(
    what,
    period,
    { ...period, money: 'EUR', timeZone: 0 },
    { money: 'XXX', timeZone: '-9.5' },
  ),
  bad,
});
const change = (container: Container, what: Ask, defaults: Body, bad: Row['bad']): Row => ({
  container,
  alike: asked(what, defaults),
  bad,
});

/** One row for every operation on plants that takes signed requests; `each-operation.test.ts` asks each of them over the wire. */
export const rows: Readonly<Record<PlantOperation, Row>> = {
  userStationList: listed('listing', ['stationStatusVo', ['building', 'mppt']]),
  stationDetail: detail(thePlant, ['id', 'abc']),
  stationDetailList: listed('page'),
  stationDay: chart(thePlant, { time }, ['time', '2026-02-30']),
  stationMonth: chart(thePlant, { month }, ['month', '2026-13']),
  stationYear: chart(thePlant, { year }, ['year', '9999']),
  'performance/day': {
    container: 'record',
    alike: asked(({ plantId }) => ({ plantId }), { day: time }),
    bad: ['day', '2026-02-30'],
  },
  'performance/energy': {
    container: 'rows',
    alike: asked(({ plantId }) => ({ plantId, each: 'day' }), { month, year: '' }),
    bad: ['month', '2026-13'],
  },
  'performance/losses': {
    container: 'rows',
    alike: asked(({ plantId }) => ({ plantId, each: 'month' }), { year, month: '' }),
    bad: ['year', '9999'],
  },
  'performance/visits': {
    container: 'rows',
    alike: asked(all, { limit: 50 }),
    bad: ['limit', 201],
  },
  stationAll: chart(thePlant, {}, ['timeZone', 'Mars/Olympus']),
  stationDayEnergyList: listedIn(time, '0000-01-01'),
  stationMonthEnergyList: listedIn(month, '2026-00'),
  stationYearEnergyList: listedIn(year, '0000'),
  inverterList: listed('listing', ['inverterStatusVo', ['mppt']]),
  inverterDetail: detail(the('inverter'), ['sn', 'x'.repeat(1000)]),
  inverterDetailList: listed('page'),
  inverterDay: chart(the('inverter'), { time }, ['time', '2026-13-01']),
  inverterMonth: chart(the('inverter'), { month }, ['month', 'May']),
  inverterYear: chart(the('inverter'), { year }, ['year', 26]),
  inverterAll: chart(the('inverter'), {}, ['money', 'x'.repeat(17)]),
  'inverter/shelfTime': listed('page'),
  collectorList: listed('listing', ['collectionStatusVo', []]),
  collectorDetail: detail(the('collector'), ['id', '1'.repeat(20)]),
  'collector/day': chart(the('collector'), { time }, ['time', 'today']),
  epmList: listed('listing', ['epmStatusVo', []]),
  epmDetail: detail(the('epm'), ['sn', 'a\u0000b']),
  'epm/day': {
    container: 'parallel arrays',
    alike: asked(the('epm'), { time }, { searchinfo: '', timezone: 8 }),
    bad: ['searchinfo', 'u_ac9'],
  },
  'epm/month': chart(the('epm'), { month }, ['month', '2026']),
  'epm/year': chart(the('epm'), { year }, ['year', 'this']),
  'epm/all': chart(the('epm'), {}, ['timeZone', 15]),
  weatherList: listed('page alone'),
  weatherDetail: detail(the('weather'), ['sn', ['a', 'b']]),
  ammeterList: listed('page alone'),
  ammeterDetail: detail(the('ammeter'), ['sn', { a: 1 }]),
  alarmList: {
    container: 'page',
    alike: asked(all, ...firstPage, { alarmBeginTime: '', state: null }),
    bad: ['state', 3],
  },
  addStation: change('id', () => minimal, { type: 0, timeZoneId: 'UTC', dip: '', inverterSn: [] }, [
    'capacity',
    -1,
  ]),
  addStationBindCollector: change(
    'id as text',
    () => ({ stationName: 'Meadow Lane 4', capacity: 9.84 }),
    { money: 'EUR', sn: '' },
    ['latitude', 91],
  ),
  stationUpdate: change(
    'nothing',
    ({ plantId }) => ({ ...minimal, id: plantId }),
    { installerEmail: '', nmiCode: null },
    ['price', -0.01],
  ),
  addDevice: change(
    'nothing',
    ({ plantId, free }) => ({ id: plantId, sn: free }),
    { nmiCode: '' },
    ['sn', ['A', 'A']],
  ),
  delCollector: change('nothing', the('collector'), { deleteInvert: 0 }, ['deleteInvert', 2]),
  unbindDevice: change('nothing', the('inverter'), { snList: [] }, ['sn', 'A,A']),
  archiveStation: change('nothing', thePlant, { nmiCode: 'NOBODY' }, ['id', '0x1']),
};
