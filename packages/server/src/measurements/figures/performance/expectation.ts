import type { ExpectedDay } from '../../expected/day-figures.ts';
import type { ExpectedStep, LightSource, ModelUnit } from '../../expected/model.ts';
import { endOfSteps, type MeansSteps } from '../../expected/step-means.ts';

/** What an expectation follows from: an irradiance, or what was learned on clear days and what others made of the sky. */
export type ExpectationMethod = LightSource | 'service' | 'learned';

/** What a day allowed, and from what that is known. */
export interface Expectation extends ExpectedDay {
  readonly method: ExpectationMethod;
  /** To the weather station, or to the farthest inverter that told of the sky; 0 = of the plant itself. */
  readonly distanceKm: number;
  /** %, with 95 % confidence. */
  readonly uncertaintyPercent: number;
  /** Lowest temperature of the air; undefined = not measured. */
  readonly coldestC: number | undefined;
  readonly steps: readonly ExpectedStep[];
  readonly units: readonly ModelUnit[];
  /** What a weather service asks to be said where its figures are shown. */
  readonly licence?: string | undefined;
}

/** Whether a device was in its plant at some time of a span. */
export const isThere = (
  { fromAt, toAt }: { readonly fromAt: number; readonly toAt: number | null },
  span: MeansSteps,
): boolean => fromAt < endOfSteps(span) && (toAt ?? Infinity) > span.startAt;
