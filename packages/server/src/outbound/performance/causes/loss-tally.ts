import type { LossCause } from '@helioport/contract';
import { HOUR_MS } from '@helioport/contract/durations';
import { MEANS_STEP_MS } from '../../../measurements/expected/step-means.ts';
import type { DayLoss, LossDay } from './loss-day.ts';

/** StepPowers that last for a step are divided by it for energies in kWh. */
export const STEPS_PER_KWH = (1000 * HOUR_MS) / MEANS_STEP_MS;

export type LossEvidence = Omit<DayLoss, 'cause' | 'sn' | 'kwh' | 'amount'>;

/** Adds losses up by cause and inverter. */
export interface LossTally {
  /** Takes what was lost in a step, W; less than nothing counts as nothing. The evidence of the first step is kept. */
  add(
    cause: LossCause,
    sn: string | undefined,
    step: number,
    lostW: number,
    by: LossEvidence,
  ): void;
  /** Takes what was lost on the day, kWh, in those steps in proportion to their weights. */
  spread(
    cause: LossCause,
    sn: string | undefined,
    kwh: number,
    weights: ReadonlyMap<number, number>,
    by: LossEvidence,
  ): void;
  losses(): DayLoss[];
}

export function createLossTally({ steps, priceAt }: LossDay): LossTally {
  type Sum = { loss: DayLoss; kwh: number; amount: number; isPriced: boolean };
  const sums = new Map<string, Sum>();
  const put = (
    cause: LossCause,
    sn: string | undefined,
    step: number,
    kwh: number,
    by: LossEvidence,
  ): void => {
    if (!(kwh > 0)) return;
    const key = `${cause} ${sn ?? ''}`;
    let sum = sums.get(key);
    if (!sum) {
      sum = { loss: { cause, sn, ...by, kwh: 0 }, kwh: 0, amount: 0, isPriced: false };
      sums.set(key, sum);
    }
    const price = priceAt(steps.startAt + step * MEANS_STEP_MS);
    sum.kwh += kwh;
    sum.amount += kwh * (price ?? 0);
    sum.isPriced ||= price !== undefined;
  };
  return {
    add: (cause, sn, step, lostW, by) => put(cause, sn, step, lostW / STEPS_PER_KWH, by),
    spread(cause, sn, kwh, weights, by) {
      const whole = weights.values().reduce((sum, weight) => sum + weight, 0);
      for (const [step, weight] of weights) put(cause, sn, step, (kwh * weight) / whole, by);
    },
    losses: () =>
      [...sums.values()].map(({ loss, kwh, amount, isPriced }) => ({
        ...loss,
        kwh,
        amount: isPriced ? amount : undefined,
      })),
  };
}
