import { expect, test } from 'vitest';
import { channels } from '../../packages/server/src/measurements/energy/channels.ts';
import { newCounter, type Counter } from '../../packages/server/src/measurements/energy/counter.ts';
import {
  countedBefore,
  energyOf,
  moneyOf,
  shareOf,
} from '../../packages/server/src/measurements/energy/day-energy.ts';
import {
  openDay,
  type ChannelState,
  type DayState,
  type PowerTrace,
} from '../../packages/server/src/measurements/energy/day-state.ts';
import {
  POWER_SOURCE,
  TOTAL_SOURCE,
  type Receipt,
} from '../../packages/server/src/measurements/energy/receipts.ts';
import { sampleOf } from '../telemetry/folding.ts';

const MWH = 1_000_000;
/** W x ms of a kWh. */
const WMS = 3600 * MWH;
const PRICE = 2;
const PRODUCTION = channels.indexOf('production');
const hourAt = (hour: number): number => Date.parse('2026-06-15T00:00:00Z') + hour * 3_600_000;

/** A counter of the day that was read last at an hour. */
const counted = (kwh: number, hour: number, change: Partial<Counter> = {}): Counter => ({
  ...newCounter(),
  base: 500 * MWH,
  baseAt: hourAt(hour),
  energy: kwh * MWH,
  amount: kwh * MWH * PRICE,
  seen: true,
  reread: true,
  complete: true,
  ...change,
});

/** Power up to an hour. */
const flowed = (kwh: number, hour: number): PowerTrace => ({
  lastW: 0,
  lastAt: hourAt(hour),
  areaWms: kwh * WMS,
  amountWms: kwh * WMS * PRICE,
  seen: true,
  paired: true,
});

/** What the next day's first reading found out. */
const received = (source: number, energy: number): Receipt => ({
  byDay: 20260616,
  source,
  energy,
  amount: energy * PRICE,
  spread: false,
  isAcross: false,
  takesBack: false,
});

const dayWith = (channel: Partial<ChannelState>, change: Partial<DayState> = {}): DayState => ({
  ...openDay(undefined, sampleOf(hourAt(0), { acPowerW: 0 }), {
    prices: [],
    atMost: [],
    plantAtMost: undefined,
  }),
  channels: [
    { total: undefined, today: undefined, power: undefined, receipts: undefined, ...channel },
  ],
  ...change,
});
const knownOf = (channel: Partial<ChannelState>, atMostKwh = Infinity) => {
  const energy = energyOf(dayWith(channel, { atMost: [atMostKwh * MWH] }), PRODUCTION);
  return (
    energy && { kwh: energy.mwh / MWH, estimated: energy.estimated, amount: energy.amount / MWH }
  );
};
const read = (kwh: number) => ({ kwh, estimated: false, amount: kwh * PRICE });
const estimated = (kwh: number) => ({ kwh, estimated: true, amount: kwh * PRICE });

test.each<[name: string, channel: Partial<ChannelState>, expected: ReturnType<typeof knownOf>]>([
  [
    'the total counter, if it covers the day',
    { total: counted(5, 20), today: counted(4, 20), power: flowed(3, 21) },
    read(5),
  ],
  [
    'the daily counter, if the total counter does not know the whole day and power was measured for no more than an hour longer',
    { total: counted(3, 20, { complete: false }), today: counted(5, 20), power: flowed(6, 21) },
    read(5),
  ],
  [
    'power, if a counter was not read on the day, but shortly before',
    { total: counted(0, -0.5, { seen: false }), power: flowed(1, 0.4) },
    estimated(1),
  ],
  [
    'power, if a counter stays at 0 beside 2 kWh',
    { today: counted(0, 20), power: flowed(2, 20) },
    estimated(2),
  ],
  ['a counter at 0 beside less', { today: counted(0, 20), power: flowed(1.999, 20) }, read(0)],
  [
    'a total counter that a later reading completes, however long it was silent',
    { total: counted(5, 12), today: counted(4, 20), receipts: [received(TOTAL_SOURCE, MWH)] },
    read(6),
  ],
  [
    'power with what the next day adds',
    { power: flowed(3, 23), receipts: [received(POWER_SOURCE, WMS)] },
    estimated(4),
  ],
  [
    'the total counter, filled up by power, if the daily one was not read more than an hour longer',
    {
      total: counted(5, 10, { baseWms: 4 * WMS, baseAmountWms: 4 * WMS * PRICE }),
      today: counted(4, 11),
      power: flowed(7, 15),
    },
    estimated(8),
  ],
  [
    'the total counter alone, if power was not measured for more than an hour after it',
    { total: counted(5, 10), today: counted(9, 15, { broken: true }), power: flowed(7, 11) },
    read(5),
  ],
  [
    'the total counter alone, if nothing has flowed since',
    {
      total: counted(5, 10, { baseWms: 7 * WMS, baseAmountWms: 7 * WMS * PRICE }),
      power: flowed(7, 15),
    },
    read(5),
  ],
  [
    'the total counter, filled up by power to the end of the day',
    {
      total: counted(5, 10, { baseWms: 4 * WMS, baseAmountWms: 4 * WMS * PRICE }),
      power: flowed(7, 23),
      receipts: [received(POWER_SOURCE, WMS)],
    },
    estimated(9),
  ],
])('a day is taken from %s', (_, channel, expected) => {
  expect(knownOf(channel)).toEqual(expected);
});

test('a counter that tells as much as the day can have yielded is believed', () => {
  expect(knownOf({ total: counted(5, 20), power: flowed(3, 20) }, 5)).toEqual(read(5));
  expect(knownOf({ today: counted(5, 20), power: flowed(3, 20) }, 5)).toEqual(read(5));
});

test('what is above that is cut, with its value', () => {
  expect(knownOf({ power: flowed(10, 20) }, 4)).toEqual(estimated(4));
});

test('an energy is a share of what the plant can produce, in thousandths, rounded up', () => {
  const day = dayWith({}, { plantAtMost: 8 * MWH });
  expect([0, 2, 8].map((kwh) => shareOf(day, PRODUCTION, kwh * MWH))).toEqual([0, 250, 1000]);
  expect(shareOf(day, PRODUCTION, 2 * MWH + 1)).toBe(251);
  expect(shareOf(day, channels.indexOf('gridImport'), 2 * MWH)).toBe(0);
  expect(shareOf(dayWith({}), PRODUCTION, 2 * MWH)).toBe(0);
});

test('the value of energy follows from its price, or is what was added up if the price varied', () => {
  const energy = { mwh: 3 * MWH, amount: 5 * MWH };
  expect(moneyOf(undefined, energy)).toBe(undefined);
  expect(moneyOf({ price: PRICE, varies: false }, energy)).toBe(6 * MWH);
  expect(moneyOf({ price: PRICE, varies: true }, energy)).toBe(5 * MWH);
});

test('a device had counted before what its first level exceeds the recorded energy by', () => {
  expect([countedBefore(3, 10), countedBefore(10, 3), countedBefore(3, -1)]).toEqual([7, 0, 0]);
});
