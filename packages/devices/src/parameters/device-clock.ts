const FORM = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/;
/** The range is our own choice: devices keep only the last two digits of the year. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 2099;

/** Reads `yyyy-MM-dd HH:mm:ss` as seconds on a clock without a zone; undefined if there is no such second. */
export function clockSeconds(text: string): number | undefined {
  const [, year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (
    FORM.exec(text) ?? []
  ).map(Number);
  if (year < FIRST_YEAR || year > LAST_YEAR) return undefined;
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  return clockText(ms / 1000) === text ? ms / 1000 : undefined;
}

const clockText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
