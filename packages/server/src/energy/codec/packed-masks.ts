// What bit operations take.
const BITS = 31;

/** A bit for each item that is present and, if asked, not empty. */
export function maskOf<T>(items: readonly (T | undefined)[], holds?: (item: T) => unknown): number {
  let mask = 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (item !== undefined && (!holds || holds(item))) mask |= 1 << i;
  }
  return mask;
}

/** One item for each bit that is set. */
export function readEach<T>(mask: number, read: (index: number) => T): (T | undefined)[] {
  const items: (T | undefined)[] = [];
  for (let i = 0; i < BITS && mask >> i !== 0; i++) items.push(mask & (1 << i) ? read(i) : undefined);
  return items;
}
