/** Does work on each of some things, on a few at once; the results are in their order. */
export async function fewAtOnce<T, R>(
  atOnce: number,
  things: readonly T[],
  work: (thing: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = things.entries();
  const worker = async (): Promise<void> => {
    for (const [i, thing] of waiting) results[i] = await work(thing);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, worker));
  return results;
}
