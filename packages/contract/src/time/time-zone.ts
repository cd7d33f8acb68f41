const FORM = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

/** Whether a name is an IANA time zone that this machine knows. Plain offsets such as `+01:00` are not accepted: they have no history. */
export function isTimeZone(name: string): boolean {
  if (!FORM.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
