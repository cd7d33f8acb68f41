import type { DevicePerformance, PerformanceDay } from '@helioport/contract';
import { HOUR_MS } from '@helioport/contract/durations';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import {
  createStepMeans,
  MEANS_STEP_MS,
  endOfSteps,
  type StepMeans,
  type MeansSteps,
} from '../../expected/step-means.ts';
import { boundDay } from '../day-windows.ts';
import { partOfPlant } from '../plant/precedence.ts';
import type { FigureSources } from '../sources.ts';
import { availabilityOf, runningTimeOf } from './availability.ts';
import type { Expectation } from './expectation.ts';
import { expectedDays } from './expected-days.ts';
import { inPercent, performanceOf, producedKwh, roundedFigure } from './performance-rows.ts';
import type { Inverter } from './units.ts';

/** Readings of more inverters are not read in one go. */
const INVERTERS_AT_MOST = 100;

/** What a plant did on a local day (yyyymmdd; undefined = today), in steps, beside what it should have done. */
export async function plantPerformanceDay(
  sources: FigureSources,
  plant: VisiblePlant,
  chosen: number | undefined,
): Promise<PerformanceDay> {
  const expected = await expectedDays(sources, plant, (today) => [chosen ?? today]);
  const { capacityKwp, inverters, days } = expected;
  const day = days[0]!;
  const produced = await producedKwh(sources, plant, days);
  const figures = performanceOf(plant, capacityKwp, [
    { ...day, producedKwh: produced.get(day.day) },
  ]);
  const { expectation, span } = day;
  if (!expectation)
    return { figures, times: [], expectedW: [], lowW: [], highW: [], producedW: [], devices: [] };
  const { steps, uncertaintyPercent } = expectation;
  const measured = await measuredSteps(sources, inverters, span);
  const expectedW = steps.map(
    ({ light }) => light && light.unitsW.reduce((sum, powerW) => sum + powerW, 0),
  );
  const band = (factor: number) =>
    expectedW.map((powerW) => (powerW === undefined ? null : Math.round(powerW * factor)));
  return {
    figures,
    times: steps.map(({ at }) => at),
    expectedW: band(1),
    lowW: band(1 - uncertaintyPercent / 100),
    highW: band(1 + uncertaintyPercent / 100),
    producedW: steps.map((_, step) => sumAt(measured, step)),
    devices: await devicesOf(sources, expectation, inverters, measured, day.day, span),
  };
}

interface Measured {
  readonly ac: StepMeans;
  readonly dc: StepMeans;
}

/** The powers of inverters in each step, by the number of their binding; none if there are too many of them. */
async function measuredSteps(
  { db, telemetry }: FigureSources,
  inverters: readonly Inverter[],
  span: MeansSteps,
): Promise<Map<number, Measured>> {
  if (inverters.length > INVERTERS_AT_MOST || span.count === 0) return new Map();
  const parts = inverters.map(({ binding }) => ({
    binding,
    fromAt: Math.max(binding.fromAt, span.startAt - HOUR_MS),
    toAt: Math.min(binding.toAt ?? Infinity, endOfSteps(span) + HOUR_MS),
  }));
  const there = parts.filter(({ fromAt, toAt }) => fromAt < toAt);
  const means = there.map(() => ({ ac: createStepMeans(span), dc: createStepMeans(span) }));
  await telemetry.eachReading(db, there.map(boundDay), (part, { at, values }) => {
    const { acPowerW, dcPowerW } = values;
    if (acPowerW !== undefined) means[part]!.ac.add(at, partOfPlant('acPowerW', acPowerW));
    if (dcPowerW !== undefined) means[part]!.dc.add(at, Math.max(0, dcPowerW));
  });
  return new Map(there.map(({ binding }, i) => [binding.no, means[i]!]));
}

/** The power of all inverters in a step, W; null if none measured it. */
function sumAt(measured: ReadonlyMap<number, Measured>, step: number): number | null {
  const known = [...measured.values()].flatMap(({ ac }) => ac.mean(step) ?? []);
  return known.length === 0 ? null : Math.round(known.reduce((sum, powerW) => sum + powerW, 0));
}

async function devicesOf(
  { db, telemetry }: FigureSources,
  { steps, units }: Expectation,
  inverters: readonly Inverter[],
  measured: ReadonlyMap<number, Measured>,
  day: number,
  span: MeansSteps,
): Promise<DevicePerformance[]> {
  const days = await telemetry.daysOf(
    db,
    inverters.map(({ binding }) => binding.no),
    day,
    day,
  );
  const produced = new Map(
    days.map(({ bindingNo, energies }) => [bindingNo, energies.production?.energyKwh]),
  );
  return units.flatMap(({ sn, arrays, ratedW }, unit): DevicePerformance[] => {
    const numbers = inverters.filter((one) => one.sn === sn).map(({ binding }) => binding.no);
    if (sn === undefined || numbers.length === 0) return [];
    const expectedW = steps.map(({ light }) => light?.unitsW[unit]);
    const expectedKwh = energyKwh(expectedW);
    const producedBy = numbers.flatMap((no) => produced.get(no) ?? []);
    const own = producedBy.length === 0 ? undefined : producedBy.reduce((a, b) => a + b, 0);
    // One binding measures at a time.
    const mean = (of: keyof Measured) => (_: unknown, step: number) =>
      numbers.map((no) => measured.get(no)?.[of].mean(step)).find((each) => each !== undefined);
    const [acW, dcW] = [steps.map(mean('ac')), steps.map(mean('dc'))];
    const capacityW = arrays.reduce((sum, array) => sum + array.capacityW, 0);
    const isDcKnown = steps.every(({ isDay }, i) => !isDay || dcW[i] !== undefined);
    return [
      {
        sn,
        expectedKwh: roundedFigure(expectedKwh),
        producedKwh: own === undefined ? undefined : roundedFigure(own),
        sharePercent: own === undefined ? undefined : inPercent(own, expectedKwh),
        arrayYieldHours:
          isDcKnown && span.count > 0
            ? roundedFigure((energyKwh(dcW) * 1000) / capacityW)
            : undefined,
        ...availabilityOf(runningTimeOf(expectedW, acW, ratedW ?? capacityW)),
      },
    ];
  });
}

const energyKwh = (powers: readonly (number | undefined)[]): number =>
  powers.reduce<number>((sum, powerW) => sum + (powerW ?? 0), 0) * (MEANS_STEP_MS / HOUR_MS / 1000);
