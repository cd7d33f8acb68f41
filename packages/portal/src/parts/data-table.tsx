import { ActionIcon, NativeSelect, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../i18n/formats.ts';
import { DownIcon, LeftIcon, RightIcon, UpIcon } from './icons.tsx';
import styles from './data-table.module.css';
import { texts } from './texts/index.ts';

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Whether the server can sort by it; `key` is then what it is asked for. */
  readonly sortable?: boolean;
  /** What its orders are called, upwards and downwards, if not by size or by the alphabet. */
  readonly orders?: readonly [up: string, down: string];
  /** Figures stand at the end of their cell, so that they can be compared. */
  readonly figure?: boolean;
  /** Whether phones leave it out. */
  readonly wideOnly?: boolean;
  /** Whether phones give it a line of its own: addresses and names, which would break. */
  readonly long?: boolean;
}

export interface Sorting {
  readonly by: string;
  readonly descending: boolean;
}

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly caption: string;
  /** The first column names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sorting?: Sorting;
  readonly onSort?: (sorting: Sorting) => void;
  /** The place of these rows in the whole list; without it, they are all there are. Pages start at 1. */
  readonly page?: { readonly current: number; readonly size: number; readonly total: number };
  readonly onPage?: (page: number) => void;
  /** Whether other rows are on their way. */
  readonly busy?: boolean;
}

/** A table of rows that come from the server page by page. On phones each row is a block of its own. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  sorting,
  onSort,
  page,
  onPage,
  busy = false,
}: DataTableProps<Row>): ReactNode {
  return (
    <div className={styles.frame} aria-busy={busy} data-busy={busy || undefined}>
      {sorting && onSort && rows.length > 1 && (
        <SortSelect columns={columns} sorting={sorting} onSort={onSort} />
      )}
      <table className={styles.table}>
        <VisuallyHidden component="caption">{caption}</VisuallyHidden>
        <thead>
          <tr>
            {columns.map((column) => {
              const direction =
                sorting?.by === column.key
                  ? sorting.descending
                    ? 'descending'
                    : 'ascending'
                  : undefined;
              return (
                <th
                  key={column.key}
                  scope="col"
                  data-figure={column.figure || undefined}
                  aria-sort={column.sortable ? (direction ?? 'none') : undefined}
                >
                  {column.sortable && onSort ? (
                    <button
                      type="button"
                      className={styles.sort}
                      // Figures are wanted largest first.
                      onClick={() =>
                        onSort({
                          by: column.key,
                          descending:
                            direction === undefined
                              ? column.figure === true
                              : direction === 'ascending',
                        })
                      }
                    >
                      {column.header}
                      {direction &&
                        (direction === 'descending' ? (
                          <DownIcon size={14} />
                        ) : (
                          <UpIcon size={14} />
                        ))}
                    </button>
                  ) : (
                    column.header
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, i) =>
                i === 0 ? (
                  <th key={column.key} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td
                    key={column.key}
                    data-figure={column.figure || undefined}
                    data-wide={column.wideOnly || undefined}
                    data-long={column.long || undefined}
                    data-header={column.header}
                  >
                    <span>{column.cell(row)}</span>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {page && onPage && page.total > page.size && <Pages page={page} onPage={onPage} />}
    </div>
  );
}

/** On phones, where the columns have no heads: what the rows are sorted by. */
function SortSelect<Row>({
  columns,
  sorting,
  onSort,
}: Required<Pick<DataTableProps<Row>, 'columns' | 'sorting' | 'onSort'>>): ReactNode {
  const t = texts.useTexts().table;
  return (
    <NativeSelect
      className={styles.sortBy}
      aria-label={t.sortBy}
      value={`${sorting.by} ${sorting.descending ? 'down' : 'up'}`}
      onChange={({ currentTarget: { value } }) =>
        onSort({ by: value.split(' ')[0]!, descending: value.endsWith('down') })
      }
      data={columns
        .filter(({ sortable }) => sortable)
        .flatMap(({ key, header, figure, orders: [up, down] = figure ? t.bySize : t.byLetter }) => {
          const both = [
            { value: `${key} up`, label: `${header}: ${up}` },
            { value: `${key} down`, label: `${header}: ${down}` },
          ];
          // Figures are wanted largest first.
          return figure ? both.toReversed() : both;
        })}
    />
  );
}

/** Where a page is in the whole list, and the ways to its neighbours. */
export function Pages({
  page: { current, size, total },
  onPage,
}: Required<Pick<DataTableProps<never>, 'page' | 'onPage'>>): ReactNode {
  const t = texts.useTexts().table;
  const formats = useFormats();
  const last = Math.ceil(total / size);
  const text = (value: number): string => formats.number(value, 0);
  return (
    <nav className={styles.pages}>
      <span role="status">
        {t.range(
          text((current - 1) * size + 1),
          text(Math.min(total, current * size)),
          text(total),
        )}
      </span>
      <ActionIcon
        variant="default"
        size="lg"
        disabled={current <= 1}
        onClick={() => onPage(current - 1)}
        aria-label={t.previous}
      >
        <LeftIcon />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size="lg"
        disabled={current >= last}
        onClick={() => onPage(current + 1)}
        aria-label={t.next}
      >
        <RightIcon />
      </ActionIcon>
    </nav>
  );
}
