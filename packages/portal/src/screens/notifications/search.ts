/** Which week the address asks for: its Monday, as `2026-11-02`. */
export interface WeekSearch {
  readonly week?: string | undefined;
}

/** Reads an address; what makes no sense there is left out. */
export const weekSearch = ({ week }: Readonly<Record<string, unknown>>): WeekSearch =>
  typeof week === 'string' && /^20\d\d-\d\d-\d\d$/.test(week) ? { week } : {};
