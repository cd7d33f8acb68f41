import type { Capability } from './capability.ts';

/** The powers of batteries that together make up a power, W, + discharging. */
export interface Division {
  /** By device; each is a whole number of its steps. */
  readonly shares: ReadonlyMap<string, number>;
  /** What the batteries cannot give; as a rule 0, or less than the smallest step. */
  readonly missingW: number;
}

/**
 * Divides a power over batteries, in proportion to what each can give until the deadline. What all together can give in this way is used first; beyond
 * that, in proportion to what each can give at once, which some cannot keep up. All batteries go in the same direction.
 * @param wantedW what the batteries are to add to the export: + discharging, - charging
 */
export function divideSetPoint(wantedW: number, capabilities: readonly Capability[]): Division {
  const direction = wantedW < 0 ? -1 : 1;
  const wanted = Math.abs(wantedW);
  const parts = capabilities.map((capability) => ({
    ...capability,
    ...(direction > 0 ? capability.discharge : capability.charge),
  }));
  const sustained = sumOf(parts, ({ sustainedW }) => sustainedW);
  const beyond = sumOf(parts, ({ sustainedW, mostW }) => mostW - sustainedW);
  const kept = sustained > 0 ? Math.min(1, wanted / sustained) : 0;
  const added = beyond > 0 ? Math.min(1, Math.max(0, wanted - sustained) / beyond) : 0;
  const exact = parts.map((part) => ({
    ...part,
    powerW: kept * part.sustainedW + added * (part.mostW - part.sustainedW),
  }));
  const steps = wholeSteps(exact, Math.min(wanted, sustained + beyond));
  const shares = new Map(
    exact.map(({ deviceId, stepW }, i) => [deviceId, direction * steps[i]! * stepW || 0]),
  );
  return {
    shares,
    missingW: Math.max(0, wanted - sumOf(exact, ({ stepW }, i) => steps[i]! * stepW)),
  };
}

interface Part {
  readonly deviceId: string;
  readonly stepW: number;
  readonly mostW: number;
  readonly powerW: number;
}

// Allows for binary fractions.
const TINY = 1e-6;

/** Rounds powers to whole steps so that their sum stays: down, and then up where most was lost, as far as the battery can. */
function wholeSteps(parts: readonly Part[], sumW: number): number[] {
  const steps = parts.map(({ powerW, stepW }) => Math.floor(powerW / stepW + TINY));
  let leftW = sumW - sumOf(parts, ({ stepW }, i) => steps[i]! * stepW);
  const byLoss = parts
    .map(({ deviceId, powerW, stepW, mostW }, i) => ({
      i,
      deviceId,
      stepW,
      lossW: powerW - steps[i]! * stepW,
      canGrow: (steps[i]! + 1) * stepW <= mostW + TINY,
    }))
    .filter(({ canGrow }) => canGrow)
    .toSorted(
      (a, b) => b.lossW / b.stepW - a.lossW / a.stepW || (a.deviceId < b.deviceId ? -1 : 1),
    );
  for (const { i, stepW } of byLoss) {
    // Rounding up must bring the sum nearer to what is wanted.
    if (leftW < stepW / 2) continue;
    steps[i]! += 1;
    leftW -= stepW;
  }
  return steps;
}

/** The part of a set point by which it may be missed before powers are divided again: each write wears out a device's memory. */
const TOLERANCE = 0.02;

/** By how much a battery may be asked for more than it can: its inverter limits itself, and the sun changes that with each reading. */
const BEYOND = 0.1;

/** Whether powers as divided before still do: no battery has to give much more than it can, and their sum is about what is wanted. */
export function stillFits(
  wantedW: number,
  shares: ReadonlyMap<string, number>,
  capabilities: readonly Capability[],
): boolean {
  const known = new Map(capabilities.map((capability) => [capability.deviceId, capability]));
  const isAble = [...shares].every(([deviceId, powerW]) => {
    const capability = known.get(deviceId);
    const mostW =
      powerW === 0 ? 0 : ((powerW > 0 ? capability?.discharge : capability?.charge)?.mostW ?? 0);
    return Math.abs(powerW) <= (1 + BEYOND) * mostW + TINY;
  });
  if (!isAble) return false;
  const givenW = sumOf([...shares.values()], (powerW) => powerW);
  const couldW = sumOf(
    capabilities,
    ({ charge, discharge }) => (wantedW < 0 ? charge : discharge).mostW,
  );
  const possibleW = Math.sign(wantedW) * Math.min(Math.abs(wantedW), couldW);
  const largestStepW = Math.max(0, ...capabilities.map(({ stepW }) => stepW));
  return Math.abs(givenW - possibleW) <= Math.max(TOLERANCE * Math.abs(possibleW), largestStepW);
}

const sumOf = <Item>(items: readonly Item[], valueOf: (item: Item, i: number) => number): number =>
  items.reduce((sum, item, i) => sum + valueOf(item, i), 0);
