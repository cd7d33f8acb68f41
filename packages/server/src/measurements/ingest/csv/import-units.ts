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

/** An energy in each interval of some length, as a unit of power: `Wh/15min`, `kWh/h`. */
const ENERGY_IN_INTERVAL = /^(Wh|kWh|MWh)\/(\d{0,4})(min|h)$/;
const WH: Readonly<Record<string, number>> = { Wh: 1, kWh: 1e3, MWh: 1e6 };

function ofIntervals(unit: string): Conversion | undefined {
  const [, energy = '', length = '', span] = ENERGY_IN_INTERVAL.exec(unit) ?? [];
  const hours = (length === '' ? 1 : Number(length)) / (span === 'min' ? 60 : 1);
  return span !== undefined && hours > 0 ? times(WH[energy]! / hours) : undefined;
}

/** Converts from a unit to the quantity's own; undefined if that is impossible. */
export const conversionOf = (quantity: QuantityName, unit: string): Conversion | undefined => {
  const own = quantities.get(quantity)!.unit;
  const known = conversions[own];
  if (Object.hasOwn(known, unit)) return known[unit];
  return own === 'W' ? ofIntervals(unit) : undefined;
};

/** The units that a quantity can be read in. */
export const unitsOf = (quantity: QuantityName): string[] =>
  Object.keys(conversions[quantities.get(quantity)!.unit]).filter((unit) => unit !== '');

/** Whether two units mean the same for a quantity. */
export const isSameUnit = (quantity: QuantityName, a: string, b: string): boolean =>
  conversionOf(quantity, a)?.(1) === conversionOf(quantity, b)?.(1) &&
  conversionOf(quantity, a)?.(2) === conversionOf(quantity, b)?.(2);

// In a heading, 1 is a number and `in` a word.
const NO_UNITS = new Set(['', '1', 'in']);
const allUnits = new Set(
  Object.values(conversions).flatMap((known) =>
    Object.keys(known).filter((unit) => !NO_UNITS.has(unit)),
  ),
);

const isUnitOf = (quantity: QuantityName, text: string): boolean =>
  !NO_UNITS.has(text) && conversionOf(quantity, text) !== undefined;

/** A unit that a heading states. */
export interface StatedUnit {
  readonly unit: string;
  /** The heading without it. */
  readonly name: string;
}

const LAST_WORD = /(?<![^\s,;/_])[^\s,;/_]+(?:\/m[²2s])?$/i;
const SEPARATOR = /(?:(?<!\s)(?:\s*[,;/]\s*|\s+in\s+|\s+)|_)$/i;
// Letters such as A, C or V at the end of a heading are names of phases as often as units.
export const UNMISTAKABLE = /^([kMG]?W|[kMG]?Wh|k?[Vv]ar|k?VA|MJ|°C|°F|Hz|hPa)$/;

/** What stands in brackets at the end of a heading, and what stands before them. */
export function bracketsAtEnd(heading: string): StatedUnit | undefined {
  const text = heading.trimEnd();
  if (!/[\])}]$/.test(text)) return undefined;
  const content = text.slice(0, -1);
  const from = 1 + Math.max(...[...'])}'].map((bracket) => content.lastIndexOf(bracket)));
  const opened = content.slice(from).search(/[[({]/);
  if (opened < 0) return undefined;
  const at = from + opened;
  return { unit: content.slice(at + 1).trim(), name: content.slice(0, at).trimEnd() };
}

/** The unit that a heading states for a quantity: `Power [kW]`, `Energy (Wh)`, `Leistung in W`, `power_kw`, or the unit alone. */
export function statedUnit(heading: string, quantity: QuantityName): StatedUnit | undefined {
  const text = heading.trim();
  if (allUnits.has(text) && (UNMISTAKABLE.test(text) || isUnitOf(quantity, text)))
    return { unit: text, name: text };
  const bracketed = bracketsAtEnd(text);
  if (bracketed && (allUnits.has(bracketed.unit) || isUnitOf(quantity, bracketed.unit)))
    return bracketed;
  const [last] = LAST_WORD.exec(text) ?? [];
  const before = last && text.slice(0, -last.length);
  const separator = before && SEPARATOR.exec(before);
  if (!separator) return undefined;
  const name = before.slice(0, separator.index);
  if (UNMISTAKABLE.test(last) || isUnitOf(quantity, last)) return { unit: last, name };
  // Programs write names in small letters.
  const meant = [...allUnits].filter((unit) => unit.toLowerCase() === last);
  const only = meant.find((unit) => UNMISTAKABLE.test(unit));
  return only !== undefined && text === text.toLowerCase() && (meant.length === 1 || only === 'W')
    ? { unit: only, name }
    : undefined;
}
