// On the wire, large figures come in larger units, with the unit beside them. People's figures are scaled by i18n/formats.ts, from base units.

const KWH: Readonly<Record<string, number>> = { kWh: 1, MWh: 1000, GWh: 1_000_000 };
const KWP: Readonly<Record<string, number>> = { kWp: 1, MWp: 1000 };

const inBase = (
  factors: Readonly<Record<string, number>>,
  value: number | undefined,
  unit: string | undefined,
): number | undefined => (value === undefined ? undefined : value * (factors[unit ?? ''] ?? 1));

/** An energy in kWh, from its figure and unit. */
export const inKwh = (value: number | undefined, unit: string | undefined): number | undefined =>
  inBase(KWH, value, unit);

/** A rated power in kWp. */
export const inKwp = (value: number | undefined, unit: string | undefined): number | undefined =>
  inBase(KWP, value, unit);

/** A power in W, from one in kW. */
export const inWatts = (kilowatts: number | undefined): number | undefined =>
  kilowatts === undefined ? undefined : kilowatts * 1000;
