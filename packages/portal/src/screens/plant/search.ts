/** What the address of a plant says: the day whose curves are shown; today without it. */
export interface PlantSearch {
  readonly day?: string | undefined;
}

/** Reads an address; what makes no sense there is left out. */
export const plantSearch = ({ day }: Readonly<Record<string, unknown>>): PlantSearch =>
  typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) ? { day } : {};
