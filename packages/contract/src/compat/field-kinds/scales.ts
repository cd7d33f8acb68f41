/** A unit for display: the value in the base unit times the multiplier. */
export interface Scale {
  readonly unit: string;
  readonly multiplier: number;
  /** The multiplier as text, for `...Pec`. */
  readonly pec: string;
  /** Decimals that keep the resolution of 0.001 of the base unit. */
  readonly decimals: number;
}

const scale = (unit: string, pec: string, decimals: number): Scale => ({
  unit,
  multiplier: Number(pec),
  pec,
  decimals,
});

const energyScales = [
  scale('kWh', '1', 3),
  scale('MWh', '0.001', 6),
  scale('GWh', '0.000001', 9),
] as const;
const capacityScales = [scale('kWp', '1', 3), scale('MWp', '0.001', 6)] as const;

const pick = (scales: readonly [Scale, ...Scale[]], value: number): Scale => {
  const size = Math.abs(value);
  let best = scales[0];
  for (const candidate of scales) if (size * candidate.multiplier >= 1) best = candidate;
  return best;
};

/** The scale of an energy: kWh, MWh from 1,000 kWh on, GWh from 1,000,000 kWh on. */
export const energyScale = (kwh: number): Scale => pick(energyScales, kwh);

/** The scale of a capacity: kWp, MWp from 1,000 kWp on. */
export const capacityScale = (kwp: number): Scale => pick(capacityScales, kwp);

/** Only large amounts are shown in thousands (prefix K), because many clients look only at the number. */
const THOUSANDS_FROM = 100_000;

/** The scale of an amount: the currency itself, or `K` and the currency from 100,000 on. */
export const moneyScale = (amount: number, currency: string): Scale =>
  Math.abs(amount) < THOUSANDS_FROM ? scale(currency, '1', 2) : scale(`K${currency}`, '0.001', 5);

const POWERS = Array.from({ length: 16 }, (_, i) => 10 ** i);

/** Rounds for printing; never -0. A number too large to have these decimals stays as it is. */
export const round = (value: number, decimals: number): number => {
  const power = POWERS[decimals]!;
  const digits = value * power;
  return Math.abs(digits) < Number.MAX_SAFE_INTEGER ? Math.round(digits) / power + 0 : value;
};

/** A value in the base unit, converted to the unit of the scale. */
export const scaled = (value: number, { multiplier, decimals }: Scale): number =>
  round(value * multiplier, decimals);
