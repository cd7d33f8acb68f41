import { hex, utf8 } from './bytes.ts';
import { nameOf } from './visible.ts';

/** A character of a text, with its bytes in UTF-8. */
export interface Cell {
  readonly character: string;
  /** The name of an invisible character. */
  readonly name?: string;
  /** Hexadecimal digits of its bytes. */
  readonly bytes: string;
  /** Place of its first byte in the whole text, from 0. */
  readonly at: number;
  readonly differs: boolean;
}

/** A line of both texts, each with its end. */
export interface ComparedLine {
  readonly theirs: readonly Cell[];
  readonly ours: readonly Cell[];
}

/** Two texts line by line, and the first byte in which they differ. */
export interface Comparison {
  readonly lines: readonly ComparedLine[];
  /** Place of the first difference, from 0; absent if there is none. */
  readonly first?: { readonly at: number; readonly theirs?: Cell; readonly ours?: Cell };
}

/** Characters; longer strings are compared as far as this. */
const COMPARED_AT_MOST = 16 * 1024;

/** Compares two texts byte by byte. `theirs`: what the service builds; `ours`: what the caller signed. */
export function compareBytes(theirs: string, ours: string): Comparison {
  const [a, b] = [theirs, ours].map((text) => linesOf(text.slice(0, COMPARED_AT_MOST))) as [
    Cell[][],
    Cell[][],
  ];
  const lines = Array.from({ length: Math.max(a.length, b.length) }, (_, i) =>
    markDifferences(a[i] ?? [], b[i] ?? []),
  );
  const [all, others] = [a.flat(), b.flat()];
  const i = Array.from({ length: Math.max(all.length, others.length) }, (_, place) => place).find(
    (place) => all[place]?.bytes !== others[place]?.bytes,
  );
  if (i === undefined) return { lines };
  const [theirCell, ourCell] = [all[i], others[i]];
  return {
    lines,
    first: {
      at: (theirCell ?? ourCell)!.at,
      ...(theirCell && { theirs: theirCell }),
      ...(ourCell && { ours: ourCell }),
    },
  };
}

function linesOf(text: string): Cell[][] {
  let at = 0;
  const cells = [...text].map((character): Cell => {
    const bytes = utf8(character);
    const name = nameOf(character);
    const cell = {
      character,
      bytes: hex(bytes),
      at,
      differs: false,
      ...(name !== undefined && { name }),
    };
    at += bytes.length;
    return cell;
  });
  const lines: Cell[][] = [[]];
  for (const cell of cells) {
    lines.at(-1)!.push(cell);
    if (cell.name === 'LF') lines.push([]);
  }
  return lines;
}

/** What two lines have in common at their beginnings and ends is the same; what is between differs. */
function markDifferences(theirs: readonly Cell[], ours: readonly Cell[]): ComparedLine {
  const shorter = Math.min(theirs.length, ours.length);
  let start = 0;
  while (start < shorter && theirs[start]!.bytes === ours[start]!.bytes) start++;
  let end = 0;
  while (
    end < shorter - start &&
    theirs[theirs.length - 1 - end]!.bytes === ours[ours.length - 1 - end]!.bytes
  )
    end++;
  const mark = (cells: readonly Cell[]): Cell[] =>
    cells.map((cell, i) => ({ ...cell, differs: i >= start && i < cells.length - end }));
  return { theirs: mark(theirs), ours: mark(ours) };
}
