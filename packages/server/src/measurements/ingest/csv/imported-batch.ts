import type { ReadRow } from './import-row.ts';

/** The rows of one instant, which become one reading: a later row adds values to it or replaces them. */
export interface ImportedBatch {
  add(row: ReadRow): void;
  /** Number of readings that wait. */
  readonly size: number;
  /** Takes the readings that wait. */
  take(): readonly ReadRow[];
  /** Rows of which a later one has replaced values. */
  readonly replaced: { readonly count: number; readonly firstLine: number | undefined };
  /** Rows that repeat an earlier one. */
  readonly same: number;
}

/** Beyond this many, only rows close to one another are compared. */
const REMEMBERED = 200_000;

export function createImportedBatch(): ImportedBatch {
  let waiting = new Map<number, ReadRow>();
  /** Instants that have been taken. */
  const taken = new Set<number>();
  let [same, count] = [0, 0];
  let firstLine: number | undefined;
  const note = (line: number): void => {
    count += 1;
    firstLine ??= line;
  };
  return {
    add(row) {
      const before = waiting.get(row.at);
      if (!before) {
        if (taken.has(row.at)) note(row.line);
        waiting.set(row.at, row);
        return;
      }
      const replaces = Object.entries(row.values).some(
        ([quantity, value]) => (before.values[quantity] ?? value) !== value,
      );
      const adds = Object.keys(row.values).some((quantity) => !(quantity in before.values));
      if (replaces) note(row.line);
      else if (!adds) same += 1;
      waiting.set(row.at, { ...row, values: { ...before.values, ...row.values } });
    },
    get size() {
      return waiting.size;
    },
    take() {
      const rows = [...waiting.values()];
      waiting = new Map();
      for (const { at } of rows) if (taken.size < REMEMBERED) taken.add(at);
      return rows;
    },
    get replaced() {
      return { count, firstLine };
    },
    get same() {
      return same;
    },
  };
}
