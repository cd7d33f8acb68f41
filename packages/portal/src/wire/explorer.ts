import type { ExplorerOperation } from '@helioport/contract';
import { ask, dataOf } from './post.ts';

/** The operations that the explorer offers, with the forms of their requests. Throws Unreachable. */
export const readExplorerOperations = async (
  signal: AbortSignal,
): Promise<readonly ExplorerOperation[]> =>
  (await dataOf(await ask('/portal/operations', { signal }))) as readonly ExplorerOperation[];
