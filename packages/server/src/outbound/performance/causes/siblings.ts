import { medianOf } from '../../../measurements/expected/median.ts';
import type { LossInput, UnitRatios } from './loss-day.ts';
import { STEPS_PER_KWH } from './loss-tally.ts';
import type { UsualRatio } from './usual.ts';

/** Something lags behind its siblings below this share of what is hardly ever less. */
const LAGS = 0.9;
const INPUT_LAGS = 0.85;
/** Where nothing is usual yet, what delivers less than these shares is as good as dead. */
const [DEAD, INPUT_DEAD] = [0.3, 0.1];
/** Inputs are compared on days on which the others deliver at least this, kWh. */
const INPUT_AT_LEAST_KWH = 0.2;

/** What lags: its ratio to its siblings, and what it should be. */
export interface Lagging {
  readonly ratio: number;
  readonly shouldBe: number;
}

/** Whether a ratio is lower than it should be. `usual`: undefined = not known. */
export function laggingOf(
  ratio: number,
  usual: UsualRatio | undefined,
  [lags, dead]: readonly [number, number] = [LAGS, DEAD],
): Lagging | undefined {
  const atLeast = usual ? lags * usual.low : dead;
  return ratio < atLeast ? { ratio, shouldBe: usual?.middle ?? 1 } : undefined;
}

/** An input that lags behind the others. */
export interface LaggingInput extends Lagging {
  readonly input: number;
  readonly missingKwh: number;
  /** Whether it is known what it usually delivers. */
  readonly isUsualKnown: boolean;
}

export interface ComparedInputs {
  readonly ratios: NonNullable<UnitRatios['inputs']>;
  readonly lagging: readonly LaggingInput[];
  /** DC energy of all inputs, kWh. */
  readonly kwh: number;
}

/** Compares the DC inputs of an inverter over some steps of a day. */
export function compareInputs(
  inputs: readonly LossInput[],
  steps: readonly number[],
  usual: (input: number) => UsualRatio | undefined,
): ComparedInputs {
  const energies = inputs.map(({ powerW }) =>
    steps.reduce((sum, step) => sum + (powerW[step] ?? 0) / STEPS_PER_KWH, 0),
  );
  const ratios: Record<string, number> = {};
  const lagging: LaggingInput[] = [];
  for (const [i, { input, isConnected }] of inputs.entries()) {
    const known = usual(input);
    const others = medianOf(
      energies.filter(
        (_, other) => other !== i && (inputs[other]!.isConnected || energies[other]! > 0),
      ),
    );
    if (!(others >= INPUT_AT_LEAST_KWH) || (!isConnected && !known)) continue;
    const ratio = energies[i]! / others;
    ratios[input] = ratio;
    const found = laggingOf(ratio, known, [INPUT_LAGS, INPUT_DEAD]);
    if (found)
      lagging.push({
        ...found,
        input,
        missingKwh: found.shouldBe * others - energies[i]!,
        isUsualKnown: known !== undefined,
      });
  }
  return { ratios, lagging, kwh: energies.reduce((sum, kwh) => sum + kwh, 0) };
}
