import { stepBattery } from './battery.ts';
import { count, counterFrom, type Counter, type CounterStep } from './counter.ts';
import { inverterAt, type InverterOutput } from './inverter.ts';
import { loadAt } from './load.ts';
import { createLocalClock, type LocalClock } from './local-time.ts';
import type { PlantSpecification } from './specification.ts';
import { weatherAt, type Weather } from './weather.ts';

/** The state of a plant at an instant. Powers are whole watts and balance: production = load + battery + grid. */
export interface PlantState {
  at: number;
  weather: Weather;
  inverters: readonly InverterOutput[];
  productionW: number;
  loadW: number;
  /** Power of the battery, + charging. */
  batteryW: number;
  /** Power at the grid connection, + export. */
  gridW: number;
  batteryKwh: number;
  counters: PlantCounters;
}

export interface PlantCounters {
  /** One per inverter, in the order of the specification. */
  produced: readonly Counter[];
  consumed: Counter;
  charged: Counter;
  discharged: Counter;
  imported: Counter;
  exported: Counter;
}

/** A plant that advances in time, step by step. */
export interface Plant {
  readonly specification: PlantSpecification;
  /** Yields the states after the last one, up to and including `untilAt`. */
  advance(untilAt: number): Generator<PlantState, void, undefined>;
}

export const STEP_MS = 300_000;

/** @param startAt time of the first state; the same start always yields the same states */
export function createPlant(specification: PlantSpecification, startAt: number, stepMs: number = STEP_MS): Plant {
  const clock = createLocalClock(specification.timeZone);
  const counterClock = specification.counterMidnight === 'utc' ? createLocalClock('UTC') : clock;
  let state: PlantState | undefined;
  return {
    specification,
    *advance(untilAt) {
      for (let at = state === undefined ? startAt : state.at + stepMs; at <= untilAt; at += stepMs) {
        state = nextState(specification, clock, counterClock, stepMs, at, state);
        yield state;
      }
    },
  };
}

function nextState(
  specification: PlantSpecification,
  clock: LocalClock,
  counterClock: LocalClock,
  stepMs: number,
  at: number,
  before: PlantState | undefined,
): PlantState {
  const { seed, place } = specification;
  const battery = specification.inverters.find((inverter) => inverter.battery)?.battery;
  const weather = weatherAt(place, seed, at);
  const inverters = specification.inverters.map((inverter) => inverterAt(inverter, weather));
  const productionW = inverters.reduce((sum, { acPowerW }) => sum + acPowerW, 0);
  const loadW = loadAt(specification.load, seed, at, clock(at));
  const storedKwh = before?.batteryKwh ?? (battery?.capacityKwh ?? 0) / 2;
  const { powerW: batteryW, storedKwh: batteryKwh } = battery ? stepBattery(battery, storedKwh, productionW - loadW, stepMs) : { powerW: 0, storedKwh };
  const gridW = productionW - loadW - batteryW;
  const powers = { at, weather, inverters, productionW, loadW, batteryW, gridW, batteryKwh };
  const counters = before ? countStep(before, powers, counterStep(counterClock, before.at, at)) : firstCounters(specification);
  return { ...powers, counters };
}

function counterStep(counterClock: LocalClock, beforeAt: number, at: number): CounterStep {
  const { day, minute } = counterClock(at);
  const stepMs = at - beforeAt;
  return counterClock(beforeAt).day === day ? { stepMs } : { stepMs, newDayMs: Math.min(stepMs, minute * 60_000) };
}

function countStep({ counters }: PlantState, powers: Omit<PlantState, 'counters'>, step: CounterStep): PlantCounters {
  return {
    produced: counters.produced.map((counter, i) => count(counter, powers.inverters[i]!.acPowerW, step)),
    consumed: count(counters.consumed, powers.loadW, step),
    charged: count(counters.charged, powers.batteryW, step),
    discharged: count(counters.discharged, -powers.batteryW, step),
    imported: count(counters.imported, -powers.gridW, step),
    exported: count(counters.exported, powers.gridW, step),
  };
}

/** Totals that are consistent with what the inverters have produced so far. */
function firstCounters({ inverters }: PlantSpecification): PlantCounters {
  const producedKwh = inverters.reduce((sum, { startTotalKwh }) => sum + startTotalKwh, 0);
  const chargedKwh = inverters.some(({ battery }) => battery) ? 0.25 * producedKwh : 0;
  const dischargedKwh = 0.92 * chargedKwh;
  const importedKwh = 0.2 * producedKwh;
  const exportedKwh = 0.4 * producedKwh;
  return {
    produced: inverters.map(({ startTotalKwh }) => counterFrom(startTotalKwh)),
    consumed: counterFrom(producedKwh + importedKwh + dischargedKwh - exportedKwh - chargedKwh),
    charged: counterFrom(chargedKwh),
    discharged: counterFrom(dischargedKwh),
    imported: counterFrom(importedKwh),
    exported: counterFrom(exportedKwh),
  };
}
