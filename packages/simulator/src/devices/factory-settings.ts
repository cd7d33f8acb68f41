import type { InverterSpecification } from '../specification.ts';
import { batteryVoltage, NOMINAL_VOLTAGE_V } from '../battery-voltage.ts';
import { CHARGE, DISCHARGE } from './slot-parameters.ts';

/** Values of parameter 6798, which marks inverters with six slots. */
const SIX_SLOTS = '43605';
const THREE_SLOTS = '0';

/** Factory settings of a simulated inverter by parameter; all others get a neutral value. */
export function factorySettings(
  { ratedPowerW, battery }: InverterSpecification,
  hasSixSlots: boolean,
): Record<string, string> {
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
    499: String(ratedPowerW),
    // Self-use, and the grid may charge the battery.
    636: '33',
    6798: hasSixSlots ? SIX_SLOTS : THREE_SLOTS,
    ...Object.fromEntries([...CHARGE.currents, ...DISCHARGE.currents].map((id) => [id, '50'])),
    ...Object.fromEntries(CHARGE.ends.map((id) => [id, '100'])),
    ...Object.fromEntries(DISCHARGE.ends.map((id) => [id, '20'])),
  };
}
