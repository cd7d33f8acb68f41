import { HOUR_MS } from '@helioport/contract/durations';
import type { BatterySpecification } from './specification.ts';

const ONE_WAY_EFFICIENCY = 0.965;
/** Above this state of charge, charging slows down. */
const TAPER_PERCENT = 92;

export interface BatteryStep {
  /** Power in whole watts, + charging. */
  powerW: number;
  storedKwh: number;
}

/** Limits within which a battery is used, from its settings; its own specification limits it further. */
export interface BatteryLimits {
  readonly leastPercent: number;
  readonly mostPercent: number;
  readonly maxChargeW: number;
  readonly maxDischargeW: number;
}

/**
 * One step of a battery, which charges or discharges as requested, as far as it can.
 * @param offeredW + to charge, - to discharge
 */
export function stepBattery(
  { capacityKwh, maxPowerW, reservePercent }: BatterySpecification,
  storedKwh: number,
  offeredW: number,
  stepMs: number,
  limits: BatteryLimits = {
    leastPercent: reservePercent,
    mostPercent: 100,
    maxChargeW: maxPowerW,
    maxDischargeW: maxPowerW,
  },
): BatteryStep {
  const hours = stepMs / HOUR_MS;
  if (offeredW >= 0) {
    const percent = (100 * storedKwh) / capacityKwh;
    const taper = Math.max(0.08, Math.min(1, (100 - percent) / (100 - TAPER_PERCENT)));
    const room = Math.max(
      0,
      (((capacityKwh * limits.mostPercent) / 100 - storedKwh) * 1000) / hours / ONE_WAY_EFFICIENCY,
    );
    const powerW = Math.floor(Math.min(offeredW, maxPowerW * taper, limits.maxChargeW, room));
    return { powerW, storedKwh: storedKwh + (powerW * hours * ONE_WAY_EFFICIENCY) / 1000 };
  }
  const available = Math.max(
    0,
    ((storedKwh - (capacityKwh * limits.leastPercent) / 100) * 1000 * ONE_WAY_EFFICIENCY) / hours,
  );
  const givenW = Math.floor(Math.min(-offeredW, maxPowerW, limits.maxDischargeW, available));
  return {
    powerW: 0 - givenW,
    storedKwh: storedKwh - (givenW * hours) / ONE_WAY_EFFICIENCY / 1000,
  };
}
