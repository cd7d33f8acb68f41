/** The pause that a Retry-After header asks for (seconds, or a date), in milliseconds; undefined if it is unreadable. RFC 9110 10.2.3 */
export function askedPauseMs(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
