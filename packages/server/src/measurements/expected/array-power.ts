/** Standard test conditions. */
const [STC_WM2, STC_C] = [1000, 25] as const;
/** Modules of crystalline silicon; share of the power per kelvin. Source: PVWatts version 8, standard modules. */
const TEMPERATURE_COEFFICIENT = -0.0037;
// Heat that modules lose, W/m²/K, in still air and for each m/s of wind. Source: Faiman 2008.
const [HEAT_LOSS, HEAT_LOSS_PER_MS] = [25, 6.84] as const;
const WIND_MS = 1;
/**
 * What remains after the losses that even a clean, unshaded plant without faults has: mismatch 2 %, wiring 2 %, connections 0.5 %,
 * light-induced degradation 1.5 %, nameplate 1 %. Source: PVWatts version 5, without soiling, shading and availability.
 */
export const REMAINING = 0.98 * 0.98 * 0.995 * 0.985 * 0.99;
/** Efficiencies of inverters. Source: PVWatts version 5. */
export const NOMINAL = 0.96;
const REFERENCE = 0.9637;

/** Temperature of modules, °C. `irradiance` in W/m²; the wind is taken to be light if it is not known, m/s. */
export const moduleTemperature = (
  irradiance: number,
  ambientC: number,
  windMs: number = WIND_MS,
): number => ambientC + irradiance / (HEAT_LOSS + HEAT_LOSS_PER_MS * windMs);

/** How much more or less modules deliver at a temperature than at 25 °C; 1 = as much. IEC 61724-1 calls it C_k. */
export const temperatureFactor = (moduleC: number): number =>
  1 + TEMPERATURE_COEFFICIENT * (moduleC - STC_C);

/** DC power of an array, W, before the losses of its wiring. */
export const dcPower = (capacityW: number, irradiance: number, moduleC: number): number =>
  Math.max(0, (capacityW * irradiance * temperatureFactor(moduleC)) / STC_WM2);

/** AC power of an inverter, W: what its arrays deliver less the losses of wiring and conversion, at most its rated power. `clippedW`: what is cut off. */
export function acPower(
  dcW: number,
  ratedW: number,
): { readonly powerW: number; readonly clippedW: number } {
  const inW = dcW * REMAINING;
  const full = ratedW / NOMINAL;
  if (inW <= 0) return { powerW: 0, clippedW: 0 };
  const load = Math.min(1, inW / full);
  const efficiency = (NOMINAL / REFERENCE) * (-0.0162 * load - 0.0059 / load + 0.9858);
  const powerW = Math.max(0, Math.min(ratedW, efficiency * Math.min(inW, full)));
  return { powerW, clippedW: Math.max(0, inW - full) * NOMINAL };
}
