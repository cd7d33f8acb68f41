import type { Controls } from './devices/controls.ts';
import type { Conditions } from './scenarios/conditions.ts';

/** What affects a plant besides sun and weather. */
export interface Influences {
  readonly conditions: Conditions;
  /** The effects of the settings of each inverter, in the order of the specification. */
  readonly controls: readonly Controls[];
}

/** @param minute minutes since local midnight @param socPercent state of charge of the battery */
export type InfluencesAt = (at: number, minute: number, socPercent: number) => Influences;
