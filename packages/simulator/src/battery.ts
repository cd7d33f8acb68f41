import type { BatterySpecification } from './specification.ts';

const ONE_WAY_EFFICIENCY = 0.965;
/** Above this state of charge, charging slows down. */
const TAPER_PERCENT = 92;
const HOUR_MS = 3_600_000;

export interface BatteryStep {
  /** Power in whole watts, + charging. */
  powerW: number;
  storedKwh: number;
}

/**
 * One step of a battery that stores surplus power and covers a deficit.
 * @param surplusW production minus load; negative: deficit
 */
export function stepBattery(battery: BatterySpecification, storedKwh: number, surplusW: number, stepMs: number): BatteryStep {
  const { capacityKwh, maxPowerW, reservePercent } = battery;
  const hours = stepMs / HOUR_MS;
  if (surplusW >= 0) {
    const percent = (100 * storedKwh) / capacityKwh;
    const taper = Math.max(0.08, Math.min(1, (100 - percent) / (100 - TAPER_PERCENT)));
    const room = ((capacityKwh - storedKwh) * 1000) / hours / ONE_WAY_EFFICIENCY;
    const powerW = Math.floor(Math.min(surplusW, maxPowerW * taper, room));
    return { powerW, storedKwh: storedKwh + (powerW * hours * ONE_WAY_EFFICIENCY) / 1000 };
  }
  const available = Math.max(0, ((storedKwh - (capacityKwh * reservePercent) / 100) * 1000 * ONE_WAY_EFFICIENCY) / hours);
  const givenW = Math.floor(Math.min(-surplusW, maxPowerW, available));
  return { powerW: 0 - givenW, storedKwh: storedKwh - (givenW * hours) / ONE_WAY_EFFICIENCY / 1000 };
}
