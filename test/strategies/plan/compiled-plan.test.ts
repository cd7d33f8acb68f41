import { weekDays, type PlanInterval, type StrategyPayload } from '@helioport/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  calendarOfZone,
  zonesSinceEver,
} from '../../../packages/server/src/platform/calendar/plant-calendar.ts';
import {
  compilePlan,
  nextChange,
  touchedParameters,
  type Keeper,
  type PlanScene,
} from '../../../packages/server/src/control/strategies/plan/compile-plan.ts';
import { deviceFaults } from '../../../packages/server/src/control/strategies/plan/device-faults.ts';
import {
  NO_LIMITS,
  type OwnerLimits,
} from '../../../packages/server/src/control/strategies/plan/owner-limits.ts';
import { readPlan } from '../../../packages/server/src/control/strategies/plan/read-plan.ts';
import type { Hours } from '../../../packages/server/src/control/strategies/plan/week-spans.ts';
import type { Controls } from '../../../packages/simulator/src/devices/controls.ts';
import { berlinHouse } from '../../simulator/berlin-house.ts';
import { effort } from '../../support/effort.ts';
import { isWithin, wallClock } from './naive-plan.ts';
import { createPlannedInverter, SOC_PERCENT, type PlannedInverter } from './planned-inverter.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const VOLTS = 51.2;
const [storage, string] = berlinHouse.inverters;

const charge = (powerKw: number, socPercent = 90): StrategyPayload => ({
  type: 'charge',
  socPercent,
  powerKw,
});
const discharge = (powerKw: number, socPercent = 20): StrategyPayload => ({
  type: 'discharge',
  socPercent,
  powerKw,
});
const from = (start: string, end: string, payload: StrategyPayload): PlanInterval => ({
  start,
  end,
  payload,
});

interface Followed {
  readonly plan: readonly PlanInterval[];
  readonly timeZone?: string;
  readonly limits?: OwnerLimits;
  readonly inverter?: PlannedInverter;
  /** What the owner had set before. */
  readonly own?: Readonly<Record<string, string>>;
}

/** The service's part: it reads what it will change, and writes whenever a change is due. */
function follow({
  plan,
  timeZone = 'Europe/Berlin',
  limits = NO_LIMITS,
  inverter = createPlannedInverter(storage),
  own = {},
}: Followed) {
  inverter.write(Object.entries(own));
  const zones = zonesSinceEver(timeZone);
  expect([...readPlan(plan).faults, ...deviceFaults(plan, inverter.device)]).toEqual([]);
  const former = inverter.settingsOf(touchedParameters(plan, inverter.device));
  const scene: PlanScene = { device: inverter.device, zones, limits, former };
  let [dueAt, writes] = [-Infinity, 0];
  const apply = (at: number): void => {
    const { settings } = compilePlan(plan, scene, at);
    const others = [...former].filter(
      ([id]) => !settings.has(id) && !(id === '52' && settings.has('54')),
    );
    writes += inverter.write([...others, ...settings]);
    dueAt = nextChange(plan, scene, at) ?? Infinity;
  };
  return {
    inverter,
    zones,
    former,
    /** Lets the service do what is due. */
    tick: (at: number): void => void (at >= dueAt && apply(at)),
    apply,
    writes: (): number => writes,
    keepers: (at: number): readonly Keeper[] => compilePlan(plan, scene, at).keepers,
    settings: (at: number): Record<string, string> =>
      Object.fromEntries(compilePlan(plan, scene, at).settings),
  };
}

const amps = (powerKw: number): number => Math.floor((powerKw * 1000) / VOLTS);

/** What an inverter is to do at a moment, known from the plan and the wall clock alone. `usual`: what it did before. */
function expected(
  plan: readonly PlanInterval[],
  timeZone: string,
  at: number,
  usual: Controls,
  { reserveSocPercent, quietHours }: OwnerLimits = NO_LIMITS,
): unknown {
  const clock = wallClock(timeZone, at);
  const isQuiet = quietHours.some((hours: Hours) => isWithin(hours, clock));
  const payload = isQuiet ? undefined : plan.find((interval) => isWithin(interval, clock))?.payload;
  switch (payload?.type) {
    case 'charge':
      return doing({
        scheduledW:
          payload.socPercent > SOC_PERCENT ? Math.trunc(amps(payload.powerKw) * VOLTS) : 0,
      });
    case 'discharge':
      return doing({
        scheduledW:
          Math.max(payload.socPercent, reserveSocPercent ?? 0) < SOC_PERCENT
            ? -Math.trunc(amps(payload.powerKw) * VOLTS)
            : 0,
      });
    case 'hold':
      return doing({ scheduledW: 0 });
    case 'selfUse':
      return doing({ isFeedInFirst: false });
    case 'exportLimit':
      return doing({
        isFeedInFirst: false,
        exportLimitW: Math.min(usual.exportLimitW, 1000 * payload.powerKw),
      });
    case 'off':
      return doing({ isOn: false });
    case undefined:
      return doing({});
  }
  function doing(changed: {
    scheduledW?: number;
    isFeedInFirst?: boolean;
    exportLimitW?: number;
    isOn?: boolean;
  }): unknown {
    const scheduledW = changed.isFeedInFirst === false ? undefined : usual.battery?.scheduledW;
    return {
      isOn: usual.isOn,
      exportLimitW: usual.exportLimitW,
      isFeedInFirst: usual.battery?.isFeedInFirst,
      scheduledW,
      ...changed,
    };
  }
}

const done = ({ isOn, exportLimitW, battery }: Controls): unknown => ({
  isOn,
  exportLimitW,
  isFeedInFirst: battery?.isFeedInFirst,
  // -0 is the current of a slot that is discharged with nothing.
  scheduledW: battery?.scheduledW === undefined ? undefined : battery.scheduledW + 0,
});

/** Follows a plan and compares the registers' effect with the plan, every few minutes. */
function expectObeyed(
  followed: Followed,
  fromAt: number,
  toAt: number,
  stepMinutes: number,
): ReturnType<typeof follow> {
  const { plan, timeZone = 'Europe/Berlin', limits = NO_LIMITS } = followed;
  const before = createPlannedInverter(
    storage,
    'HS-8K-ES',
    followed.inverter?.device.displayVersion,
  );
  before.write(Object.entries(followed.own ?? {}));
  const service = follow(followed);
  for (let at = fromAt; at < toAt; at += stepMinutes * MINUTE_MS) {
    service.tick(at);
    const moment = `${timeZone} ${new Date(at).toISOString()}`;
    expect([moment, done(service.inverter.controlsAt(service.zones, at))]).toEqual([
      moment,
      expected(plan, timeZone, at, before.controlsAt(service.zones, at), limits),
    ]);
  }
  return service;
}

const everyKind: readonly PlanInterval[] = [
  from('00:30', '02:10', charge(3)),
  from('02:10', '02:40', discharge(2)),
  from('02:40', '05:00', { type: 'hold' }),
  from('12:00', '13:00', { type: 'exportLimit', powerKw: 1 }),
  from('13:00', '14:00', { type: 'selfUse' }),
  from('17:00', '20:00', discharge(4, 20)),
  { days: ['sat', 'sun'], start: '23:00', end: '00:30', payload: { type: 'off' } },
];

describe('a day plan in an inverter', () => {
  test.each([
    ['Europe/Berlin', '2026-03-28', '2026-10-24'],
    ['America/New_York', '2026-03-07', '2026-10-31'],
    ['Australia/Lord_Howe', '2026-10-03', '2026-04-04'],
  ])('is obeyed in %s through both changes of the clocks', (timeZone, ...eves) => {
    for (const eve of eves) {
      const { startAt } = calendarOfZone(timeZone).dayWindow(Number(eve.replaceAll('-', '')));
      expectObeyed({ plan: everyKind, timeZone }, startAt, startAt + 3 * DAY_MS, 5);
    }
  });

  const noon = Date.parse('2026-06-05T10:00Z');

  test('lies in the device, so that it does not need the service any more', () => {
    const plan = [
      from('01:00', '03:00', charge(3)),
      from('06:00', '08:00', { type: 'hold' }),
      from('17:00', '20:00', discharge(4)),
      from('20:00', '21:00', { type: 'selfUse' }),
    ];
    const { inverter, zones, apply, keepers } = follow({ plan });
    apply(noon);
    expect(keepers(noon)).toEqual(['device', 'device', 'device', 'device']);
    const usual = createPlannedInverter(storage);
    for (let at = noon; at < noon + 7 * DAY_MS; at += 10 * MINUTE_MS)
      expect(done(inverter.controlsAt(zones, at))).toEqual(
        expected(plan, 'Europe/Berlin', at, usual.controlsAt(zones, at)),
      );
  });

  test('is written once and not again', () => {
    const plan = [from('01:00', '03:00', charge(3)), from('17:00', '20:00', discharge(4))];
    const { writes } = expectObeyed({ plan }, noon, noon + 3 * DAY_MS, 10);
    // Time, current, end and switch of two slots, and the mode; the charge of the first slot ends at 90 %, that of the other where it did before.
    expect(writes()).toBe(8);
  });

  test('says what the device cannot keep', () => {
    const { keepers } = follow({ plan: everyKind });
    expect(keepers(noon)).toEqual([
      'device',
      'device',
      'device',
      'service',
      'device',
      'device',
      'service',
    ]);
    const days = follow({
      plan: [
        { ...from('01:00', '03:00', charge(3)), days: ['mon'] },
        from('17:00', '20:00', discharge(4)),
      ],
    });
    expect(days.keepers(noon)).toEqual(['inTurn', 'device']);
    const many = Array.from({ length: 7 }, (_, i) => from(`0${i}:00`, `0${i}:30`, charge(i + 1)));
    expect(follow({ plan: [...many, from('10:00', '11:00', discharge(1))] }).keepers(noon)).toEqual(
      [...many.map(() => 'inTurn'), 'device'],
    );
    // What feeds in first has to be made to use itself.
    expect(
      follow({ plan: [from('10:00', '11:00', { type: 'selfUse' })], own: { 636: '96' } }).keepers(
        noon,
      ),
    ).toEqual(['service']);
  });

  test('with more intervals than slots is put in in turn', () => {
    const hours = Array.from({ length: 24 }, (_, i) => String(i).padStart(2, '0'));
    const plan = hours.flatMap((hour, i) => [
      from(`${hour}:00`, `${hour}:20`, charge(1 + (i % 4))),
      from(`${hour}:30`, `${hour}:50`, discharge(1 + (i % 3))),
    ]);
    expectObeyed({ plan }, noon, noon + 26 * HOUR_MS, 10);
  });

  test('of some days only is in the device before it begins, and out of it before it would be repeated', () => {
    const plan = [{ ...from('10:00', '12:00', charge(3)), days: ['mon' as const] }];
    // 8 June 2026 is a Monday; Berlin is two hours ahead.
    const service = expectObeyed({ plan }, noon, noon + 9 * DAY_MS, 15);
    const toggle = (at: string): string | undefined => service.settings(Date.parse(at))['5916'];
    expect(
      ['2026-06-07T09:59Z', '2026-06-07T10:00Z', '2026-06-08T09:59Z', '2026-06-08T10:00Z'].map(
        toggle,
      ),
    ).toEqual([undefined, '1', '1', undefined]);
  });

  test('of a whole day takes two slots', () => {
    expectObeyed({ plan: [from('00:00', '24:00', discharge(2))] }, noon, noon + 2 * DAY_MS, 5);
    expect(follow({ plan: [from('00:00', '24:00', discharge(2))] }).settings(noon)).toMatchObject({
      5964: '00:00-12:00',
      5968: '12:00-00:00',
      5922: '1',
      5923: '1',
    });
  });

  test('leaves alone what the owner had set for other hours', () => {
    // Two slots of the owner's: he charges at night and discharges in the evening.
    const own = {
      636: '35',
      5916: '1',
      5946: '01:00-04:00',
      5948: '20',
      5928: '80',
      5923: '1',
      5968: '18:00-22:00',
      5971: '30',
      5969: '25',
    };
    const plan = [
      from('02:00', '03:00', { type: 'hold' }),
      from('19:00', '20:00', charge(2)),
      from('21:00', '23:00', discharge(4)),
    ];
    const service = expectObeyed({ plan, own }, noon, noon + 2 * DAY_MS, 10);
    expect(service.keepers(noon)).toEqual(['device', 'device', 'device']);
    // A slot that is switched off is none, whatever its time.
    expectObeyed({ plan, own: { ...own, 5916: '0' } }, noon, noon + 2 * DAY_MS, 10);
    // One that the plan cuts on Mondays alone.
    const mondays = [{ ...from('02:00', '03:00', { type: 'hold' }), days: ['mon' as const] }];
    expectObeyed({ plan: mondays, own }, noon, noon + 9 * DAY_MS, 30);
    // Without the mode that makes them valid, slots mean nothing.
    expectObeyed({ plan, own: { ...own, 636: '33' } }, noon, noon + 2 * DAY_MS, 10);
    // The owner's slot would now charge from the grid, which he had not allowed.
    expect(follow({ plan, own: { ...own, 636: '3' } }).settings(noon)['636']).toBe('35');
    const charging = follow({ plan, own: { ...own, 636: '3' } });
    charging.apply(noon);
    expect(
      charging.inverter.controlsAt(charging.zones, Date.parse('2026-06-05T23:30Z')).battery!
        .scheduledW,
    ).toBeUndefined();
  });

  test('of self-use alone takes the slots of the owner for its hours, and leaves them as they are in others', () => {
    const own = {
      636: '35',
      5916: '1',
      5946: '01:00-04:00',
      5948: '20',
      5923: '1',
      5968: '18:00-22:00',
      5971: '30',
      5969: '25',
    };
    const selfUse = (start: string, end: string): PlanInterval[] => [
      from(start, end, { type: 'selfUse' }),
    ];
    expectObeyed({ plan: selfUse('00:00', '24:00'), own }, noon, noon + DAY_MS, 10);
    expectObeyed({ plan: selfUse('02:00', '20:00'), own }, noon, noon + DAY_MS, 10);
    expect(follow({ plan: selfUse('05:00', '17:00'), own }).settings(noon)).toEqual({});
  });

  test('never raises the limit of export, and never switches on what the owner had switched off', () => {
    const plan = [
      from('00:00', '12:00', { type: 'exportLimit', powerKw: 5 }),
      from('12:00', '14:00', { type: 'off' }),
    ];
    expect(
      follow({ plan, own: { 230: '3000' } }).settings(Date.parse('2026-06-05T06:00Z')),
    ).toEqual({ 230: '3000', 52: '190' });
    expect(follow({ plan, own: { 54: '222' } }).settings(Date.parse('2026-06-05T06:00Z'))).toEqual({
      230: '5000',
    });
    expect(follow({ plan }).settings(noon)).toEqual({ 54: '222' });
    expect(follow({ plan, own: { 54: '222' } }).settings(noon + 4 * HOUR_MS)).toEqual({});
  });

  test('keeps to the reserve and the quiet hours of the owner', () => {
    const limits: OwnerLimits = {
      reserveSocPercent: 30.5,
      cyclesPerDay: null,
      quietHours: [
        { start: '18:00', end: '18:30' },
        { days: ['sat'], start: '00:00', end: '24:00' },
      ],
    };
    const plan = [from('01:00', '03:00', charge(3)), from('17:00', '20:00', discharge(4, 5))];
    const service = expectObeyed({ plan, limits }, noon, noon + 4 * DAY_MS, 10);
    const settings = service.settings(Date.parse('2026-06-08T10:00Z'));
    expect([settings['5965'], settings['5969'], settings['5964'], settings['5968']]).toEqual([
      '31',
      '31',
      '17:00-18:00',
      '18:30-20:00',
    ]);
    expectObeyed({ plan, limits: { ...limits, reserveSocPercent: 60 } }, noon, noon + DAY_MS, 10);
  });

  test('goes back without a trace', () => {
    const own = { 636: '35', 5916: '1', 5946: '01:00-04:00', 5948: '20' };
    const { inverter, former, tick } = follow({ plan: everyKind, own });
    for (let at = noon; at < noon + DAY_MS; at += 30 * MINUTE_MS) tick(at);
    inverter.write([...former].toReversed());
    expect(inverter.settingsOf([...former.keys()])).toEqual(former);
  });

  test('is obeyed by devices with older displays, too, whose slots end at no state of charge', () => {
    const older = (): PlannedInverter => createPlannedInverter(storage, 'HS-8K-ES', '4aff');
    const plan = [
      from('01:00', '03:00', charge(3, 80)),
      from('06:00', '08:00', { type: 'hold' }),
      from('17:00', '20:00', discharge(4, 20)),
    ];
    const service = expectObeyed({ plan, inverter: older() }, noon, noon + 2 * DAY_MS, 10);
    expect(service.keepers(noon)).toEqual(['hours', 'device', 'hours']);
    expect([
      service.settings(noon),
      service.settings(Date.parse('2026-06-05T00:00Z')),
      service.settings(Date.parse('2026-06-05T16:00Z')),
    ]).toEqual([
      {
        636: '35',
        103: '58,78,01:00-03:00,17:00-20:00,0,0,06:00-08:00,00:00-00:00,0,0,00:00-00:00,00:00-00:00',
      },
      { 636: '35', 103: expect.any(String), 7963: '80' },
      { 636: '35', 103: expect.any(String), 158: '20' },
    ]);
    expect(
      follow({ plan: [from('17:00', '20:00', discharge(4, 2))], inverter: older() }).settings(
        Date.parse('2026-06-05T16:00Z'),
      )['158'],
    ).toBe('5');
    const own = {
      636: '35',
      103: '20,30,01:00-04:00,18:00-22:00,0,0,00:00-00:00,00:00-00:00,0,0,00:00-00:00,00:00-00:00',
    };
    expectObeyed(
      {
        plan: [from('02:00', '03:00', { type: 'hold' }), from('21:00', '23:00', discharge(4))],
        inverter: older(),
        own,
      },
      noon,
      noon + DAY_MS,
      10,
    );
  });

  test('of a device without a battery switches it off and on', () => {
    const plan = [from('12:00', '14:00', { type: 'off' })];
    const inverter = createPlannedInverter(string, 'HI-5K', null);
    const { settings, former } = follow({ plan, inverter });
    expect([[...former], settings(noon), settings(noon + 4 * HOUR_MS)]).toEqual([
      [['48', '190']],
      { 53: '222' },
      { 48: '190' },
    ]);
  });

  test('changes when an interval begins or ends, or a day before an end', () => {
    const { device } = createPlannedInverter(storage);
    const scene = (timeZone: string, limits = NO_LIMITS): PlanScene => ({
      device,
      zones: zonesSinceEver(timeZone),
      limits,
      former: new Map(),
    });
    const change = (plan: readonly PlanInterval[], at: string): string | undefined => {
      const next = nextChange(plan, scene('Europe/Berlin'), Date.parse(at));
      return next === undefined ? undefined : new Date(next).toISOString().slice(0, 16);
    };
    const monday = [{ ...from('10:00', '12:00', charge(3)), days: ['mon' as const] }];
    // 30 March 2026 is the Monday after the change.
    expect(
      ['2026-03-27T10:00Z', '2026-03-29T10:00Z', '2026-03-30T08:00Z', '2026-03-30T10:00Z'].map(
        (at) => change(monday, at),
      ),
    ).toEqual(['2026-03-29T10:00', '2026-03-30T08:00', '2026-03-30T10:00', '2026-04-05T10:00']);
    // The day before the end at 12:00 in summer was in winter, an hour later in UTC.
    expect(change([{ ...monday[0]!, days: ['sun'] }], '2026-03-27T10:00Z')).toBe(
      '2026-03-28T11:00',
    );
    expect(change([{ ...monday[0]!, end: '10:00', start: '12:00' }], '2026-03-23T10:00Z')).toBe(
      '2026-03-23T11:00',
    );
    const never: OwnerLimits = { ...NO_LIMITS, quietHours: [{ start: '00:00', end: '24:00' }] };
    expect(nextChange(monday, scene('UTC', never), noon)).toBeUndefined();
  });

  const payload = fc.oneof(
    fc.record({
      type: fc.constant('charge' as const),
      socPercent: fc.integer({ min: 1, max: 100 }),
      powerKw: fc.integer({ min: 1, max: 80 }).map((n) => n / 10),
    }),
    fc.record({
      type: fc.constant('discharge' as const),
      socPercent: fc.integer({ min: 1, max: 100 }),
      powerKw: fc.integer({ min: 1, max: 80 }).map((n) => n / 10),
    }),
    fc.constant({ type: 'hold' as const }),
    fc.constant({ type: 'selfUse' as const }),
    fc.record({
      type: fc.constant('exportLimit' as const),
      powerKw: fc.integer({ min: 0, max: 10 }),
    }),
    fc.constant({ type: 'off' as const }),
  );
  const minutes = fc
    .uniqueArray(
      fc.integer({ min: 0, max: 95 }).map((n) => 15 * n),
      { minLength: 2, maxLength: 20 },
    )
    .map((all) => all.toSorted((a, b) => a - b));
  const text = (minute: number): string =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

  /** Plans whose intervals lie between two of the times, one after the other. */
  const plans = fc
    .record({
      times: minutes,
      payloads: fc.array(payload, { minLength: 20, maxLength: 20 }),
      days: fc.array(fc.option(fc.subarray([...weekDays], { minLength: 1 }), { nil: undefined }), {
        minLength: 20,
        maxLength: 20,
      }),
      skipped: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ times, payloads, days, skipped }) =>
      times.flatMap((time, i): PlanInterval[] => {
        const next = times[(i + 1) % times.length]!;
        return skipped > 0 && i % 4 === skipped
          ? []
          : [
              {
                ...(days[i] && { days: days[i] }),
                start: text(time),
                end: text(next),
                payload: payloads[i]!,
              },
            ];
      }),
    )
    .filter((plan) => plan.length > 0);

  test('is obeyed, whatever it is', () => {
    fc.assert(
      fc.property(
        plans,
        fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'),
        fc
          .integer({ min: 0, max: 364 })
          .map((day) => Date.parse('2026-01-01T00:00Z') + day * DAY_MS),
        fc.constantFrom<Readonly<Record<string, string>>>(
          {},
          { 636: '64' },
          {
            636: '34',
            5919: '1',
            5955: '05:00-09:00',
            5957: '15',
            5927: '1',
            5987: '20:00-01:00',
            5986: '40',
          },
        ),
        (plan, timeZone, at, own) => {
          fc.pre(readPlan(plan).faults.length === 0);
          expectObeyed({ plan, timeZone, own }, at, at + 2 * DAY_MS, 15);
        },
      ),
      { numRuns: effort(25, 1500) },
    );
  });
});
