import type { ReactNode } from 'react';
import { More, Note, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { useOperation } from '../../wire/queries.ts';
import styles from './day-uses.module.css';
import { texts } from './texts/index.ts';

interface DayUsesProps {
  readonly grantId: string;
  /** Whether the authorization has ended. */
  readonly isOver?: boolean;
}

/** How much an application did on each of the last 30 days of its authorization, in figures and as bars. While it did nothing, nothing, or that it did nothing. */
export function DayUses({ grantId, isOver = false }: DayUsesProps): ReactNode {
  const t = texts.useTexts().uses;
  const formats = useFormats();
  const { data: days } = useOperation('grant/uses', { id: grantId });
  if (!days) return null;
  if (days.length === 0) return isOver ? <Soft>{t.none}</Soft> : null;
  const title = isOver ? t.titleOver : t.title;
  const requestsOf = ({ reads = 0, writes = 0 }: (typeof days)[number]): number => reads + writes;
  const most = Math.max(1, ...days.map(requestsOf));
  return (
    <More open={isOver}>
      <summary>{title}</summary>
      <Note>{t.units}</Note>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, which the keyboard must be able to do */}
      <div className={styles.scroll} role="region" aria-label={title} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              {[t.day, t.reads, t.writes, t.commands, t.forwarded].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((each) => (
              <tr key={each.day}>
                <th scope="row">
                  {formats.day(each.day ?? '')}
                  <span
                    className={styles.bar}
                    style={{ width: `${(100 * requestsOf(each)) / most}%` }}
                  />
                </th>
                {[each.reads, each.writes, each.commands, each.forwarded].map((count, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- columns have no other name
                  <td key={column}>{count === 0 ? '' : formats.number(count)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </More>
  );
}
