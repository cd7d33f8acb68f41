import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  capabilityOf,
  type Battery,
  type Capability,
} from '../../../packages/server/src/control/strategies/set-point/capability.ts';
import {
  divideSetPoint,
  stillFits,
} from '../../../packages/server/src/control/strategies/set-point/divide.ts';

const HOUR_MS = 3_600_000;

const battery: Battery = {
  deviceId: 'A',
  isPresent: true,
  socPercent: 60,
  capacityKwh: 10,
  ratedPowerW: 8000,
  productionW: 0,
  maxChargeW: 5000,
  maxDischargeW: 4000,
  reserveSocPercent: 20,
  fullSocPercent: 100,
  stepW: 50,
};
const dischargeOf = (changed: Partial<Battery>, leftMs = HOUR_MS) =>
  capabilityOf({ ...battery, ...changed }, leftMs).discharge;
const chargeOf = (changed: Partial<Battery>, leftMs = HOUR_MS) =>
  capabilityOf({ ...battery, ...changed }, leftMs).charge;

describe('what a battery can give', () => {
  test('is what its settings and its inverter let it', () => {
    expect([dischargeOf({}), chargeOf({})]).toEqual([
      { sustainedW: 4000, mostW: 4000 },
      { sustainedW: 4000, mostW: 5000 },
    ]);
    expect([
      dischargeOf({ ratedPowerW: 3000 }).mostW,
      chargeOf({ ratedPowerW: 3000 }).mostW,
    ]).toEqual([3000, 3000]);
    // Modules take a part of the inverter's way to the grid; a small consumption at night does not widen it.
    expect([
      dischargeOf({ productionW: 6000 }).mostW,
      dischargeOf({ productionW: 9000 }).mostW,
      dischargeOf({ productionW: -20, maxDischargeW: 9000, stepW: 10 }).mostW,
    ]).toEqual([2000, 0, 8000]);
    expect(chargeOf({ productionW: 6000 }).mostW).toBe(5000);
  });

  test('is a whole number of steps', () => {
    expect([
      dischargeOf({ maxDischargeW: 4049 }).mostW,
      dischargeOf({ maxDischargeW: 51.2 * 78, stepW: 51.2 }).mostW,
    ]).toEqual([4000, 51.2 * 78]);
  });

  test('lasts until the deadline only with the energy for it', () => {
    // 40 % of 10 kWh.
    expect(dischargeOf({}, 2 * HOUR_MS)).toEqual({ sustainedW: 2000, mostW: 4000 });
    expect(chargeOf({}, 4 * HOUR_MS)).toEqual({ sustainedW: 1000, mostW: 5000 });
    expect([
      dischargeOf({ capacityKwh: null }, 9 * HOUR_MS).sustainedW,
      dischargeOf({}, 0).sustainedW,
      dischargeOf({}, -1).sustainedW,
    ]).toEqual([4000, 4000, 4000]);
  });

  test('is nothing if it is away, at its end, or of unknown state or power', () => {
    const nothing = { sustainedW: 0, mostW: 0 };
    for (const changed of [
      { isPresent: false },
      { socPercent: null },
      { socPercent: 20 },
      { socPercent: 12 },
      { maxDischargeW: 0 },
      { ratedPowerW: null, maxDischargeW: Infinity },
    ])
      expect([changed, dischargeOf(changed)]).toEqual([changed, nothing]);
    for (const changed of [
      { isPresent: false },
      { socPercent: null },
      { socPercent: 100 },
      { fullSocPercent: 60 },
    ])
      expect([changed, chargeOf(changed)]).toEqual([changed, nothing]);
    expect([dischargeOf({ socPercent: 20.5 }).mostW, chargeOf({ socPercent: 99.5 }).mostW]).toEqual(
      [4000, 5000],
    );
  });
});

const capability = (
  deviceId: string,
  sustainedW: number,
  mostW = sustainedW,
  stepW = 1,
): Capability => ({
  deviceId,
  stepW,
  discharge: { sustainedW, mostW },
  charge: { sustainedW: sustainedW / 2, mostW: mostW / 2 },
});
const sharesOf = (wantedW: number, ...capabilities: Capability[]): number[] => [
  ...divideSetPoint(wantedW, capabilities).shares.values(),
];

describe('a set point', () => {
  test('is divided in proportion to what each can give', () => {
    expect(sharesOf(300, capability('A', 100), capability('B', 500))).toEqual([50, 250]);
    expect(sharesOf(-150, capability('A', 100), capability('B', 500))).toEqual([-25, -125]);
    expect(sharesOf(0, capability('A', 100))).toEqual([0]);
    expect(sharesOf(-100, capability('A', 0), capability('B', 500))).toEqual([0, -100]);
  });

  test('takes what lasts before what does not', () => {
    expect(sharesOf(150, capability('A', 100, 400), capability('B', 100, 100))).toEqual([75, 75]);
    expect(sharesOf(350, capability('A', 100, 400), capability('B', 100, 100))).toEqual([250, 100]);
  });

  test('is missed by what nobody can give', () => {
    expect(divideSetPoint(700, [capability('A', 100, 200), capability('B', 400)])).toEqual({
      shares: new Map([
        ['A', 200],
        ['B', 400],
      ]),
      missingW: 100,
    });
    expect(divideSetPoint(-5, [])).toEqual({ shares: new Map(), missingW: 5 });
    expect(divideSetPoint(5, [capability('A', 0)])).toEqual({
      shares: new Map([['A', 0]]),
      missingW: 5,
    });
  });

  test('is met in whole steps', () => {
    // Rounded up, it would be more than the battery can give.
    expect(sharesOf(95, capability('A', 95, 95, 10))).toEqual([90]);
    // 33.3 each; the first one by its id gives more.
    expect(
      sharesOf(
        100,
        capability('B', 90, 90, 10),
        capability('A', 90, 90, 10),
        capability('C', 90, 90, 10),
      ),
    ).toEqual([30, 40, 30]);
  });

  const watts = fc.integer({ min: 0, max: 10_000 });
  const fleet = fc
    .array(
      fc.record({
        sustained: fc.double({ min: 0, max: 1, noNaN: true }),
        most: watts,
        charge: watts,
        stepW: fc.constantFrom(1, 50, 51.2, 230),
      }),
      {
        maxLength: 30,
      },
    )
    .map((all) =>
      all.map(({ sustained, most, charge, stepW }, i): Capability => {
        const whole = (power: number): number => Math.floor(power / stepW) * stepW;
        return {
          deviceId: `D${String(i).padStart(2, '0')}`,
          stepW,
          discharge: { sustainedW: sustained * whole(most), mostW: whole(most) },
          charge: { sustainedW: whole(charge), mostW: whole(charge) },
        };
      }),
    );
  const sum = (values: Iterable<number>): number =>
    [...values].reduce((total, value) => total + value, 0);
  const TINY = 1e-3;

  test('is reached as far as they can give it, and nobody gives more than it can', () => {
    fc.assert(
      fc.property(fleet, fc.integer({ min: -200_000, max: 200_000 }), (capabilities, wantedW) => {
        const { shares, missingW } = divideSetPoint(wantedW, capabilities);
        const can = capabilities.map(({ charge, discharge }) => (wantedW < 0 ? charge : discharge));
        const step = Math.max(0, ...capabilities.map(({ stepW }) => stepW));
        const reachable = Math.min(Math.abs(wantedW), sum(can.map(({ mostW }) => mostW)));
        expect(Math.abs(Math.abs(sum(shares.values())) - reachable)).toBeLessThanOrEqual(
          step / 2 + TINY,
        );
        expect(missingW).toBeCloseTo(
          Math.max(0, Math.abs(wantedW) - Math.abs(sum(shares.values()))),
          3,
        );
        for (const [i, { deviceId, stepW }] of capabilities.entries()) {
          const share = shares.get(deviceId)!;
          expect(share * Math.sign(wantedW)).toBeGreaterThanOrEqual(0);
          expect(Math.abs(share)).toBeLessThanOrEqual(can[i]!.mostW + TINY);
          expect(Math.abs(share / stepW - Math.round(share / stepW))).toBeLessThan(TINY);
        }
      }),
    );
  });

  test('is fair: of two, the one that can give more gives more in proportion, but for a step', () => {
    fc.assert(
      fc.property(fleet, fc.double({ min: 0, max: 1, noNaN: true }), (capabilities, part) => {
        const lasting = sum(capabilities.map(({ discharge }) => discharge.sustainedW));
        const { shares } = divideSetPoint(part * lasting, capabilities);
        for (const { deviceId, discharge, stepW } of capabilities)
          expect(Math.abs(shares.get(deviceId)! - part * discharge.sustainedW)).toBeLessThanOrEqual(
            stepW + TINY,
          );
      }),
    );
  });

  test('does not depend on the order of the batteries', () => {
    fc.assert(
      fc.property(fleet, fc.integer({ min: -100_000, max: 100_000 }), (capabilities, wantedW) => {
        const one = divideSetPoint(wantedW, capabilities).shares;
        const other = divideSetPoint(wantedW, capabilities.toReversed()).shares;
        // What is left of the sum may be a step more or less, for sums of fractions depend on their order.
        for (const { deviceId, stepW } of capabilities)
          expect(Math.abs(one.get(deviceId)! - other.get(deviceId)!)).toBeLessThanOrEqual(
            stepW + TINY,
          );
      }),
    );
  });
});

describe('powers that were divided', () => {
  const [a, b] = [capability('A', 1000), capability('B', 1000)];
  const given = (...powers: number[]): Map<string, number> =>
    new Map(powers.map((power, i) => ['AB'[i]!, power]));

  test('stay as they are as long as their sum is about right', () => {
    expect([1000, 1020, 981].map((wantedW) => stillFits(wantedW, given(500, 500), [a, b]))).toEqual(
      [true, true, true],
    );
    expect(
      [1021, 979, -1000, 0].map((wantedW) => stillFits(wantedW, given(500, 500), [a, b])),
    ).toEqual([false, false, false, false]);
    // A step cannot be divided.
    expect(stillFits(1100, given(500, 500), [capability('A', 1000, 1000, 100), b])).toBe(true);
  });

  test('stay if nobody could give more', () => {
    expect([
      stillFits(5000, given(1000, 1000), [a, b]),
      stillFits(5000, given(1000, 900), [a, b]),
    ]).toEqual([true, false]);
  });

  test('do not stay if one drops out, or cannot give its part any more', () => {
    expect(stillFits(1000, given(500, 500), [a])).toBe(false);
    expect(stillFits(1000, given(500, 500), [a, capability('B', 0)])).toBe(false);
    expect(stillFits(1000, given(500, 500), [a, capability('B', 400)])).toBe(false);
    expect(stillFits(-500, given(-250, -250), [a, b])).toBe(true);
    expect(stillFits(-500, given(-250, -250), [a, capability('B', 400)])).toBe(false);
    // Its inverter limits itself; a little less with each ray of sun is no reason to write.
    expect(
      [455, 454].map((mostW) => stillFits(1000, given(500, 500), [a, capability('B', mostW)])),
    ).toEqual([true, false]);
    // One that gives nothing may be away.
    expect(stillFits(500, given(500, 0), [a])).toBe(true);
  });

  test('fit at once after they were divided', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9000 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: -100_000, max: 100_000 }),
        (powers, wantedW) => {
          const capabilities = powers.map((power, i) => capability(`D${i}`, power, power, 1));
          // Charging at half a watt is no whole step.
          fc.pre(wantedW >= 0);
          expect(
            stillFits(wantedW, divideSetPoint(wantedW, capabilities).shares, capabilities),
          ).toBe(true);
        },
      ),
    );
  });
});
