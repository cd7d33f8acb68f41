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

/** A figure along an axis, in the unit that the highest of them is written in. */
export function axisText(formats: Formats, value: number, unit: string, highest: number): string {
  if (unit !== 'W' && unit !== 'kWh') return figureText(formats, value, unit);
  const shown = unit === 'W' ? formats.power(highest) : formats.energy(highest);
  const size = { M: 1e6, k: 1e3, G: 1e9 }[shown.unit[0] ?? ''] ?? 1;
  const times = unit === 'W' ? size : size / 1e3;
  return `${formats.number(value / times, 2)} ${shown.unit}`;
}

/** The texts along an axis, all in one unit; what would stand there again, since it is rounded for people, is left out. */
export function axisTexts(
  values: readonly number[],
  textOf: (value: number, highest: number) => string,
): string[] {
  const highest = Math.max(...values.map(Math.abs));
  const written = values.map((value) => textOf(value, highest));
  return written.map((text, i) => (text === written[i - 1] ? '' : text));
}
