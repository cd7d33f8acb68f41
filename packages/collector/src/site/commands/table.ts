type Cell = string | number | boolean | null | undefined;

/** Columns as wide as their longest cell. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const shown = [headings, ...rows.map((row) => row.map((cell) => (cell ?? '').toString()))];
  const widths = headings.map((_, i) => Math.max(...shown.map((row) => row[i]!.length)));
  return shown
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What is known, line by line. */
export const factLines = (facts: Readonly<Record<string, Cell>>): string =>
  Object.entries(facts)
    .filter(([, fact]) => fact !== null)
    .map(([name, fact]) => `${name}: ${fact}`)
    .join('\n');

/** A time as `2026-11-28 01:40:00`, UTC. */
export const shownTime = (at: number | null | undefined): string | null =>
  at == null ? null : new Date(at).toISOString().slice(0, 19).replace('T', ' ');
