import type { Expectation } from '../../measurements/figures/performance/expectation.ts';
import type { ExpectedPlantDay } from '../../measurements/figures/performance/expected-days.ts';
import type { VisiblePlant } from '../../fleet/plants/access.ts';
import { arraysOf } from '../../fleet/plants/arrays.ts';
import type { Inverter } from '../../measurements/figures/performance/units.ts';
import type { LossDay, LossUnit, StepPowers } from './causes/loss-day.ts';
import type { MeasuredDevice } from './measured-day.ts';
import type { LossFacts } from './loss-facts.ts';

/** Puts together what losses are named from. Undefined if nobody knows what the plant produced, since it has never reported yet. */
export function lossDayOf(
  plant: VisiblePlant,
  facts: LossFacts,
  { day, span }: ExpectedPlantDay,
  expectation: Expectation,
  measured: ReadonlyMap<number, MeasuredDevice>,
  producedKwh: number | undefined,
): LossDay | undefined {
  const { units: modelled, steps } = expectation;
  const named = new Set(modelled.flatMap(({ sn }) => sn ?? []));
  const withArrays = new Set(arraysOf(plant).arrays.flatMap(({ sn }) => sn ?? []));
  const produced = new Map(
    facts.rollups(day).map((each) => [each.bindingNo, each.energies.production?.energyKwh]),
  );
  const units = modelled.map(({ sn, arrays, ratedW }, u): LossUnit => {
    const own = facts.inverters.filter((inverter) =>
      sn === undefined ? !named.has(inverter.sn) : inverter.sn === sn,
    );
    const devices = own.flatMap(({ binding }) => measured.get(binding.no) ?? []);
    const counted = own.flatMap(({ binding }) => produced.get(binding.no) ?? []);
    const rated = ratedW ?? arrays.reduce((sum, { capacityW }) => sum + capacityW, 0);
    return {
      sn,
      ratedW: rated,
      hasOwnArrays:
        sn !== undefined &&
        (withArrays.has(sn) || modelled.length === 1 || expectation.method === 'learned'),
      expectedW: steps.map(({ light }) => light?.unitsW[u]),
      clippedW: steps.map(({ light }) => light?.clippedW[u]),
      measuredW: summed(
        devices.map(({ acW }) => acW),
        span.count,
      ),
      producedKwh: counted.length === 0 ? undefined : counted.reduce((a, b) => a + b, 0),
      hasReported: own.some((inverter) => hadReported(facts, inverter, span.startAt)),
      inputs:
        sn === undefined ? [] : (devices.find(({ inputs }) => inputs.length > 0)?.inputs ?? []),
      reportedLimitW:
        sn === undefined
          ? []
          : steps.map((_, step) => {
              const shares = devices.flatMap(({ limitShare }) => limitShare[step] ?? []);
              return shares.length === 0 ? undefined : shares[0]! * rated;
            }),
      limits: sn === undefined ? [] : (facts.limits.inverters.get(sn) ?? []),
      gridAlarms: facts.gridAlarms(sn),
    };
  });
  if (producedKwh === undefined && !units.some(({ hasReported }) => hasReported)) return undefined;
  const meters = facts.meters.flatMap(({ no }) => measured.get(no) ?? []);
  return {
    steps: span,
    units,
    producedKwh,
    coldestC: expectation.coldestC,
    exportLimits: facts.limits.exported,
    exportedW:
      meters.find(({ exportedW }) => exportedW.some((powerW) => powerW !== undefined))?.exportedW ??
      [],
    // What was not produced was not sold; without a price of selling, it had to be bought.
    priceAt: (at) =>
      (['production', 'export', 'import'] as const)
        .map((use) => facts.prices.at(use, at))
        .find((price) => price !== undefined),
  };
}

const hadReported = ({ firstReports }: LossFacts, { binding }: Inverter, at: number): boolean =>
  (firstReports.get(binding.no) ?? Infinity) < at &&
  binding.fromAt <= at &&
  (binding.toAt ?? Infinity) > at;

/** The sums of powers in each step, of those that are known. */
const summed = (all: readonly StepPowers[], count: number): StepPowers =>
  Array.from({ length: count }, (_, step) => {
    const known = all.flatMap((powers) => powers[step] ?? []);
    return known.length === 0 ? undefined : known.reduce((sum, powerW) => sum + powerW, 0);
  });
