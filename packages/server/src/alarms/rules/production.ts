import type { Values } from '@helioport/contract';

const PRODUCING_AT_LEAST_W = 20;
const PRODUCING_SHARE = 0.01;

/** Above this an inverter counts as producing, W. */
export const producingFromW = (ratedPowerW: number | null): number => Math.max(PRODUCING_AT_LEAST_W, PRODUCING_SHARE * (ratedPowerW ?? 0));

/** Highest of the powers that tell of production: an inverter may charge its battery and give nothing to the grid. */
export function powerOf({ acPowerW, dcPowerW }: Values): number | undefined {
  if (acPowerW === undefined || dcPowerW === undefined) return acPowerW ?? dcPowerW;
  return Math.max(acPowerW, dcPowerW);
}
