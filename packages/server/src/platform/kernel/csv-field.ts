import { spreadsheetText } from '@helioport/contract';

/** A value as a field, RFC 4180. No text begins what a spreadsheet would take for a formula, no matter who wrote it. */
export function csvField(value: string | number | boolean | undefined): string {
  const text = typeof value === 'string' ? spreadsheetText(value) : String(value ?? '');
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
