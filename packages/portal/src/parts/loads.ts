/** What all loads take: those on the grid side and those on the backup port, which not every device has. */
export const ofAllLoads = (
  load: number | undefined,
  backup: number | undefined,
): number | undefined => (load === undefined ? undefined : load + (backup ?? 0));

type Column = readonly (number | null)[];

/** Columns of what all loads take; there is no value where that of the grid side is not known. */
export const columnOfAllLoads = (
  load: Column | undefined,
  backup: Column | undefined,
): Column | undefined =>
  load?.map((value, i) => ofAllLoads(value ?? undefined, backup?.[i] ?? undefined) ?? null);
