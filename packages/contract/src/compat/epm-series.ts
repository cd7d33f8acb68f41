import type { QuantityName, Unit } from '../quantities.ts';

/** The names that `searchinfo` accepts, and the source of each: a quantity or a fact of the unit. */
export const epmSeries = {
  u_ac1: ['acVoltage1V', 'V'],
  u_ac2: ['acVoltage2V', 'V'],
  u_ac3: ['acVoltage3V', 'V'],
  i_ac1: ['acCurrent1A', 'A'],
  i_ac2: ['acCurrent2A', 'A'],
  i_ac3: ['acCurrent3A', 'A'],
  p_ac1: ['acPower1W', 'W'],
  p_ac2: ['acPower2W', 'W'],
  p_ac3: ['acPower3W', 'W'],
  power_factor: ['powerFactor', ''],
  fac_meter: ['gridFrequencyHz', 'Hz'],
  p_load: ['loadPowerW', 'W'],
  e_total_inverter: ['energyTotalKwh', 'kWh'],
  e_toaal_inverter: ['energyTotalKwh', 'kWh'],
  e_total_load: ['loadTotalKwh', 'kWh'],
  e_total_buy: ['gridImportTotalKwh', 'kWh'],
  e_total_sell: ['gridExportTotalKwh', 'kWh'],
  e_epm_total: ['gridPowerW', 'W'],
  p_inverter_total: ['acPowerW', 'W'],
  p_limit: ['exportLimitW', 'W'],
  ct_ratio: ['currentTransformerRatio', ''],
} as const satisfies Record<
  string,
  readonly [QuantityName | 'exportLimitW' | 'currentTransformerRatio', Unit]
>;

/** A name that `searchinfo` accepts. */
export type EpmSeriesName = keyof typeof epmSeries;

export const epmSeriesNames = Object.keys(epmSeries) as readonly EpmSeriesName[];
