import type { PlantReport } from '@helioport/contract';
import { useId, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import styles from './report.module.css';

/** A bar for each day of the month, with a mark at what was expected. */
export function DayBars({
  bars: { title, produced, expected, days },
}: {
  readonly bars: PlantReport['bars'];
}): ReactNode {
  const id = useId();
  const formats = useFormats();
  const most = Math.max(
    ...days.map(({ producedKwh, expectedKwh }) => Math.max(producedKwh ?? 0, expectedKwh ?? 0)),
  );
  if (most <= 0) return null;
  const share = (kwh: number): string => `${(100 * kwh) / most}%`;
  const energy = (kwh: number | null): string => {
    const { value, unit } = formats.energy(kwh);
    return `${value} ${unit}`;
  };
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ol className={styles.bars}>
        {days.map(({ day, producedKwh, expectedKwh }) => (
          <li
            key={day}
            title={`${formats.day(day)}: ${produced} ${energy(producedKwh)}, ${expected} ${energy(expectedKwh)}`}
          >
            <span className={styles.column} aria-hidden>
              <span className={styles.bar} style={{ height: share(producedKwh ?? 0) }} />
              {expectedKwh !== null && (
                <span className={styles.mark} style={{ bottom: share(expectedKwh) }} />
              )}
            </span>
            <span aria-hidden>{Number(day.slice(8))}</span>
            <span className={styles.hidden}>
              {`${formats.day(day)}: ${energy(producedKwh)} / ${energy(expectedKwh)}`}
            </span>
          </li>
        ))}
      </ol>
      <p className={styles.legend}>
        <span className={styles.barKey} /> {produced}
        <span className={styles.markKey} /> {expected}
      </p>
    </section>
  );
}
