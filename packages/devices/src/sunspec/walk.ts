import type { ReadWords } from '../registers/identify.ts';

/** A model that a device has, where it begins. */
export interface FoundModel {
  readonly id: number;
  readonly address: number;
  /** Words behind its two first. */
  readonly length: number;
}

/** "SunS" */
const MARK = [0x5375, 0x6e53] as const;
const END = 0xffff;
const [MODELS_AT_MOST, LENGTH_AT_MOST] = [60, 4000] as const;

/**
 * The models of a SunSpec device, in the order in which it lists them; null if it is none. Rejects as `read` does if it does not
 * answer at any of the places where the list may begin.
 */
export async function walkModels(
  read: ReadWords,
  bases: readonly number[],
): Promise<readonly FoundModel[] | null> {
  let silence: unknown;
  let answered = false;
  for (const base of bases) {
    try {
      const mark = await read('holding', base, MARK.length);
      answered = true;
      if (mark?.[0] === MARK[0] && mark[1] === MARK[1])
        return await modelsFrom(read, base + MARK.length);
    } catch (error) {
      silence = error;
    }
  }
  if (!answered) throw silence;
  return null;
}

async function modelsFrom(read: ReadWords, first: number): Promise<FoundModel[]> {
  const found: FoundModel[] = [];
  let address = first;
  while (found.length < MODELS_AT_MOST) {
    const head = await read('holding', address, 2);
    const [id = END, length = 0] = head ? [head[0], head[1]] : [];
    // A list that ends without a mark is one that ends, too.
    if (id === END || id === 0 || length > LENGTH_AT_MOST) break;
    found.push({ id, address, length });
    address += 2 + length;
  }
  return found;
}
