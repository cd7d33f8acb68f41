/** The reader's own zone, in which the overview tells times: its figures are of plants in many. */
export const { timeZone: HERE } = Intl.DateTimeFormat().resolvedOptions();
