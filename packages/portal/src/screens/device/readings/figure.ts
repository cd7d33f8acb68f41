import { UNKNOWN, type Formats } from '../../../i18n/formats.ts';
import { figureText } from '../../../parts/charts/figure-text.ts';

/** Units of which fractions matter. */
const DECIMALS: Readonly<Record<string, number>> = {
  Hz: 2,
  '': 3,
  A: 1,
  h: 2,
  '%': 0,
  s: 0,
  dBm: 0,
};

/** A reading as people read it; what is not known is a dash. */
export function readingText(
  formats: Formats,
  value: number | string | undefined,
  unit: string,
): string {
  if (value === undefined) return UNKNOWN;
  if (typeof value === 'string') return value;
  if (unit === 'W' || unit === 'kWh') return figureText(formats, value, unit);
  return `${formats.number(value, DECIMALS[unit] ?? 1)} ${unit}`.trim();
}
