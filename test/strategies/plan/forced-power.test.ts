import type { PlanInterval, StrategyPayload } from '@helioport/contract';
import { expect, test } from 'vitest';
import { zonesSinceEver } from '../../../packages/server/src/platform/calendar/plant-calendar.ts';
import {
  compilePlan,
  touchedParameters,
} from '../../../packages/server/src/control/strategies/plan/compile-plan.ts';
import {
  deviceFaults,
  whyNoPower,
} from '../../../packages/server/src/control/strategies/plan/device-faults.ts';
import { forcedPower } from '../../../packages/server/src/control/strategies/plan/forced-power.ts';
import { NO_LIMITS } from '../../../packages/server/src/control/strategies/plan/owner-limits.ts';
import { FORCED } from '../../../packages/server/src/control/strategies/plan/planned-device.ts';
import { berlinHouse } from '../../simulator/berlin-house.ts';
import { createPlannedInverter } from './planned-inverter.ts';

const charge = { type: 'charge', socPercent: 80, powerKw: 2.5 } as const;
const discharge = { type: 'discharge', socPercent: 20, powerKw: 1.237 } as const;
const hours = (start: string, end: string, payload: StrategyPayload): PlanInterval => ({
  start,
  end,
  payload,
});

const { device: kept } = createPlannedInverter(berlinHouse.inverters[0]);
/** Its collector repeats what it forgets; it has no slots that could be set. */
const device = { ...kept, displayVersion: null, holds: new Set([FORCED.parameter]) };
const NOON = Date.UTC(2026, 5, 1, 12);

test('a plan is a power for now, which costs its memory nothing, and none outside of its hours', () => {
  const plan = [hours('11:00', '13:00', charge), hours('18:00', '20:00', discharge)];
  expect([deviceFaults(plan, device), whyNoPower(device)]).toEqual([[], undefined]);
  // Whether the battery may be charged from the grid is a setting that stays.
  expect(touchedParameters(plan, device)).toEqual(['636']);
  const at = (hour: number, socPercent: number | null): unknown => {
    const { settings, keepers } = compilePlan(
      plan,
      {
        device,
        zones: zonesSinceEver('UTC'),
        limits: NO_LIMITS,
        former: new Map([['636', '33']]),
        battery: { socPercent, isForced: true },
      },
      NOON + (hour - 12) * 3_600_000,
    );
    expect(keepers).toEqual(['service', 'service']);
    return Object.fromEntries(settings);
  };
  expect([at(12, 50), at(15, 50), at(19, 50)]).toEqual([
    { [FORCED.parameter]: '2500' },
    { [FORCED.parameter]: '0' },
    { [FORCED.parameter]: '-1230' },
  ]);
  expect([at(12, 80), at(19, 20), at(12, null)]).toEqual([
    { [FORCED.parameter]: '0' },
    { [FORCED.parameter]: '0' },
    { [FORCED.parameter]: '0' },
  ]);
});

test('a device that is not said to be repeated for, and a plan with self-use, need slots', () => {
  const selfUse = [hours('00:00', '06:00', charge), hours('06:00', '24:00', { type: 'selfUse' })];
  expect(deviceFaults(selfUse, device)).toHaveLength(1);
  expect(deviceFaults(selfUse.slice(0, 1), { ...device, holds: new Set() })).toHaveLength(1);
});

test('a power ends at its state of charge, the owner’s reserve too, and begins anew only some way from it', () => {
  const limits = { ...NO_LIMITS, reserveSocPercent: 29.5 };
  const power = (payload: StrategyPayload, socPercent: number, isForced: boolean): string =>
    forcedPower(payload, limits, { socPercent, isForced });
  expect([79, 80].map((soc) => power(charge, soc, true))).toEqual(['2500', '0']);
  expect([79, 77].map((soc) => power(charge, soc, false))).toEqual(['0', '2500']);
  expect([31, 30].map((soc) => power(discharge, soc, true))).toEqual(['-1230', '0']);
  expect([32, 33].map((soc) => power(discharge, soc, false))).toEqual(['0', '-1230']);
  expect(power({ type: 'hold' }, 50, false)).toBe('10');
});
