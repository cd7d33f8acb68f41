/** Nominal voltage of a battery, V. */
export const NOMINAL_VOLTAGE_V = 51.2;

/** Voltage of a battery, which turns its currents into powers; it rises with the state of charge. */
export const batteryVoltage = (socPercent: number): number =>
  NOMINAL_VOLTAGE_V * (0.94 + (0.12 * socPercent) / 100);
