/** An instant as a device's display shows it, `yyyy-MM-dd HH:mm:ss`. @param localMs milliseconds since 1970 in local time */
export const clockText = (localMs: number): string =>
  new Date(localMs).toISOString().slice(0, 19).replace('T', ' ');

/** Milliseconds since 1970 in local time; undefined if the text is not a time. */
export function clockMs(text: string): number | undefined {
  const ms = Date.parse(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) || clockText(ms) !== text ? undefined : ms;
}
