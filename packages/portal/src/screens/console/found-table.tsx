import type { ReactNode } from 'react';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty, Loading } from '../../parts/states.tsx';

/** Rows of a page. */
export const FOUND_PAGE_SIZE = 20;

interface FoundTableProps<Row> {
  readonly caption: string;
  /** What is said if nothing was found. */
  readonly none: string;
  readonly columns: readonly Column<Row>[];
  /** The page; undefined until it is there. */
  readonly found: { readonly records: readonly Row[]; readonly total: number } | undefined;
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Whether the page is still another than asked for. */
  readonly busy: boolean;
}

/** What a search found, a page at a time. */
export function FoundTable<Row extends { readonly id?: string }>({
  none,
  found,
  page,
  ...table
}: FoundTableProps<Row>): ReactNode {
  if (!found) return <Loading />;
  if (found.records.length === 0) return <Empty title={none} />;
  return (
    <DataTable
      {...table}
      rows={found.records}
      keyOf={({ id }) => id!}
      page={{ current: page, size: FOUND_PAGE_SIZE, total: found.total }}
    />
  );
}
