import { INTERVALS_AT_MOST, type PlanInterval, type StrategyPayload } from '@helioport/contract';
import { describe, expect, test } from 'vitest';
import { profileOf } from '../../../packages/devices/src/profiles/profiles.ts';
import {
  deviceFaults,
  whyNoPower,
} from '../../../packages/server/src/control/strategies/plan/device-faults.ts';
import {
  limitFaults,
  NO_LIMITS,
  type OwnerLimits,
} from '../../../packages/server/src/control/strategies/plan/owner-limits.ts';
import type { PlannedDevice } from '../../../packages/server/src/control/strategies/plan/planned-device.ts';
import { readPlan } from '../../../packages/server/src/control/strategies/plan/read-plan.ts';

const hold: StrategyPayload = { type: 'hold' };
const charge: StrategyPayload = { type: 'charge', socPercent: 90, powerKw: 3 };
const discharge = (socPercent: number, powerKw = 3): StrategyPayload => ({
  type: 'discharge',
  socPercent,
  powerKw,
});
const from = (start: string, end: string, payload: StrategyPayload = hold): PlanInterval => ({
  start,
  end,
  payload,
});

const textOf = (
  faults: readonly { readonly field: string; readonly expected: string }[],
): string[] => faults.map(({ field, expected }) => `${field}: ${expected}`);
const refused = (given: unknown): string[] => textOf(readPlan(given).faults);

describe('a day plan', () => {
  test('is read as it was sent', () => {
    const plan: PlanInterval[] = [
      { days: ['mon', 'sun'], start: '22:00', end: '06:00', payload: charge },
      from('06:00', '07:00', discharge(20)),
      from('07:00', '08:00', { type: 'selfUse' }),
      from('08:00', '09:00'),
      from('09:00', '10:00', { type: 'exportLimit', powerKw: 0 }),
      from('10:00', '22:00', { type: 'off' }),
    ];
    expect(readPlan(plan)).toEqual({ intervals: plan, faults: [] });
    expect(readPlan([from('00:00', '24:00')]).intervals).toEqual([from('00:00', '24:00')]);
  });

  test('has at least one interval, and not 400', () => {
    const many = Array.from({ length: 400 }, (_, i) =>
      from('00:00', `00:${String((i % 59) + 1).padStart(2, '0')}`),
    );
    for (const given of [
      [],
      many,
      many.slice(0, INTERVALS_AT_MOST + 1),
      'intervals',
      null,
      undefined,
      {},
    ])
      expect(refused(given)).toEqual([`intervals: a list of 1 to ${INTERVALS_AT_MOST} intervals`]);
    const day = Array.from({ length: INTERVALS_AT_MOST }, (_, i) => {
      const [start, end] = [14 * i, 14 * (i + 1)].map(
        (minute) =>
          `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
      );
      return from(start!, end!);
    });
    expect(readPlan(day)).toEqual({ intervals: day, faults: [] });
  });

  test.each<[name: string, interval: unknown, ...faults: string[]]>([
    ['nothing', null, 'intervals[1]: an object of days, start, end, payload'],
    [
      'a misspelt field',
      { ...from('10:00', '11:00'), ends: '12:00' },
      'intervals[1]: nothing but days, start, end, payload',
    ],
    [
      'no start',
      { end: '11:00', payload: hold },
      'intervals[1].start: a time of day from 00:00 to 23:59',
    ],
    [
      'a start at 24:00',
      from('24:00', '01:00'),
      'intervals[1].start: a time of day from 00:00 to 23:59',
    ],
    [
      'an end at 24:01',
      from('23:00', '24:01'),
      'intervals[1].end: a time of day from 00:00 to 24:00',
    ],
    [
      'a time as a number',
      { ...from('10:00', '11:00'), end: 1100 },
      'intervals[1].end: a time of day from 00:00 to 24:00',
    ],
    [
      'no length',
      from('10:00', '10:00'),
      'intervals[1].end: a time other than the start; for the whole day, 00:00 to 24:00, in the interval 10:00 to 10:00',
    ],
    [
      'no days',
      { ...from('10:00', '11:00'), days: [] },
      'intervals[1].days: a list of mon, tue, wed, thu, fri, sat, sun, each once, in the interval 10:00 to 11:00',
    ],
    [
      'a day twice',
      { ...from('10:00', '11:00'), days: ['mon', 'mon'] },
      'intervals[1].days: a list of mon, tue, wed, thu, fri, sat, sun, each once, in the interval 10:00 to 11:00',
    ],
    [
      'no such day',
      { ...from('10:00', '11:00'), days: ['monday'] },
      'intervals[1].days: a list of mon, tue, wed, thu, fri, sat, sun, each once, in the interval 10:00 to 11:00',
    ],
    [
      'no payload',
      { start: '10:00', end: '11:00' },
      'intervals[1].payload: an object of type, socPercent, powerKw, in the interval 10:00 to 11:00',
    ],
    [
      'no such payload',
      from('10:00', '11:00', { type: 'explode' } as never),
      'intervals[1].payload.type: one of charge, discharge, selfUse, hold, exportLimit, off, in the interval 10:00 to 11:00',
    ],
    [
      'a misspelt parameter',
      from('10:00', '11:00', { ...charge, soc: 5 } as never),
      'intervals[1].payload: nothing but type, socPercent, powerKw, in the interval 10:00 to 11:00',
    ],
    [
      'a parameter too many',
      from('10:00', '11:00', { ...hold, powerKw: 1 } as never),
      'intervals[1].payload.powerKw: nothing: hold has none, in the interval 10:00 to 11:00',
    ],
  ])('is refused with %s', (_, interval, ...faults) => {
    expect(refused([from('01:00', '02:00'), interval])).toEqual(faults);
  });

  test.each([0, 101, -1, 50.5, '50', null, undefined, Number.NaN])(
    'is refused with a state of charge of %s',
    (socPercent) => {
      for (const type of ['charge', 'discharge'])
        expect(
          refused([from('10:00', '11:00', { type, socPercent, powerKw: 3 } as never)]),
        ).toEqual([
          'intervals[0].payload.socPercent: a whole number from 1 to 100, in the interval 10:00 to 11:00',
        ]);
    },
  );

  test.each([0, -3, 1000.1, Infinity, '3', null, undefined, Number.NaN])(
    'is refused with a power of %s',
    (powerKw) => {
      expect(refused([from('10:00', '11:00', { ...charge, powerKw } as never)])).toEqual([
        'intervals[0].payload.powerKw: a power in kW above 0, at most 1000; hold keeps the battery still, in the interval 10:00 to 11:00',
      ]);
      const limit = refused([from('10:00', '11:00', { type: 'exportLimit', powerKw } as never)]);
      expect(limit).toEqual(
        powerKw === 0
          ? []
          : [
              'intervals[0].payload.powerKw: a power in kW from 0 to 1000, in the interval 10:00 to 11:00',
            ],
      );
    },
  );

  test('takes the bounds themselves', () => {
    const bounds = [
      from('01:00', '02:00', { ...charge, socPercent: 100, powerKw: 1000 }),
      from('02:00', '03:00', discharge(1, 0.001)),
    ];
    expect(refused(bounds)).toEqual([]);
  });

  test('is refused if two of its intervals overlap, with the hours of both', () => {
    expect(
      refused([
        from('10:00', '12:00'),
        from('13:00', '14:00'),
        { ...from('11:00', '13:00'), days: ['tue'] },
      ]),
    ).toEqual([
      'intervals[2].start: hours outside of those of interval 0 (10:00 to 12:00), in the interval tue 11:00 to 13:00',
    ]);
    // Across midnight.
    expect(refused([from('01:00', '03:00'), from('22:00', '02:00')])).toEqual([
      'intervals[0].start: hours outside of those of interval 1 (22:00 to 02:00), in the interval 01:00 to 03:00',
    ]);
  });

  test('learns everything that is wrong with it', () => {
    expect(
      refused([from('x', 'y'), from('10:00', '11:00', discharge(0, 0))]).map(
        (text) => text.split(':')[0],
      ),
    ).toEqual([
      'intervals[0].start',
      'intervals[0].end',
      'intervals[1].payload.socPercent',
      'intervals[1].payload.powerKw',
    ]);
  });
});

const storage: PlannedDevice = {
  sn: 'S1',
  profile: profileOf('HS-8K-ES'),
  displayVersion: '4b00',
  hasBattery: true,
  ratedPowerW: 8000,
  batteryVoltageV: 51.2,
  holds: new Set(),
};
const string: PlannedDevice = {
  ...storage,
  sn: 'I1',
  profile: profileOf('HI-5K'),
  displayVersion: null,
  hasBattery: false,
  batteryVoltageV: null,
};
const generic: PlannedDevice = { ...storage, sn: 'G1', profile: profileOf('NOBODY-KNOWS') };

describe('a device', () => {
  const faultsOf = (device: PlannedDevice, payload: StrategyPayload): string[] =>
    textOf(deviceFaults([from('10:00', '11:00', payload)], device));
  const all: StrategyPayload[] = [
    charge,
    discharge(20),
    { type: 'selfUse' },
    hold,
    { type: 'exportLimit', powerKw: 2 },
    { type: 'off' },
  ];

  test('with a battery does everything, also with an older display', () => {
    for (const displayVersion of ['4b00', '4aff'])
      expect(all.flatMap((payload) => faultsOf({ ...storage, displayVersion }, payload))).toEqual(
        [],
      );
  });

  test('without a battery is switched off and nothing else', () => {
    const why = (what: string): string =>
      `intervals[0].payload.type: ${what}, unlike I1, in the interval 10:00 to 11:00`;
    expect(all.map((payload) => faultsOf(string, payload))).toEqual([
      [why('a device with a battery')],
      [why('a device with a battery')],
      [],
      [why('a device with a battery')],
      [why('a device whose export can be limited')],
      [],
    ]);
  });

  test('that has not reported the version of its display, or of an unknown model, has no slots', () => {
    expect(whyNoPower({ ...storage, displayVersion: null })).toBe(
      'a device that has reported the version of its display, unlike S1',
    );
    expect(whyNoPower(generic)).toBe('a device with time slots that can be set, unlike G1');
    expect(whyNoPower(storage)).toBeUndefined();
    expect(faultsOf(generic, { type: 'off' })).toEqual([
      'intervals[0].payload.type: a device that can be switched off, unlike G1, in the interval 10:00 to 11:00',
    ]);
  });

  test('is not asked for more than its rated power, or the highest current of its slots', () => {
    const above = (device: PlannedDevice, powerKw: number): string[] =>
      faultsOf(device, discharge(20, powerKw));
    expect([above(storage, 8), above(storage, 8.001)]).toEqual([
      [],
      ['intervals[0].payload.powerKw: at most 8 kW, which S1 can, in the interval 10:00 to 11:00'],
    ]);
    const unrated = { ...storage, ratedPowerW: null };
    // 300 A of 51.2 V.
    expect([above(unrated, 15.36), above(unrated, 15.361)].map(({ length }) => length)).toEqual([
      0, 1,
    ]);
    expect(
      [
        above({ ...unrated, batteryVoltageV: 400 }, 120),
        above({ ...unrated, batteryVoltageV: null }, 15.361),
      ].map(({ length }) => length),
    ).toEqual([0, 1]);
    expect(faultsOf(storage, { type: 'charge', socPercent: 90, powerKw: 8.5 })).toHaveLength(1);
  });
});

describe('what the owner of a plant does not allow', () => {
  const limits = (given: Partial<OwnerLimits>): OwnerLimits => ({ ...NO_LIMITS, ...given });
  const faultsOf = (
    plan: readonly PlanInterval[],
    given: Partial<OwnerLimits>,
    capacityKwh: number | null = null,
  ): string[] => textOf(limitFaults(plan, limits(given), capacityKwh));

  test('is nothing unless it is said', () => {
    expect(
      faultsOf([from('00:00', '12:00', discharge(1)), from('12:00', '24:00', charge)], {}),
    ).toEqual([]);
  });

  test('is discharging below the reserve', () => {
    const plan = [from('01:00', '02:00', charge), from('17:00', '20:00', discharge(29))];
    expect(faultsOf(plan, { reserveSocPercent: 30 })).toEqual([
      'intervals[1].payload.socPercent: at least 30, which the owner keeps in reserve, in the interval 17:00 to 20:00',
    ]);
    expect(faultsOf(plan, { reserveSocPercent: 29 })).toEqual([]);
  });

  test('is anything in the quiet hours', () => {
    const quietHours = [
      { start: '12:00', end: '13:00' },
      { days: ['sun' as const], start: '22:00', end: '02:00' },
    ];
    const why = 'in which the owner allows no strategy';
    expect(faultsOf([from('13:00', '22:00'), from('02:00', '12:00')], { quietHours })).toEqual([]);
    expect(faultsOf([from('12:30', '12:40'), from('01:00', '01:30')], { quietHours })).toEqual([
      `intervals[0].start: hours outside of 12:00 to 13:00, ${why}, in the interval 12:30 to 12:40`,
      `intervals[1].start: hours outside of sun 22:00 to 02:00, ${why}, in the interval 01:00 to 01:30`,
    ]);
    expect(faultsOf([{ ...from('01:00', '01:30'), days: ['tue'] }], { quietHours })).toEqual([]);
  });

  test('is discharging more often than so many times a day', () => {
    const cycle = [
      from('06:00', '09:00', discharge(20)),
      from('10:00', '14:00', charge),
      from('17:00', '20:00', discharge(30)),
    ];
    const why = (cycles: string, allowed: number): string =>
      `intervals: at most ${allowed} cycles a day, which the owner allows, not ${cycles}`;
    // 100 to 20 and 90 to 30.
    expect(faultsOf(cycle, { cyclesPerDay: 1 })).toEqual([why('1.40', 1)]);
    expect(faultsOf(cycle, { cyclesPerDay: 1.4 })).toEqual([]);
    // Three hours of 3 kW are 9 kWh of 18, then again.
    expect(faultsOf(cycle, { cyclesPerDay: 0.9 }, 18)).toEqual([why('1.00', 0.9)]);
    expect(faultsOf(cycle, { cyclesPerDay: 1 }, 18)).toEqual([]);
    // Sums of hundredths are no exact fractions.
    expect(
      faultsOf([from('06:00', '09:00', discharge(90)), from('17:00', '20:00', discharge(70))], {
        cyclesPerDay: 0.3,
      }),
    ).toEqual([]);
    // On different days.
    const apart = [
      { ...cycle[0]!, days: ['mon' as const] },
      { ...cycle[2]!, days: ['tue' as const] },
    ];
    expect(faultsOf(apart, { cyclesPerDay: 0.8 })).toEqual([]);
    expect(faultsOf(apart, { cyclesPerDay: 0.79 })).toEqual([why('0.80', 0.79)]);
  });
});
