import {
  createPlant,
  type PlantSpecification,
  type SimulatedPlantState,
} from '@helioport/simulator';
import { describe, expect, test } from 'vitest';
import { zonesSinceEver } from '../../../packages/server/src/platform/calendar/plant-calendar.ts';
import {
  compilePlan,
  touchedParameters,
} from '../../../packages/server/src/control/strategies/plan/compile-plan.ts';
import { NO_LIMITS } from '../../../packages/server/src/control/strategies/plan/owner-limits.ts';
import {
  capabilityOf,
  type Battery,
  type Capability,
} from '../../../packages/server/src/control/strategies/set-point/capability.ts';
import {
  divideSetPoint,
  stillFits,
} from '../../../packages/server/src/control/strategies/set-point/divide.ts';
import {
  idleExportW,
  sharePlan,
} from '../../../packages/server/src/control/strategies/set-point/share-plan.ts';
import { batteryVoltage } from '../../../packages/simulator/src/battery-voltage.ts';
import { controlsOf } from '../../../packages/simulator/src/devices/controls.ts';
import { conditionsAt } from '../../../packages/simulator/src/scenarios/conditions.ts';
import { effort } from '../../support/effort.ts';
import { createPlannedInverter, type PlannedInverter } from '../plan/planned-inverter.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A winter evening in Berlin: nothing comes from the modules. */
const startAt = Date.parse('2026-01-14T17:00:00Z');
const untilAt = startAt + HOUR_MS;
const timeZone = 'Europe/Berlin';
const zones = zonesSinceEver(timeZone);
const COUNT = effort(60, 1000);

/** A house with a battery, unlike its neighbours. */
function houseOf(i: number): PlantSpecification {
  const ratedPowerW = [5000, 8000, 10_000][i % 3]!;
  return {
    seed: i,
    place: { latitude: 52.5, longitude: 13.4 },
    timeZone,
    gridFrequencyHz: 50,
    gridVoltageV: 230,
    load: { baseW: 150 + 10 * (i % 20), morningPeakW: 800, eveningPeakW: 500 + 50 * (i % 30) },
    inverters: [
      {
        sn: `S${i}`,
        ratedPowerW,
        phases: 3,
        startTotalKwh: 1000,
        strings: [{ kwp: 6, tilt: 30, azimuth: 180, modulesInSeries: 12 }],
        battery: {
          capacityKwh: 8 + (i % 5),
          maxPowerW: Math.min(ratedPowerW, 3000 + 500 * (i % 5)),
          reservePercent: 10,
        },
      },
    ],
  };
}

interface House {
  readonly deviceId: string;
  readonly specification: PlantSpecification;
  readonly inverter: PlannedInverter;
  readonly former: ReadonlyMap<string, string>;
  state(): SimulatedPlantState;
  advance(at: number): void;
}

function createHouse(i: number): House {
  const specification = houseOf(i);
  const [{ battery, ...rest }] = specification.inverters as [
    PlantSpecification['inverters'][number],
  ];
  const inverter = createPlannedInverter({ ...rest, ...(battery && { battery }) });
  // All are half full, and keep more or less of it, so that some are empty before the hour is over.
  inverter.write([['158', String(10 + (i % 4) * 5)]]);
  const plant = createPlant(
    specification,
    startAt - MINUTE_MS,
    MINUTE_MS,
    (at, minute, socPercent) => ({
      conditions: conditionsAt([], at),
      controls: [controlsOf(inverter.memory, battery, minute, socPercent)],
    }),
  );
  let [state] = [...plant.advance(startAt - MINUTE_MS)] as [SimulatedPlantState];
  return {
    deviceId: specification.inverters[0]!.sn,
    specification,
    inverter,
    former: inverter.settingsOf(
      touchedParameters(sharePlan(1, { fromAt: startAt, untilAt }, zones), inverter.device),
    ),
    state: () => state,
    advance(at) {
      for (const next of plant.advance(at)) state = next;
    },
  };
}

const socOf = ({ state, specification }: House): number =>
  (100 * state().batteryKwh) / specification.inverters[0]!.battery!.capacityKwh;

function batteryOf(house: House, isPresent: boolean): Battery {
  const { specification, inverter, deviceId } = house;
  const { battery, ratedPowerW } = specification.inverters[0]!;
  const [chargeA, dischargeA, reserve, full] = ['7224', '7226', '158', '7963'].map((id) =>
    Number(inverter.memory.read(id, 0).value),
  ) as [number, number, number, number];
  const stepW = batteryVoltage(socOf(house));
  return {
    deviceId,
    isPresent,
    socPercent: socOf(house),
    capacityKwh: battery!.capacityKwh,
    ratedPowerW: Math.min(ratedPowerW, battery!.maxPowerW),
    productionW: house.state().inverters[0]!.acPowerW,
    maxChargeW: chargeA * stepW,
    maxDischargeW: dischargeA * stepW,
    reserveSocPercent: reserve,
    fullSocPercent: full,
    stepW,
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** A group of houses, and the service's part: every five minutes it looks whether the powers still fit, and divides them again if not. */
function createGroup(houses: readonly House[]) {
  const away = new Set<string>();
  const here = (): House[] => houses.filter(({ deviceId }) => !away.has(deviceId));
  const capabilities = (leftMs: number): Capability[] =>
    houses.map((house) => capabilityOf(batteryOf(house, !away.has(house.deviceId)), leftMs));
  const exported = (): number => sumOf(here().map(({ state }) => state().gridW));
  const idle = (): number => idleExportW(here().map(({ state }) => state()));
  let divisions = 0;

  function steer(targetW: number, at: number): void {
    const wantedW = targetW - idle();
    const can = capabilities(untilAt - at);
    const measured = new Map(here().map(({ deviceId, state }) => [deviceId, -state().batteryW]));
    if (at > startAt && stillFits(wantedW, measured, can)) return;
    divisions += 1;
    const { shares } = divideSetPoint(wantedW, can);
    for (const house of here()) {
      const { device } = house.inverter;
      const plan = sharePlan(shares.get(house.deviceId)!, { fromAt: at, untilAt }, zones);
      const scene = {
        device: { ...device, batteryVoltageV: batteryVoltage(socOf(house)) },
        zones,
        limits: NO_LIMITS,
        former: house.former,
      };
      const { settings } = compilePlan(plan, scene, at);
      house.inverter.write([...[...house.former].filter(([id]) => !settings.has(id)), ...settings]);
    }
  }

  return {
    away,
    here,
    exported,
    idle,
    steer,
    divisions: (): number => divisions,
    /** What those that are there can add to the export in the next minute, W. */
    canGive: (): number =>
      sumOf(capabilities(MINUTE_MS).map(({ discharge }) => discharge.sustainedW)),
    advance(at: number): void {
      for (const house of houses) house.advance(at);
    },
  };
}

describe(`a set point over ${COUNT} simulated batteries`, () => {
  /** Lets the hour pass; returns what was reached in each minute of what was wanted and possible. */
  const run = (part: number, dropOut: boolean) => {
    const houses = Array.from({ length: COUNT }, (_, i) => createHouse(i));
    const group = createGroup(houses);
    const targetW = group.idle() + part * group.canGive();
    const reached: number[] = [];
    for (let at = startAt; at < untilAt; at += MINUTE_MS) {
      const minute = (at - startAt) / MINUTE_MS;
      // One in ten loses its link after a quarter of an hour, and one in ten more after half an hour.
      if (dropOut && (minute === 15 || minute === 30))
        for (const [i, { deviceId }] of houses.entries())
          if (i % 10 === minute / 15) group.away.add(deviceId);
      if (minute % 5 === 0) group.steer(targetW, at);
      const canW = group.canGive();
      group.advance(at);
      const wantedW = Math.min(targetW - group.idle(), canW);
      reached.push((group.exported() - group.idle()) / wantedW);
    }
    return { group, reached, houses, targetW };
  };

  test('reaches 95 % of what they can give, and holds it until they are empty', () => {
    const { group, reached, houses } = run(1, false);
    expect(Math.min(...reached)).toBeGreaterThan(0.95);
    expect(Math.max(...reached)).toBeLessThan(1.05);
    expect(group.divisions()).toBeGreaterThan(1);
    expect(houses.some(({ state }) => state().batteryW === 0)).toBe(true);
  });

  test('of half of it is held while some drop out, and the others make up for them', () => {
    const { reached, group, targetW, houses } = run(0.5, true);
    expect(group.here().length).toBe(houses.length - 2 * Math.ceil(COUNT / 10));
    expect(Math.min(...reached)).toBeGreaterThan(0.95);
    expect(Math.max(...reached)).toBeLessThan(1.05);
    expect(group.exported() / targetW).toBeGreaterThan(0.9);
  });

  test('is not divided again without need', () => {
    const { group } = run(0.5, false);
    // Twelve looks in the hour.
    expect(group.divisions()).toBeLessThanOrEqual(8);
  });

  test('ends by itself at the deadline in those that nobody reaches', () => {
    const { group, houses } = run(0.5, true);
    const cutOff = houses.filter(({ deviceId }) => group.away.has(deviceId));
    expect(cutOff.length).toBeGreaterThan(0);
    expect(cutOff.every(({ state }) => state().batteryW < -500)).toBe(true);
    group.advance(untilAt);
    // They supply their own house again, and no more.
    for (const { state } of cutOff) expect(Math.abs(state().gridW)).toBeLessThanOrEqual(1);
  });
});

describe('a share as a plan', () => {
  const from = (at: string, until: string, powerW = 1000) =>
    sharePlan(powerW, { fromAt: Date.parse(at), untilAt: Date.parse(until) }, zones);

  test('lasts from now to the deadline on the plant’s clock', () => {
    expect(from('2026-01-14T17:00:40Z', '2026-01-14T23:30:10Z', 2500)).toEqual([
      { start: '18:00', end: '00:31', payload: { type: 'discharge', socPercent: 1, powerKw: 2.5 } },
    ]);
    expect(from('2026-01-14T17:00Z', '2026-01-14T18:00Z', -2500)).toEqual([
      { start: '18:00', end: '19:00', payload: { type: 'charge', socPercent: 100, powerKw: 2.5 } },
    ]);
    expect(from('2026-01-14T17:00Z', '2026-01-14T18:00Z', 0)).toEqual([
      { start: '18:00', end: '19:00', payload: { type: 'hold' } },
    ]);
  });

  test('of a day or more is the whole day', () => {
    const whole = { start: '00:00', end: '24:00' };
    expect(from('2026-01-14T17:00Z', '2026-01-15T17:00Z')).toMatchObject([whole]);
    expect(from('2026-01-14T17:00Z', '2026-01-20T12:00Z')).toMatchObject([whole]);
    // 23 hours on the night in which the clocks skip one.
    expect(from('2026-03-28T17:00Z', '2026-03-29T16:00Z')).toMatchObject([whole]);
  });
});

test('what is not measured counts as nothing', () => {
  expect(
    idleExportW([
      { gridW: -300, batteryW: -2000 },
      { gridW: null, batteryW: 500 },
      { gridW: 100, batteryW: null },
    ]),
  ).toBe(-1700);
});
