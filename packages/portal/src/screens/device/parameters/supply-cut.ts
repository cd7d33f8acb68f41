import type { WireData } from '@helioport/contract';

type Setting = WireData<'command/parameters'>[number];

/** Whether changing a setting to a value can stop production or leave the house without power. */
export function cutsSupply(setting: Setting, value: string): boolean {
  const {
    canCutSupply,
    cutsSupplyAtMost = Infinity,
    cutsSupplyAtLeast = -Infinity,
    cutsSupplyTurnedOn,
    cutsSupplyTurnedOff,
    scale = 1,
  } = setting;
  if (!canCutSupply) return false;
  if (cutsSupplyTurnedOn !== undefined && cutsSupplyTurnedOff !== undefined) {
    const [next, on, off] = [
      Number(value),
      Number(cutsSupplyTurnedOn),
      Number(cutsSupplyTurnedOff),
    ];
    // Of a setting that was not read, whatever could be on may be turned off.
    const present = setting.value === undefined ? off & ~on : Number(setting.value);
    return (next & ~present & on) !== 0 || (present & ~next & off) !== 0;
  }
  const number = Number(value) / scale;
  return !Number.isFinite(number) || (number <= cutsSupplyAtMost && number >= cutsSupplyAtLeast);
}
