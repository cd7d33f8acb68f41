import type { Loss } from '@helioport/contract';
import type { MeansSteps } from '../../../measurements/expected/step-means.ts';

/** A power in each step of a day, W; undefined = unknown. */
export type StepPowers = readonly (number | undefined)[];

/** A stretch of time, epoch ms; `toAt` excluded. */
export interface Stretch {
  readonly fromAt: number;
  readonly toAt: number;
}

/** A limit that somebody set. */
export interface SetLimit extends Stretch {
  readonly limitW: number;
  readonly setAt: number;
  readonly setBy: string;
  readonly parameter: string;
}

/** An alarm that says that the grid was out of range. */
export interface GridAlarm extends Stretch {
  readonly code: string;
}

/** A DC input of an inverter. */
export interface LossInput {
  readonly input: number;
  readonly powerW: StepPowers;
  /** Whether a string is connected to it, as its voltage says. */
  readonly isConnected: boolean;
}

/** An inverter on a day. */
export interface LossUnit {
  /** Undefined: all inverters together, since it is not known which arrays feed which. */
  readonly sn: string | undefined;
  readonly ratedW: number;
  /** Whether its own arrays are known, and not only those of the plant. */
  readonly hasOwnArrays: boolean;
  readonly expectedW: StepPowers;
  /** What its rated power cuts off. */
  readonly clippedW: StepPowers;
  readonly measuredW: StepPowers;
  /** By its counter; undefined = unknown. */
  readonly producedKwh: number | undefined;
  /** Whether it had reported before this day. */
  readonly hasReported: boolean;
  readonly inputs: readonly LossInput[];
  /** The limit that it reports to have, where that is below its rated power. */
  readonly reportedLimitW: StepPowers;
  readonly limits: readonly SetLimit[];
  readonly gridAlarms: readonly GridAlarm[];
}

/** All that is known of a plant on a day that is over. */
export interface LossDay {
  readonly steps: MeansSteps;
  readonly units: readonly LossUnit[];
  /** By the rules of the plant's energy rows; undefined = nobody reported. */
  readonly producedKwh: number | undefined;
  /** Lowest temperature of the air, °C; undefined = not measured. */
  readonly coldestC: number | undefined;
  readonly exportLimits: readonly SetLimit[];
  /** Power fed into the grid. */
  readonly exportedW: StepPowers;
  /** Value of a kWh at an instant, in the plant's currency; undefined = unknown. */
  priceAt(at: number): number | undefined;
}

/** A loss of one day; `amount` undefined = no price is known. */
export type DayLoss = Omit<Loss, 'days'>;

/** What an inverter delivered in relation to what was expected, and in relation to others. */
export interface UnitRatios {
  /** Energy measured by energy expected, while nothing held it back. */
  readonly own?: number | undefined;
  /** That ratio, by the median of those of its siblings. */
  readonly toSiblings?: number | undefined;
  /** Energy of each DC input by the median of the others, by number of the input. */
  readonly inputs?: Readonly<Record<string, number>> | undefined;
}

/** The ratios of a day by serial number; where something lagged behind, those that are usual. */
export type DayRatios = Readonly<Record<string, UnitRatios>>;
