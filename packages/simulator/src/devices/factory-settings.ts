import type { InverterSpecification } from '../specification.ts';
import { batteryVoltage, NOMINAL_VOLTAGE_V } from '../battery-voltage.ts';

/** Settings with which a simulated inverter leaves the factory, by number of the parameter; others get a neutral value. */
export function factorySettings({ ratedPowerW, battery }: InverterSpecification): Record<string, string> {
  const always = { 15: '100', 376: '100' };
  if (!battery) return always;
  // Enough for its full power even when it is empty.
  const amperes = String(Math.ceil(battery.maxPowerW / batteryVoltage(0)));
  return {
    ...always,
    157: '30',
    158: String(Math.max(5, battery.reservePercent)),
    160: '5',
    469: '10',
    7229: '20',
    7963: '100',
    172: String(Math.round((battery.capacityKwh * 1000) / NOMINAL_VOLTAGE_V)),
    7224: amperes,
    7226: amperes,
    230: String(ratedPowerW),
    // Self-use, and the grid may charge the battery.
    636: '33',
    6798: '43605',
    ...Object.fromEntries([5948, 5951, 5954, 5957, 5960, 5963, 5967, 5971, 5975, 5979, 5983, 5986].map((id) => [id, '50'])),
    ...Object.fromEntries([5928, 5929, 5930, 5931, 5932, 5933].map((id) => [id, '100'])),
    ...Object.fromEntries([5965, 5969, 5973, 5977, 5981, 5984].map((id) => [id, '20'])),
  };
}
