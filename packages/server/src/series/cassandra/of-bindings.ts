import { eachOf } from '../../kernel/each-of.ts';
import type { Row } from './cluster.ts';

/** Bindings of one query: the nodes share the work, and one of them gathers the rows. */
const BINDINGS_AT_ONCE = 32;
const QUERIES_AT_ONCE = 16;

/** The rows of many bindings, in any order, by queries for some of them. */
export async function rowsOfBindings(bindings: readonly number[], read: (group: readonly number[]) => Promise<Row[]>): Promise<Row[]> {
  const wanted = [...new Set(bindings)];
  const groups = Array.from({ length: Math.ceil(wanted.length / BINDINGS_AT_ONCE) }, (_, i) => wanted.slice(i * BINDINGS_AT_ONCE, (i + 1) * BINDINGS_AT_ONCE));
  const found: Row[] = [];
  await eachOf(groups, QUERIES_AT_ONCE, async (group) => {
    for (const row of await read(group)) found.push(row);
  });
  return found;
}
