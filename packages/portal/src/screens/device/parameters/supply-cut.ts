import type { WireData } from '@helioport/contract';

type Setting = WireData<'command/parameters'>[number];

/** Whether a value can stop production or leave the house without power. */
export function cutsSupply({ canCutSupply, cutsSupplyAtMost = Infinity, cutsSupplyAtLeast = -Infinity, scale = 1 }: Setting, value: string): boolean {
  if (!canCutSupply) return false;
  const number = Number(value) / scale;
  return !Number.isFinite(number) || (number <= cutsSupplyAtMost && number >= cutsSupplyAtLeast);
}
