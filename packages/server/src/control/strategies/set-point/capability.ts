import { HOUR_MS } from '@helioport/contract/durations';

/** A battery as a set point sees it. Powers are those of the battery, + discharging; + is export at the connection, too. */
export interface Battery {
  readonly deviceId: string;
  /** Whether it reports and takes commands. */
  readonly isPresent: boolean;
  /** Null = not known; such a battery is left alone. */
  readonly socPercent: number | null;
  /** What it holds when it is full; null = not known. */
  readonly capacityKwh: number | null;
  /** Rated power of its inverter, W. */
  readonly ratedPowerW: number | null;
  /** What its inverter feeds in from its modules, which leaves less for the battery, W. */
  readonly productionW: number;
  /** Limits of its settings, W; Infinity = none. */
  readonly maxChargeW: number;
  readonly maxDischargeW: number;
  /** Between these states of charge, it may be used. */
  readonly reserveSocPercent: number;
  readonly fullSocPercent: number;
  /** The smallest change of its power, W. */
  readonly stepW: number;
}

/** What a battery can give at most, W: at once, and without a pause until the deadline. */
export interface Capability {
  readonly deviceId: string;
  readonly stepW: number;
  readonly discharge: Ability;
  readonly charge: Ability;
}

export interface Ability {
  readonly sustainedW: number;
  /** Never less than `sustainedW`. */
  readonly mostW: number;
}

const NOTHING: Ability = { sustainedW: 0, mostW: 0 };

/** @param leftMs time until the deadline */
export function capabilityOf(battery: Battery, leftMs: number): Capability {
  const {
    deviceId,
    isPresent,
    socPercent,
    ratedPowerW,
    productionW,
    maxChargeW,
    maxDischargeW,
    reserveSocPercent,
    fullSocPercent,
    stepW,
  } = battery;
  if (!isPresent || socPercent === null)
    return { deviceId, stepW, discharge: NOTHING, charge: NOTHING };
  const rated = ratedPowerW ?? Infinity;
  // Modules and battery share the inverter’s way to the grid. Charging does not take that way with what the modules give.
  const dischargeW = Math.min(maxDischargeW, Math.max(0, rated - Math.max(0, productionW)));
  const chargeW = Math.min(maxChargeW, rated);
  return {
    deviceId,
    stepW,
    discharge: reachOf(dischargeW, socPercent - reserveSocPercent, battery, leftMs),
    charge: reachOf(chargeW, fullSocPercent - socPercent, battery, leftMs),
  };
}

function reachOf(
  powerW: number,
  percent: number,
  { capacityKwh, stepW }: Battery,
  leftMs: number,
): Ability {
  if (percent <= 0 || !(powerW > 0)) return NOTHING;
  const mostW = wholeSteps(powerW, stepW);
  const lastingW =
    capacityKwh === null || leftMs <= 0
      ? Infinity
      : (percent / 100) * capacityKwh * 1000 * (HOUR_MS / leftMs);
  return { sustainedW: Math.min(mostW, lastingW), mostW };
}

/** What is added allows for binary fractions. */
const wholeSteps = (powerW: number, stepW: number): number =>
  powerW === Infinity ? 0 : Math.floor(powerW / stepW + 1e-6) * stepW;
