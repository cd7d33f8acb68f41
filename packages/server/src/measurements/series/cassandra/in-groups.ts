import { eachOf } from '../../../platform/kernel/each-of.ts';
import type { Row } from './cluster.ts';

/** Partitions of one query: the nodes share the work, and one of them gathers the rows. */
const PARTITIONS_AT_ONCE = 32;
const QUERIES_AT_ONCE = 16;

/** The rows of many partitions, each of which has a number, in any order, by queries for some of them. */
export async function inGroups(
  partitions: ReadonlySet<number>,
  read: (group: readonly number[]) => Promise<Row[]>,
): Promise<Row[]> {
  const wanted = [...partitions];
  const groups = Array.from({ length: Math.ceil(wanted.length / PARTITIONS_AT_ONCE) }, (_, i) =>
    wanted.slice(i * PARTITIONS_AT_ONCE, (i + 1) * PARTITIONS_AT_ONCE),
  );
  const found: Row[] = [];
  await eachOf(groups, QUERIES_AT_ONCE, async (group) => {
    for (const row of await read(group)) found.push(row);
  });
  return found;
}
