import {
  createSite,
  type PlantSpecification,
  type Scenario,
  type Setting,
  type SiteReport,
} from '@helioport/simulator';
import { describe, expect, test } from 'vitest';
import { profileOf } from '../../packages/devices/src/profiles/profiles.ts';
import { berlinHouse } from './berlin-house.ts';
import { deafLink } from './deaf-link.ts';

const startAt = Date.parse('2026-06-15T00:00Z');
const HOUR_MS = 3_600_000;
const parametersOf = (model: string) => profileOf(model).parameters;

interface Acting {
  readonly specification?: PlantSpecification;
  readonly settings?: readonly Omit<Setting, 'at' | 'sn'>[];
  readonly scenarios?: readonly Scenario[];
}

/** What a house in Berlin reports on a day in June on which something acts on it from the beginning. */
function dayOf({
  specification = berlinHouse,
  settings = [],
  scenarios = [],
}: Acting): SiteReport[] {
  const taken = settings.flatMap(({ parameter, value }) =>
    specification.inverters.map(({ sn }) => ({ sn, at: startAt, parameter, value })),
  );
  const site = createSite({
    specification,
    startAt,
    link: deafLink,
    scenarios,
    parametersOf,
    settings: taken,
  });
  const reports = [...site.reports(startAt + 24 * HOUR_MS)];
  void site.collector.close();
  return reports;
}

const valuesOf = (reports: readonly SiteReport[], sn: string, name: string): number[] =>
  reports.flatMap(({ readings }) =>
    readings
      .filter((reading) => reading.sn === sn)
      .map(({ values }) => (values as Record<string, number>)[name]!),
  );
const most = (values: readonly number[]): number => Math.max(...values);
const least = (values: readonly number[]): number => Math.min(...values);
const set = (settings: Readonly<Record<number, string>>): SiteReport[] =>
  dayOf({ settings: Object.entries(settings).map(([parameter, value]) => ({ parameter, value })) });

const usual = dayOf({});

describe('a simulated inverter', () => {
  test('does as usual with the settings from the factory', () => {
    expect(
      [
        most(valuesOf(usual, 'STRING1', 'acPowerW')),
        most(valuesOf(usual, 'STORAGE1', 'acPowerW')),
      ].every((power) => power > 2000),
    ).toBe(true);
    expect(
      valuesOf(usual, 'STRING1', 'powerLimitPercent').every((percent) => percent === 100),
    ).toBe(true);
    expect(least(valuesOf(usual, 'STORAGE1', 'batterySocPercent'))).toBeGreaterThanOrEqual(10);
  });

  test('keeps its power limit, and reports it', () => {
    const limited = set({ 15: '40' });
    expect(most(valuesOf(limited, 'STRING1', 'acPowerW'))).toBe(1200);
    expect(most(valuesOf(limited, 'STORAGE1', 'acPowerW'))).toBeLessThanOrEqual(3200);
    expect(new Set(valuesOf(limited, 'STRING1', 'powerLimitPercent'))).toEqual(new Set([40]));
  });

  test('stands still when it is switched off', () => {
    const off = set({ 5162: '222' });
    for (const sn of ['STRING1', 'STORAGE1']) expect(most(valuesOf(off, sn, 'acPowerW'))).toBe(0);
    expect(most(valuesOf(off, 'STORAGE1', 'batteryPowerW'))).toBe(0);
  });

  test('feeds in no more than it may', () => {
    expect(most(valuesOf(usual, 'METER1', 'gridPowerW'))).toBeGreaterThan(2000);
    expect(most(valuesOf(set({ 230: '1500' }), 'METER1', 'gridPowerW'))).toBe(1500);
    expect(most(valuesOf(set({ 6962: '1' }), 'METER1', 'gridPowerW'))).toBe(0);
  });

  test('keeps its battery between the states of charge that are set', () => {
    const soc = valuesOf(set({ 158: '45', 7963: '80' }), 'STORAGE1', 'batterySocPercent');
    expect([least(soc), most(soc)]).toEqual([45, expect.closeTo(80, 0)]);
    const backup = valuesOf(set({ 636: '17', 157: '45' }), 'STORAGE1', 'batterySocPercent');
    expect(least(backup)).toBe(45);
  });

  test('charges and discharges with the currents that are set', () => {
    const current = valuesOf(set({ 7224: '20', 7226: '10' }), 'STORAGE1', 'batteryCurrentA');
    expect([most(current), least(current)]).toEqual([
      expect.closeTo(20, 0),
      expect.closeTo(-10, 0),
    ]);
  });

  test('sells its surplus instead of storing it when that comes first', () => {
    expect(most(valuesOf(set({ 636: '64' }), 'STORAGE1', 'batteryPowerW'))).toBe(0);
  });

  test('charges in its time slots from the grid if it may, and discharges in others', () => {
    const slots = {
      5916: '1',
      5946: '02:00-04:00',
      5948: '40',
      5928: '60',
      5922: '1',
      5964: '20:00-21:00',
      5967: '30',
      5965: '20',
    };
    const at = (reports: readonly SiteReport[], hour: number): number =>
      valuesOf(reports, 'STORAGE1', 'batteryCurrentA')[hour * 12]!;
    // Berlin is two hours ahead of UTC, in which the day is counted here.
    const charged = set({ ...slots, 636: '35' });
    expect([at(charged, 0.5), at(charged, 18.5)]).toEqual([
      expect.closeTo(40, 0),
      expect.closeTo(-30, 0),
    ]);
    const soc = valuesOf(charged, 'STORAGE1', 'batterySocPercent').slice(0, 24);
    expect(most(soc)).toBeLessThan(63);
    expect(at(set({ ...slots, 636: '3' }), 0.5)).toBe(0);
    expect(at(set({ ...slots, 636: '33' }), 0.5)).toBeLessThan(0);
  });

  test('charges in its three time slots if its display is older', () => {
    const [storage, string] = berlinHouse.inverters;
    const older = { ...berlinHouse, inverters: [{ ...storage, displayVersion: '4aff' }, string] };
    const settings = [
      { parameter: '636', value: '35' },
      {
        parameter: '103',
        value:
          '0,0,00:00-00:00,00:00-00:00,40,30,02:00-04:00,20:00-21:00,0,0,00:00-00:00,00:00-00:00',
      },
    ];
    const current = valuesOf(
      dayOf({ specification: older, settings }),
      'STORAGE1',
      'batteryCurrentA',
    );
    expect([current[6], current[18.5 * 12]]).toEqual([
      expect.closeTo(40, 0),
      expect.closeTo(-30, 0),
    ]);
    // Not in force without the mode.
    expect(
      valuesOf(
        dayOf({ specification: older, settings: settings.slice(1) }),
        'STORAGE1',
        'batteryCurrentA',
      )[6],
    ).toBeLessThan(0);
  });

  test('discharges into the grid no more than it may export and its inverter carries', () => {
    const slot = { 636: '3', 5922: '1', 5964: '20:00-21:00', 5967: '97', 5965: '10' };
    const grid = (settings: Readonly<Record<number, string>>): number =>
      valuesOf(set({ ...slot, ...settings }), 'METER1', 'gridPowerW')[18.5 * 12]!;
    expect(grid({})).toBeGreaterThan(1500);
    expect([grid({ 230: '700' }), grid({ 6962: '1' })]).toEqual([700, 0]);
    // A power limit of 20 % of 8 kW.
    const battery = valuesOf(set({ ...slot, 15: '20' }), 'STORAGE1', 'batteryPowerW')[18.5 * 12]!;
    const produced = valuesOf(set({ ...slot, 15: '20' }), 'STORAGE1', 'acPowerW')[18.5 * 12]!;
    expect(produced - battery).toBe(1600);
  });

  test('supplies the house alone when it is off the grid', () => {
    const island = set({ 636: '4' });
    expect(new Set(valuesOf(island, 'METER1', 'gridPowerW'))).toEqual(new Set([0]));
  });

  test('knows its settings of earlier runs from the time on when they were made', () => {
    const at = startAt + 11 * HOUR_MS;
    const site = createSite({
      specification: berlinHouse,
      startAt,
      link: deafLink,
      parametersOf,
      settings: [
        { sn: 'STRING1', at, parameter: '15', value: '10' },
        { sn: 'STRING1', at, parameter: '999', value: '1' },
      ],
    });
    const power = valuesOf([...site.reports(startAt + 13 * HOUR_MS)], 'STRING1', 'acPowerW');
    void site.collector.close();
    expect(most(power.slice(0, 11 * 12))).toBeGreaterThan(1000);
    expect(most(power.slice(11 * 12))).toBe(300);
  });
});

describe('a scenario', () => {
  const from = startAt + 9 * HOUR_MS;
  const during = { fromAt: from, untilAt: from + 2 * HOUR_MS };
  const inside = (values: readonly number[]): number[] => values.slice(9 * 12, 11 * 12);
  const outside = (values: readonly number[]): number[] => [
    ...values.slice(0, 9 * 12),
    ...values.slice(11 * 12),
  ];

  test('of a cloud front lets a part of the light through, for its time', () => {
    const day = dayOf({ scenarios: [{ kind: 'cloud-front', percent: 10, ...during }] });
    const [clouded, clear] = [day, usual].map((reports) =>
      valuesOf(reports, 'WEATHER1', 'globalIrradianceWm2'),
    );
    for (const [i, value] of inside(clouded!).entries())
      expect(value).toBeCloseTo(0.1 * inside(clear!)[i]!, 1);
    expect(outside(clouded!)).toEqual(outside(clear!));
  });

  test('of a grid outage stops string inverters, and leaves the house to its battery', () => {
    const day = dayOf({ scenarios: [{ kind: 'grid-outage', ...during }] });
    expect(new Set(inside(valuesOf(day, 'STRING1', 'acPowerW')))).toEqual(new Set([0]));
    expect(new Set(inside(valuesOf(day, 'METER1', 'gridPowerW')))).toEqual(new Set([0]));
    expect(new Set(inside(valuesOf(day, 'STORAGE1', 'acVoltage1V')))).toEqual(new Set([0]));
    expect(most(inside(valuesOf(day, 'STORAGE1', 'acPowerW')))).toBeGreaterThan(0);
    const alarms = day.flatMap((report) => report.alarms ?? []);
    expect(alarms).toEqual(
      ['STORAGE1', 'STRING1']
        .map((sn) => ({ sn, code: '1015', at: from, level: 3, message: 'no grid' }))
        .concat(
          ['STORAGE1', 'STRING1'].map((sn) => ({
            sn,
            code: '1015',
            at: during.untilAt,
            cleared: true,
          })) as never[],
        ),
    );
  });

  test('of a string failure takes one string of one inverter', () => {
    const day = dayOf({
      scenarios: [{ kind: 'string-failure', sn: 'STORAGE1', string: 2, ...during }],
    });
    expect(new Set(inside(valuesOf(day, 'STORAGE1', 'dcPower2W')))).toEqual(new Set([0]));
    expect(least(inside(valuesOf(day, 'STORAGE1', 'dcPower1W')))).toBeGreaterThan(0);
    expect(inside(valuesOf(day, 'STRING1', 'dcPower1W'))).toEqual(
      inside(valuesOf(usual, 'STRING1', 'dcPower1W')),
    );
    expect(day.flatMap((report) => report.alarms ?? [])).toEqual([]);
  });

  test('of a dead battery stops it, and is reported by the inverter that has one', () => {
    const day = dayOf({ scenarios: [{ kind: 'dead-battery', ...during }] });
    for (const name of ['batteryPowerW', 'batterySocPercent', 'batteryVoltageV'])
      expect(new Set(inside(valuesOf(day, 'STORAGE1', name)))).toEqual(new Set([0]));
    expect(day.flatMap((report) => report.alarms ?? []).map(({ sn, code }) => [sn, code])).toEqual([
      ['STORAGE1', '1055'],
      ['STORAGE1', '1055'],
    ]);
  });

  test('of a clock that is off puts the times of what is reported off', () => {
    const day = dayOf({ scenarios: [{ kind: 'clock-drift', seconds: -90, ...during }] });
    const off = day.map(({ at, readings }) => readings[0]!.at - at);
    expect([new Set(inside(off)), new Set(outside(off))]).toEqual([
      new Set([-90_000]),
      new Set([0]),
    ]);
  });
});

test('the power of a plant balances whatever acts on it', () => {
  const acting: Acting[] = [
    { settings: [{ parameter: '15', value: '33' }] },
    { settings: [{ parameter: '6962', value: '1' }] },
    { settings: [{ parameter: '636', value: '4' }] },
    { scenarios: [{ kind: 'grid-outage', fromAt: startAt, untilAt: Infinity }] },
    {
      scenarios: ['grid-outage', 'dead-battery'].map((kind) => ({
        kind: kind as Scenario['kind'],
        fromAt: startAt,
        untilAt: Infinity,
      })),
    },
  ];
  for (const [i, each] of acting.entries()) {
    const isIsland = i >= 2;
    for (const { readings } of dayOf(each)) {
      const value = (sn: string, name: string): number =>
        (readings.find((reading) => reading.sn === sn)!.values as Record<string, number>)[name]!;
      const produced = value('STORAGE1', 'acPowerW') + value('STRING1', 'acPowerW');
      expect(produced).toBe(
        value('METER1', 'loadPowerW') +
          value('STORAGE1', 'batteryPowerW') +
          value('METER1', 'gridPowerW'),
      );
      expect(value('METER1', 'loadPowerW')).toBeGreaterThanOrEqual(0);
      if (isIsland) expect(value('METER1', 'gridPowerW')).toBe(0);
    }
  }
});
