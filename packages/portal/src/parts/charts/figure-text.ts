import { UNKNOWN, type Formats } from '../../i18n/formats.ts';

/** A figure in a unit, as people read it. */
export function figureText(formats: Formats, value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined) return UNKNOWN;
  if (unit === 'W' || unit === 'kWh') {
    const shown = unit === 'W' ? formats.power(value) : formats.energy(value);
    return `${shown.value} ${shown.unit}`;
  }
  return `${formats.number(value, 1)} ${unit}`.trim();
}
