import type { ReportTable } from '@helioport/contract';
import type { ReactNode } from 'react';
import styles from './report.module.css';

/** A table of a report, as wide as the paper. */
export function ReportTableView({
  table: { title, columns, figures, rows, none },
}: {
  readonly table: ReportTable;
}): ReactNode {
  const kindOf = (column: number): string | undefined =>
    column >= columns.length - figures ? styles.figure : undefined;
  return (
    <section>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p>{none}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((column, i) => (
                <th key={column} scope="col" className={kindOf(i)}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells) => (
              <tr key={cells.join('\n')}>
                {cells.map((cell, i) => (
                  <td key={columns[i]} className={kindOf(i)}>
                    <bdi>{cell}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
