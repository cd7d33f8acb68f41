/** The value of a table cell; null and undefined are shown as `-`. */
export type TableCell = string | number | boolean | null | undefined;

/** A table for people, not for programs: columns aligned with spaces, numbers to the right. */
export function tableText(
  headings: readonly string[],
  rows: readonly (readonly TableCell[])[],
): string {
  if (rows.length === 0) return 'none';
  const lines = [headings, ...rows.map((row) => row.map(textOf))];
  const widths = headings.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, [...(line[column] ?? '')].length), 0),
  );
  const right = headings.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column]!, right[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const textOf = (cell: TableCell): string =>
  cell === null || cell === undefined || cell === '' ? '-' : String(cell);

function pad(cell: string, width: number, right: boolean): string {
  const space = ' '.repeat(width - [...cell].length);
  return right ? space + cell : cell + space;
}
