// The number of bits that bit operations can handle.
const BITS = 31;

/** A mask with a bit set for each item that is present and, if `holds` is given, satisfies it. */
export function maskOf<T>(items: readonly (T | undefined)[], holds?: (item: T) => unknown): number {
  let mask = 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (item !== undefined && (!holds || holds(item))) mask |= 1 << i;
  }
  return mask;
}

/** Reads one item for each bit that is set in a mask. */
export function readEach<T>(mask: number, read: (index: number) => T): (T | undefined)[] {
  const items: (T | undefined)[] = [];
  for (let i = 0; i < BITS && mask >> i !== 0; i++)
    items.push(mask & (1 << i) ? read(i) : undefined);
  return items;
}
