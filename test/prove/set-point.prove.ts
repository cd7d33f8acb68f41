import { createPlant, type PlantSpecification, type PlantState } from '@helioport/simulator';
import { expect, test } from 'vitest';
import { batteryVoltage } from '../../packages/simulator/src/battery-voltage.ts';
import { controlsOf } from '../../packages/simulator/src/devices/controls.ts';
import { conditionsAt } from '../../packages/simulator/src/scenarios/conditions.ts';
import { describeStrategies, type Battery, type Partner } from '../strategies/scene.ts';
import { effort } from '../support/effort.ts';

const COUNT = effort(3, 1000);
/** At full power, the emptiest battery lasts for half an hour; after a quarter of one, voltages have fallen so far that currents are set anew. */
const MINUTES = { all: effort(14, 20), half: 10 };
const MINUTE_MS = 60_000;
const RATED_W = 8000;
/** One in five loses its link here. */
const LOST_AT = 3;
/** So long after it, the service knows, and the others have made up for it. */
const NOTICED_AFTER = 8;
/** Writing takes its time at the beginning. */
const SETTLED_AT = 2;

/** All of the inverter's power, and currents that no battery here reaches. */
const UNLIMITED = [
  ['15', '100'],
  ['376', '100'],
  ['7224', '180'],
  ['7226', '180'],
] as const;

const specificationOf = (i: number): PlantSpecification => ({
  seed: i,
  place: { latitude: 52.5, longitude: 13.4 },
  timeZone: 'UTC',
  gridFrequencyHz: 50,
  gridVoltageV: 230,
  load: { baseW: 150 + 10 * (i % 20), morningPeakW: 800, eveningPeakW: 500 + 50 * (i % 30) },
  inverters: [
    {
      sn: `S${i}`,
      ratedPowerW: RATED_W,
      phases: 3,
      startTotalKwh: 1000,
      strings: [{ kwp: 6, tilt: 30, azimuth: 180, modulesInSeries: 12 }],
      battery: { capacityKwh: 12 + (i % 5), maxPowerW: RATED_W, reservePercent: 10 },
    },
  ],
});

/** A house in the night, whose battery does what the registers say that the service has written. */
interface House {
  readonly battery: Battery;
  state(): PlantState;
  /** What its inverter measures. */
  reading(): Record<string, number>;
  advance(at: number): void;
}

function createHouse(battery: Battery, i: number, startAt: number): House {
  const specification = specificationOf(i);
  for (const [parameter, value] of UNLIMITED) battery.memory.write(parameter, value, startAt);
  const plant = createPlant(specification, startAt, MINUTE_MS, (at, minute, socPercent) => ({
    conditions: conditionsAt([], at),
    controls: [controlsOf(battery.memory, specification.inverters[0]!.battery, minute, socPercent)],
  }));
  let [state] = [...plant.advance(startAt)] as [PlantState];
  const socPercent = (): number =>
    (100 * state.batteryKwh) / specification.inverters[0]!.battery!.capacityKwh;
  return {
    battery,
    state: () => state,
    reading: () => ({
      gridPowerW: state.gridW,
      batteryPowerW: state.batteryW,
      batterySocPercent: socPercent(),
      batteryVoltageV: batteryVoltage(socPercent()),
      dcPowerW: 0,
    }),
    advance(at) {
      for (const next of plant.advance(at)) state = next;
    },
  };
}

// interface C33 to C36: reports, division, commands and read-back are those of the service; only the houses are simulated
describeStrategies(`a set point over ${COUNT} batteries`, (scene) => {
  const { clock, database } = scene;

  test('reaches 95 % of what they can give, and holds half of it while one in five drops out', async () => {
    clock.at = Date.parse('2026-01-14T18:00:00Z');
    const houses = (await scene.batteries(COUNT, RATED_W)).map((battery, i) =>
      createHouse(battery, i, clock.at),
    );
    const here = (): House[] => houses.filter(({ battery }) => battery.isOnline);
    // The service cannot know what those give that it does not hear.
    const givenW = (): number => -sumOf(here().map(({ state }) => state().batteryW));
    const loadW = (): number => sumOf(houses.map(({ state }) => state().loadW));
    /** A minute of the houses, then one of the service. */
    const minute = async (): Promise<void> => {
      clock.at += MINUTE_MS;
      for (const house of houses) house.advance(clock.at);
      for (const { battery, reading } of here())
        await scene.report(battery.sn, [[clock.at, reading()]]);
      await scene.watch();
      await scene.divide();
      await scene.settle(...here().map(({ battery }) => battery));
    };
    /** What the batteries give of what it takes, minute by minute. */
    const reach = async (
      partner: Partner,
      powerKw: number,
      minutes: number,
      at: (minute: number) => void = () => {},
    ): Promise<number[]> => {
      const id = await partner.dispatch({ sn: houses.map(({ battery }) => battery.sn), powerKw });
      const reached: number[] = [];
      for (let i = 0; i < minutes; i++) {
        at(i);
        await minute();
        reached.push(givenW() / (powerKw * 1000 + loadW()));
      }
      await scene.ask('strategy/cancel', partner.caller, { id });
      return reached;
    };

    await minute();
    const partner = await scene.partner(houses[0]!.battery.ownerId);
    const all = await reach(partner, (COUNT * RATED_W - loadW()) / 1000, MINUTES.all);
    expect(Math.min(...all.slice(SETTLED_AT))).toBeGreaterThan(0.95);
    const half = await reach(partner, (COUNT * RATED_W) / 2000, MINUTES.half, (i) => {
      // What they were sent last goes on in them, until the service knows nothing of them.
      if (i === LOST_AT)
        for (const { battery } of houses.filter((_, no) => no % 5 === 0)) battery.isOnline = false;
    });
    console.log(
      database().engine,
      all.map((one) => one.toFixed(2)).join(' '),
      half.map((one) => one.toFixed(2)).join(' '),
    );
    for (const part of [half.slice(SETTLED_AT, LOST_AT), half.slice(NOTICED_AFTER)]) {
      expect(Math.min(...part)).toBeGreaterThan(0.95);
      expect(Math.max(...part)).toBeLessThan(1.05);
    }
  });
});

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
