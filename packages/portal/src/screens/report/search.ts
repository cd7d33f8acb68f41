/** Which month the address asks for, as `2026-11`. */
export interface ReportSearch {
  readonly month?: string | undefined;
}

/** Reads an address; what makes no sense there is left out. */
export const reportSearch = ({ month }: Readonly<Record<string, unknown>>): ReportSearch =>
  typeof month === 'string' && /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? { month } : {};
