import { quantities, type QuantityName, type Unit } from '@helioport/contract';

/** Turns a file's value into the quantity's own unit. */
export type Conversion = (value: number) => number;

// 1.1 * 1000 is not 1100 in binary: digits that only the conversion adds are rounded off.
const times =
  (factor: number): Conversion =>
  (value) =>
    Number((value * factor).toPrecision(15));
const same: Conversion = (value) => value;
const shifted =
  (offset: number, factor = 1): Conversion =>
  (value) =>
    Number(((value - offset) * factor).toPrecision(12));

/** The units that files may use, by the unit that is stored. */
const conversions: Readonly<Record<Unit, Readonly<Record<string, Conversion>>>> = {
  W: { W: same, kW: times(1e3), MW: times(1e6), mW: times(1e-3) },
  Var: { Var: same, var: same, kVar: times(1e3), kvar: times(1e3) },
  VA: { VA: same, kVA: times(1e3) },
  kWh: { kWh: same, Wh: times(1e-3), MWh: times(1e3), GWh: times(1e6), MJ: times(1 / 3.6) },
  V: { V: same, mV: times(1e-3), kV: times(1e3) },
  A: { A: same, mA: times(1e-3) },
  mA: { mA: same, A: times(1e3) },
  Hz: { Hz: same, mHz: times(1e-3), kHz: times(1e3) },
  '%': { '%': same, '1': times(100) },
  '°C': {
    '°C': same,
    C: same,
    K: shifted(273.15),
    '°F': shifted(32, 1 / 1.8),
    F: shifted(32, 1 / 1.8),
  },
  'W/m²': { 'W/m²': same, 'W/m2': same, 'kW/m²': times(1e3), 'kW/m2': times(1e3) },
  'kWh/m²': {
    'kWh/m²': same,
    'kWh/m2': same,
    'Wh/m²': times(1e-3),
    'Wh/m2': times(1e-3),
    'MJ/m2': times(1 / 3.6),
  },
  'm/s': { 'm/s': same, 'km/h': times(1 / 3.6), mph: times(0.44704) },
  '°': { '°': same, deg: same, rad: times(180 / Math.PI) },
  hPa: { hPa: same, mbar: same, Pa: times(0.01), kPa: times(10) },
  mm: { mm: same, cm: times(10), in: times(25.4) },
  kΩ: { kΩ: same, kOhm: same, Ω: times(1e-3), Ohm: times(1e-3), MΩ: times(1e3), MOhm: times(1e3) },
  dBm: { dBm: same },
  '': { '': same },
};

/** Converts from a unit to the quantity's own; undefined if that is impossible. */
export const conversionOf = (quantity: QuantityName, unit: string): Conversion | undefined => {
  const known = conversions[quantities.get(quantity)!.unit];
  return Object.hasOwn(known, unit) ? known[unit] : undefined;
};

/** The units that a quantity can be read in. */
export const unitsOf = (quantity: QuantityName): string[] =>
  Object.keys(conversions[quantities.get(quantity)!.unit]).filter((unit) => unit !== '');
