import { ActionIcon } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { downloadCsv, type CsvFile } from '../csv/download-csv.ts';
import { DownloadIcon, TableIcon } from '../icons.tsx';
import { texts } from '../texts/index.ts';
import styles from './chart-frame.module.css';

type Cell = string | number | null | undefined;

interface ChartFrameProps {
  readonly title: string;
  /** What all rows of the table have in common, such as their day. */
  readonly caption?: string;
  /** Whose clock is meant, or what else belongs below the heading. */
  readonly note?: string;
  readonly isEmpty: boolean;
  readonly head: readonly string[];
  /** The content as rows; the first cell of each names it. */
  readonly rows: () => readonly (readonly Cell[])[];
  /** What the rows come to, below them. */
  readonly sum?: readonly Cell[];
  /** The content for spreadsheets: figures without units, which the heads name. */
  readonly csv: () => CsvFile;
  /** What the reader can choose. */
  readonly controls?: ReactNode;
  /** What is shown, to be chosen from: of the chart and of the table. */
  readonly legend?: ReactNode;
  /** Further buttons. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every chart: its heading, and the same content as a table and as CSV. */
export function ChartFrame({
  title,
  caption,
  note,
  isEmpty,
  head,
  rows,
  sum,
  csv,
  controls,
  legend,
  tools,
  children,
}: ChartFrameProps): ReactNode {
  const t = texts.useTexts().chart;
  const formats = useFormats();
  const [isTable, setTable] = useState(false);
  const id = useId();
  return (
    <section className={styles.frame} aria-labelledby={id}>
      <header className={styles.head}>
        <div className={styles.title}>
          <h2 id={id}>{title}</h2>
          {note && <p>{note}</p>}
        </div>
        <div className={styles.tools}>
          {!isTable && !isEmpty && tools}
          <ActionIcon
            variant={isTable ? 'light' : 'subtle'}
            size="lg"
            aria-label={isTable ? t.asChart : t.asTable}
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          >
            <TableIcon />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={t.csv}
            disabled={isEmpty}
            onClick={() => downloadCsv(csv(), formats.decimal)}
          >
            <DownloadIcon />
          </ActionIcon>
        </div>
      </header>
      {controls && <div className={styles.controls}>{controls}</div>}
      {!isEmpty && legend}
      {isEmpty ? (
        <p className={styles.nothing}>{t.nothing}</p>
      ) : isTable ? (
        <ChartTable title={title} caption={caption} head={head} rows={rows()} sum={sum} />
      ) : (
        children
      )}
    </section>
  );
}

/** Decimals beyond these say nothing to people. */
const MOST_DECIMALS = 3;

const decimalsIn = (cell: Cell): number =>
  typeof cell === 'number'
    ? (String(Number(cell.toFixed(MOST_DECIMALS))).split('.')[1]?.length ?? 0)
    : 0;

interface ChartTableProps {
  readonly title: string;
  readonly caption: string | undefined;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly sum: readonly Cell[] | undefined;
}

function ChartTable({ title, caption, head, rows, sum }: ChartTableProps): ReactNode {
  const formats = useFormats();
  const decimals = head.map((_, column) =>
    Math.max(0, ...rows.map((row) => decimalsIn(row[column]))),
  );
  // Names come twice where a clock is put back.
  const row = ([name, ...cells]: readonly Cell[], place = -1): ReactNode => (
    <tr key={`${place} ${name}`}>
      <th scope="row">{name}</th>
      {cells.map((cell, i) => (
        <td key={head[i + 1]}>
          {typeof cell === 'string' ? cell : formats.aligned(cell, decimals[i + 1]!)}
        </td>
      ))}
    </tr>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, which the keyboard must be able to do
    <div className={styles.scroll} role="region" aria-label={title} tabIndex={0}>
      <table>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map((cells, i) => row(cells, i))}</tbody>
        {sum && <tfoot>{row(sum)}</tfoot>}
      </table>
    </div>
  );
}
