/** A value as a field, RFC 4180. */
export function csvField(value: string | number | boolean | undefined): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A name as text of a field, with an apostrophe before what a spreadsheet would take for a formula, since names come from other people. */
export const csvName = (name: string): string => (/^[=+\-@\t\r]/.test(name) ? `'${name}` : name);
