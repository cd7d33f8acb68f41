import type { OperationId } from '@helioport/contract';
import { ALARMS_PER_PLANT, type Installation } from './installation.ts';

type Body = Record<string, unknown>;

const month = '2026-06';
const year = '2026';
const time = '2026-06-15';

/** A request for each operation that only reads: whole pages of lists, charts of today and this month. */
export const questionsOf = ({ plantId, sns }: Installation): [id: OperationId, body: Body][] => [
  ['userStationList', {}],
  ['stationDetailList', {}],
  ['stationDayEnergyList', { time }],
  ['stationMonthEnergyList', { time: month }],
  ['stationYearEnergyList', { time: year }],
  ['inverterList', {}],
  ['inverterDetailList', {}],
  ['inverter/shelfTime', {}],
  ['collectorList', {}],
  ['epmList', {}],
  ['weatherList', {}],
  ['ammeterList', {}],
  ['alarmList', {}],
  ['stationDetail', { id: plantId }],
  ['inverterDetail', { sn: sns.inverter }],
  ['collectorDetail', { sn: sns.collector }],
  ['epmDetail', { sn: sns.epm }],
  ['weatherDetail', { sn: sns.weather }],
  ['ammeterDetail', { sn: sns.ammeter }],
  ['stationDay', { id: plantId, time }],
  ['stationMonth', { id: plantId, month }],
  ['stationYear', { id: plantId, year }],
  ['stationAll', { id: plantId }],
  ['inverterDay', { sn: sns.inverter, time }],
  ['inverterMonth', { sn: sns.inverter, month }],
  ['inverterYear', { sn: sns.inverter, year }],
  ['inverterAll', { sn: sns.inverter }],
  ['collector/day', { sn: sns.collector, time }],
  ['epm/day', { sn: sns.epm, time }],
  ['epm/month', { sn: sns.epm, month }],
  ['epm/year', { sn: sns.epm, year }],
  ['epm/all', { sn: sns.epm }],
];

/** The lists among them, with their number of records per plant. */
export const perPlant: Partial<Record<OperationId, number>> = {
  userStationList: 1,
  stationDetailList: 1,
  stationDayEnergyList: 1,
  stationMonthEnergyList: 1,
  stationYearEnergyList: 1,
  inverterList: 6,
  inverterDetailList: 6,
  'inverter/shelfTime': 6,
  collectorList: 1,
  epmList: 1,
  weatherList: 1,
  ammeterList: 1,
  alarmList: ALARMS_PER_PLANT,
};

/** Requests of a caller with very many plants about a few of them, or about some of their devices. */
export const filteredOf = ({
  plantId,
  sns,
}: Installation): [what: string, id: OperationId, body: Body][] => [
  ['one plant', 'userStationList', { idList: plantId }],
  ['one meter', 'userStationList', { nmiCode: 'NMI42' }],
  ['one plant', 'inverterList', { stationId: plantId }],
  ['some serial numbers', 'inverterList', { snList: Object.values(sns).join(',') }],
  ['one plant', 'alarmList', { stationId: plantId }],
  ['one device', 'alarmList', { alarmDeviceSn: sns.inverter }],
  ['pending', 'alarmList', { state: '0' }],
  [
    'the last day with alarms',
    'alarmList',
    { alarmBeginTime: '2026-06-14', alarmEndTime: '2026-06-14' },
  ],
  ['a day long ago', 'alarmList', { alarmBeginTime: '2026-02-14', alarmEndTime: '2026-02-14' }],
];
