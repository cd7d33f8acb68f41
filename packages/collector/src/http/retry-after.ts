/** A date of HTTP, epoch milliseconds; undefined for anything else, much of which `Date.parse` takes for one. RFC 9110 5.6.7 */
export function httpDate(header: string | null): number | undefined {
  const at = /^[A-Z][a-z]+,? .{10,40} GMT$/.test(header ?? '') ? Date.parse(header!) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** The pause that a Retry-After header asks for (seconds, or a date), in milliseconds; undefined if it is unreadable. RFC 9110 10.2.3 */
export function askedPauseMs(header: string | null, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = httpDate(value);
  return at === undefined ? undefined : Math.max(0, at - now);
}
