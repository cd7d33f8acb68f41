import { count, counterFrom, type Counter, type CounterStep } from './counter.ts';
import { powersOf, type Powers } from './flows.ts';
import type { Influences, InfluencesAt } from './influences.ts';
import { loadAt } from './load.ts';
import { createLocalClock, type LocalClock } from './local-time.ts';
import type { PlantSpecification } from './specification.ts';
import { weatherAt, type Weather } from './weather.ts';

/** The state of a plant at an instant. */
export interface SimulatedPlantState extends Powers {
  at: number;
  weather: Weather;
  counters: PlantCounters;
  /** Absent if nothing affects the plant besides sun and weather. */
  influences?: Influences | undefined;
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
  advance(untilAt: number): Generator<SimulatedPlantState, void, undefined>;
}

export const STEP_MS = 300_000;

/** @param startAt time of the first state; the same start and the same influences always yield the same states */
export function createPlant(
  specification: PlantSpecification,
  startAt: number,
  stepMs: number = STEP_MS,
  influencesAt?: InfluencesAt,
): Plant {
  const clock = createLocalClock(specification.timeZone);
  const counterClock = specification.counterMidnight === 'utc' ? createLocalClock('UTC') : clock;
  let state: SimulatedPlantState | undefined;
  return {
    specification,
    *advance(untilAt) {
      for (
        let at = state === undefined ? startAt : state.at + stepMs;
        at <= untilAt;
        at += stepMs
      ) {
        state = nextState({ specification, clock, counterClock, stepMs, influencesAt }, at, state);
        yield state;
      }
    },
  };
}

interface Model {
  readonly specification: PlantSpecification;
  readonly clock: LocalClock;
  readonly counterClock: LocalClock;
  readonly stepMs: number;
  readonly influencesAt: InfluencesAt | undefined;
}

function nextState(
  { specification, clock, counterClock, stepMs, influencesAt }: Model,
  at: number,
  before: SimulatedPlantState | undefined,
): SimulatedPlantState {
  const { seed, place } = specification;
  const capacityKwh =
    specification.inverters.find((inverter) => inverter.battery)?.battery?.capacityKwh ?? 0;
  const storedKwh = before?.batteryKwh ?? capacityKwh / 2;
  const local = clock(at);
  const influences = influencesAt?.(
    at,
    local.minute,
    capacityKwh === 0 ? 0 : (100 * storedKwh) / capacityKwh,
  );
  const weather = weatherAt(place, seed, at, influences?.conditions.lightShare);
  const powers = powersOf(specification, {
    weather,
    wantedW: loadAt(specification.load, seed, at, local),
    storedKwh,
    stepMs,
    influences,
  });
  const counters = before
    ? countStep(before, powers, counterStep(counterClock, before.at, at))
    : firstCounters(specification);
  return { at, weather, ...powers, counters, influences };
}

function counterStep(counterClock: LocalClock, beforeAt: number, at: number): CounterStep {
  const { day, minute } = counterClock(at);
  const stepMs = at - beforeAt;
  return counterClock(beforeAt).day === day
    ? { stepMs }
    : { stepMs, newDayMs: Math.min(stepMs, minute * 60_000) };
}

function countStep(
  { counters }: SimulatedPlantState,
  powers: Powers,
  step: CounterStep,
): PlantCounters {
  return {
    produced: counters.produced.map((counter, i) =>
      count(counter, powers.inverters[i]!.acPowerW, step),
    ),
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
