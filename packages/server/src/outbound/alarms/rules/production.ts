import type { Values } from '@helioport/contract';

const PRODUCING_AT_LEAST_W = 20;
const PRODUCING_SHARE = 0.01;

/** The lowest power at which an inverter counts as producing, W. */
export const producingFromW = (ratedPowerW: number | null): number =>
  Math.max(PRODUCING_AT_LEAST_W, PRODUCING_SHARE * (ratedPowerW ?? 0));

/** The higher of the two powers that show production: an inverter may charge its battery and deliver nothing to the grid. */
export function powerOf({ acPowerW, dcPowerW }: Values): number | undefined {
  if (acPowerW === undefined || dcPowerW === undefined) return acPowerW ?? dcPowerW;
  return Math.max(acPowerW, dcPowerW);
}
