import { UNKNOWN, type Formats } from '../../i18n/formats-of.ts';

/** A figure in a unit, as people read it. */
export function figureText(
  formats: Formats,
  value: number | null | undefined,
  unit: string,
): string {
  if (value === null || value === undefined) return UNKNOWN;
  if (unit === 'W' || unit === 'kWh') {
    const shown = unit === 'W' ? formats.power(value) : formats.energy(value);
    return `${shown.value} ${shown.unit}`;
  }
  return `${formats.number(value, 1)} ${unit}`.trim();
}

/** The texts along an axis; what would stand there again, since it is rounded for people, is left out. */
export function axisTexts(values: readonly number[], textOf: (value: number) => string): string[] {
  const written = values.map(textOf);
  return written.map((text, i) => (text === written[i - 1] ? '' : text));
}
