import { csvText, type CsvCell, type Decimal } from './csv-text.ts';

/** A file to download. */
export interface CsvFile {
  readonly name: string;
  readonly rows: readonly (readonly CsvCell[])[];
}

/** Hands a CSV file to the person. */
export function downloadCsv({ name, rows }: CsvFile, decimal: Decimal): void {
  const url = URL.createObjectURL(
    new Blob([csvText(rows, decimal)], { type: 'text/csv;charset=utf-8' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
