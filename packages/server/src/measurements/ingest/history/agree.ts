import { MWH_PER_KWH } from '../../energy/counter.ts';

/** Half a step of the three decimals with which energies are shown, less a little so that rounding leads back, mWh. */
const HALF_STEP_MWH = 490;

/**
 * Energies, shown rounded, as they add up to a sum that is shown rounded as well: each moves by less than half of what it is rounded to.
 * Unchanged if the difference is not due to rounding.
 */
export function agreeing(
  kwh: ReadonlyMap<number, number>,
  sumKwh: number | undefined,
): ReadonlyMap<number, number> {
  const flowed = [...kwh].filter(([, one]) => one > 0);
  if (sumKwh === undefined || flowed.length === 0) return kwh;
  const mwh = flowed.map(([, one]) => Math.round(one * MWH_PER_KWH));
  const rest = Math.round(sumKwh * MWH_PER_KWH) - mwh.reduce((sum, one) => sum + one, 0);
  if (Math.abs(rest) > flowed.length * HALF_STEP_MWH) return kwh;
  const share = Math.trunc(rest / flowed.length);
  const left = Math.abs(rest - share * flowed.length);
  const agreed = new Map(kwh);
  for (const [i, [period]] of flowed.entries())
    agreed.set(period, (mwh[i]! + share + (i < left ? Math.sign(rest) : 0)) / MWH_PER_KWH);
  return agreed;
}
