import type { RecentCurve } from '@helioport/contract';
import type { DeviceKind } from '../../../fleet/devices/devices.ts';
import { bindingsOfPlants } from '../../../fleet/plants/bindings.ts';
import { boundDay, partsOfDay, type DayPart } from '../day-windows.ts';
import type { FigureSources } from '../sources.ts';
import { acPowerPrecedence, partOfPlant } from './precedence.ts';

const STEP_MS = 15 * 60_000;
const STEPS = 96;

/** For how many steps a device’s power is held while others report newer ones: an hour, as in the curve of a day. */
const HELD_STEPS = 4;

/** How many devices an answer reads a day of, which takes less than a millisecond each, in one go; plants with many devices go without a curve first. */
export const CURVE_DEVICES_AT_MOST = 100;

const byPreference = (kind: DeviceKind): number => acPowerPrecedence.indexOf(kind);

/** The AC power of plants in the last 24 hours. The number of statements does not depend on the number of plants. */
export async function recentCurves(
  { db, clock, telemetry }: Pick<FigureSources, 'db' | 'clock' | 'telemetry'>,
  plantIds: readonly string[],
): Promise<RecentCurve[]> {
  const endAt = (Math.floor(clock.now() / STEP_MS) + 1) * STEP_MS;
  const startAt = endAt - STEPS * STEP_MS;
  const bindings = await bindingsOfPlants(db, plantIds);
  const byPlant = Map.groupBy(
    partsOfDay(bindings, { startAt, endAt }).filter(
      ({ binding: { kind } }) => byPreference(kind) >= 0,
    ),
    ({ binding }) => binding.plantId,
  );
  const plants = affordable(plantIds.map((id) => ({ id, parts: byPlant.get(id) ?? [] })));
  const parts = plants.flatMap((plant) => plant.parts);
  const means = parts.map(createSteps);
  await telemetry.eachReading(db, parts.map(boundDay), (part, { at, values }) =>
    means[part]!.add(Math.floor((at - startAt) / STEP_MS), values.acPowerW),
  );
  let next = 0;
  return plants.map((plant) => {
    const own = means.slice(next, (next += plant.parts.length));
    return {
      id: plant.id,
      startAt,
      powerW: sumOf(
        plant.parts,
        own.map((steps) => steps.end()),
      ),
    };
  });
}

interface PlantParts {
  readonly id: string;
  readonly parts: readonly DayPart[];
}

/** As many plants as their devices allow, those with few devices first. */
function affordable(plants: readonly PlantParts[]): PlantParts[] {
  let left = CURVE_DEVICES_AT_MOST;
  return plants
    .toSorted((a, b) => a.parts.length - b.parts.length)
    .filter(({ parts }) => {
      left -= parts.length;
      return left >= 0;
    });
}

/** The sum over the devices of the preferred kind among those that measured power. */
function sumOf(
  parts: readonly DayPart[],
  steps: readonly (readonly (number | null)[])[],
): (number | null)[] {
  const curves = parts.map(({ binding: { kind } }, i) => ({
    kind,
    steps: steps[i]!,
  }));
  const kind = acPowerPrecedence.find((one) =>
    curves.some((curve) => curve.kind === one && curve.steps.some((power) => power !== null)),
  );
  const counted = curves.filter((curve) => curve.kind === kind);
  return Array.from({ length: STEPS }, (_, step) => {
    if (counted.every((curve) => curve.steps[step] === null)) return null;
    return Math.round(counted.reduce((sum, curve) => sum + (heldAt(curve.steps, step) ?? 0), 0));
  });
}

/** The mean power of a device in each step, W. */
function createSteps() {
  const sums = Array.from({ length: STEPS }, () => ({ sum: 0, count: 0 }));
  return {
    add(number: number, power: number | undefined): void {
      const step = sums[number];
      if (power === undefined || !step) return;
      step.sum += partOfPlant('acPowerW', power);
      step.count += 1;
    },
    end: (): (number | null)[] => sums.map(({ sum, count }) => (count === 0 ? null : sum / count)),
  };
}

/** The power in a step or, without one, the last one of the hour before it. */
const heldAt = (steps: readonly (number | null)[], step: number): number | null =>
  steps.slice(Math.max(0, step + 1 - HELD_STEPS), step + 1).findLast((power) => power !== null) ??
  null;
