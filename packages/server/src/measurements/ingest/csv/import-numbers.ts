import { MappingFault } from './import-fault.ts';

/** The character before the fraction of a number. */
export type Decimal = '.' | ',';

/** A number as a cell contains it: without signs that only group digits, and without its unit. */
export interface NumberText {
  /** Digits with at most one sign, exponent, points and commas. */
  readonly body: string;
  /** What follows the number, such as `kW`; empty if nothing does. */
  readonly unit: string;
}

const NUMBER = /^([+-]?[.,]*\d[\d.,]*(?:[eE][+-]?\d+)?)\s*([A-Za-z°%µμΩ][A-Za-z°%²Ω/\d]{0,9})?$/;
// Space, no-break spaces and apostrophes group digits, whatever the fraction begins with.
const GROUPED_BY_SIGN = /(\d)[ \u00a0\u202f\u2009'’](?=\d{3}(?!\d))/g;

/** Reads a cell that is a number, or a number and a unit; undefined if it is none. */
export function importedNumberText(cell: string): NumberText | undefined {
  const text = cell.replace('\u2212', '-').replace(GROUPED_BY_SIGN, '$1');
  const [, body, unit = ''] = NUMBER.exec(text) ?? [];
  return body === undefined ? undefined : { body, unit: unit.trim() };
}

/** What the text of a number shows of its separators. */
type Shown =
  | { readonly decimal: Decimal }
  /** The separator may group digits or begin the fraction, as in 1,009. */
  | { readonly ambiguous: Decimal }
  /** There is none, or what there is makes no number. */
  | { readonly digits: number };

const other = (separator: Decimal): Decimal => (separator === '.' ? ',' : '.');

// Groups have three digits; in India, all but the last have two.
const isGrouped = (whole: string, separator: Decimal): boolean =>
  separator === '.'
    ? /^\d{1,3}(\.\d{3})+$/.test(whole)
    : /^\d{1,3}((,\d{3})+|(,\d{2})+,\d{3})$/.test(whole);

function shownBy(body: string): Shown {
  const [mantissa = '', exponent] = body.replace(/^[+-]/, '').split(/[eE]/);
  const at = { '.': mantissa.lastIndexOf('.'), ',': mantissa.lastIndexOf(',') };
  const separator: Decimal = at['.'] > at[','] ? '.' : ',';
  if (at[separator] < 0) return { digits: mantissa.length };
  const [before, after] = [mantissa.slice(0, at[separator]), mantissa.slice(at[separator] + 1)];
  if (before.includes(separator))
    return isGrouped(mantissa, separator) ? { decimal: other(separator) } : { digits: 0 };
  if (before.includes(other(separator)))
    return isGrouped(before, other(separator)) ? { decimal: separator } : { digits: 0 };
  if (after.length === 3 && /^[1-9]\d{0,2}$/.test(before) && exponent === undefined)
    return { ambiguous: separator };
  return { decimal: separator };
}

/** The number of a text; undefined if it is none. Without `decimal`, the text itself has to show it. */
export function numberOf(body: string, decimal: Decimal | undefined): number | undefined {
  const shown = shownBy(body);
  const used = 'decimal' in shown ? shown.decimal : decimal;
  if ('decimal' in shown && decimal !== undefined && shown.decimal !== decimal) return undefined;
  if ('ambiguous' in shown && used === undefined) return undefined;
  if ('digits' in shown && shown.digits === 0) return undefined;
  const [sign] = /^[+-]?/.exec(body)!;
  const plain = body.slice(sign.length).replaceAll(other(used ?? '.'), '');
  const value = Number(sign + (used === ',' ? plain.replace(',', '.') : plain));
  return Number.isFinite(value) ? value : undefined;
}

interface Seen {
  readonly line: number;
  readonly cell: string;
}

/** What the cells of a column show of their separators. */
export interface NumberColumn {
  note(cell: string, line: number): void;
  /** The first cells that show a decimal point, and a decimal comma. */
  readonly proofs: { [D in Decimal]?: Seen };
  readonly ambiguous: { [D in Decimal]?: Seen };
  /** A whole number of four digits or more, which shows that digits are not grouped. */
  readonly ungrouped: Seen | undefined;
}

export function createNumberColumn(): NumberColumn {
  const proofs: { [D in Decimal]?: Seen } = {};
  const ambiguous: { [D in Decimal]?: Seen } = {};
  let ungrouped: Seen | undefined;
  return {
    proofs,
    ambiguous,
    get ungrouped() {
      return ungrouped;
    },
    note(cell, line) {
      const text = importedNumberText(cell);
      if (!text) return;
      const shown = shownBy(text.body);
      if ('decimal' in shown) proofs[shown.decimal] ??= { line, cell };
      else if ('ambiguous' in shown) ambiguous[shown.ambiguous] ??= { line, cell };
      else if (shown.digits > 3) ungrouped ??= { line, cell };
    },
  };
}

/** What decides the numbers of a column if the column itself does not. */
interface Surroundings {
  readonly name: string;
  readonly delimiter: string;
  readonly columns: readonly NumberColumn[];
}

/**
 * What begins the fractions in a column; undefined if each of its cells shows it. A file is written in one way, so that the other columns decide what
 * this one leaves open. Throws MappingFault if it stays open.
 */
export function decimalOf(
  column: NumberColumn,
  { name, delimiter, columns }: Surroundings,
): Decimal | undefined {
  const open = column.ambiguous['.'] ?? column.ambiguous[','];
  if (!open) return undefined;
  const own = proofOf([column]);
  if (own) return own;
  const isBoth = column.ambiguous['.'] && column.ambiguous[','];
  if (column.ungrouped && !isBoth) return column.ambiguous['.'] ? '.' : ',';
  const ofFile = isProven(column) ? undefined : proofOf(columns);
  if (ofFile) return ofFile;
  // Where commas separate the columns, points are no thousands.
  if (delimiter === ',' && column.ambiguous['.'] && !isBoth && !isProven(column)) return '.';
  const [whole, fraction] = [open.cell.replace(/[.,]/g, ''), open.cell.replace(',', '.')];
  throw new MappingFault(
    `line ${open.line}: ${JSON.stringify(open.cell)} in the column ${JSON.stringify(name)} may be ${whole} or ${fraction}: say --decimal point or --decimal comma`,
  );
}

const isProven = ({ proofs }: NumberColumn): boolean =>
  proofs['.'] !== undefined || proofs[','] !== undefined;

/** The one that all cells show which show any; undefined if they contradict one another, or none does. */
function proofOf(columns: readonly NumberColumn[]): Decimal | undefined {
  const [points, commas] = (['.', ','] as const).map((decimal) =>
    columns.some(({ proofs }) => proofs[decimal]),
  );
  if (points === commas) return undefined;
  return points ? '.' : ',';
}
