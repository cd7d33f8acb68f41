import type { Setting } from '../../../parts/settings/setting-texts.ts';

/** Limits of what the device gives: near zero, it gives nothing. */
const LIMITS = new Set(['15', '376', '7226']);
/** How much of its range a limit has to leave, so that it can do no harm. */
const NEAR_ZERO_SHARE = 0.1;
/** In a power cut, the battery supplies the house down to this: near the top, it does so hardly ever. */
const END_OF_BACKUP = '469';
const NEAR_FULL = 90;

/** Whether a value can stop production or leave the house without power; so does anything of which it is not known. */
export function cutsSupply({ parameter = '', canCutSupply, form, min = 0, max = 100, scale = 1 }: Setting, value: string): boolean {
  if (!canCutSupply) return false;
  const number = Number(value) / scale;
  if (form !== 'number' || !Number.isFinite(number)) return true;
  if (LIMITS.has(parameter)) return number <= min + NEAR_ZERO_SHARE * (max - min);
  return parameter !== END_OF_BACKUP || number >= NEAR_FULL;
}
