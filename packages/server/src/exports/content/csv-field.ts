/** A value as a field, RFC 4180. */
export function csvField(value: string | number | boolean | undefined): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
