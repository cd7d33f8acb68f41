import type { Setting } from '../../../parts/settings/setting-texts.ts';

/** Limits of what the device gives: near zero, it gives nothing. */
const LIMITS = new Set(['15', '376', '7226']);
/** How much of its range a limit has to leave, so that it can do no harm. */
const NEAR_ZERO_SHARE = 0.1;
/** In a power cut, the battery supplies the house down to this: near the top, it does so hardly ever. */
const END_OF_BACKUP = '469';
const NEAR_FULL = 90;

/** The values that can stop production or leave the house without power, in the setting's unit; without bounds, all of them. */
interface SupplyCut {
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** Which values of a setting can cut the supply; so does any value of a setting of which it is not known. Undefined if none can. */
export function supplyCut({ parameter = '', canCutSupply, form, min = 0, max = 100 }: Setting): SupplyCut | undefined {
  if (!canCutSupply) return undefined;
  if (form === 'number' && LIMITS.has(parameter)) return { atMost: min + NEAR_ZERO_SHARE * (max - min) };
  return form === 'number' && parameter === END_OF_BACKUP ? { atLeast: NEAR_FULL } : {};
}

export function cutsSupply(setting: Setting, value: string): boolean {
  const cut = supplyCut(setting);
  if (!cut) return false;
  const number = Number(value) / (setting.scale ?? 1);
  if (!Number.isFinite(number)) return true;
  return number <= (cut.atMost ?? Infinity) && number >= (cut.atLeast ?? -Infinity);
}
