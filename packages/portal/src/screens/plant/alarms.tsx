import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Hint, List } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { emergenciesFirst } from '../../parts/alarm/alarm.ts';
import { AlarmTitle } from '../../parts/alarm/alarm-title.tsx';
import { AlarmCard } from '../../parts/alarm/alarm-card.tsx';
import { CheckIcon } from '../../parts/icons.tsx';
import { useWide } from '../../parts/use-wide.ts';
import { useOperation } from '../../wire/queries.ts';
import styles from './alarms.module.css';
import { texts } from './texts/index.ts';

const SHOWN = 3;

interface AlarmsProps {
  readonly plantId: string;
  /** Whether all of its devices report: else nobody knows whether something is wrong. */
  readonly areReporting: boolean;
  /** Number of inverters that do not report, while others do. */
  readonly silent: number;
}

/** What is wrong at the plant now, with what to do about it: what nobody has taken on yet, then what is in progress. */
export function Alarms({ plantId, areReporting, silent }: AlarmsProps): ReactNode {
  const t = texts.useTexts().alarms;
  const formats = useFormats();
  // On a phone the page itself comes first; what is wrong is said in its first line.
  const isWide = useWide();
  const page = { plantId, pageNo: 1, pageSize: SHOWN };
  const { data: open } = useOperation('alarm/list', { ...page, state: 'pending' });
  const { data: processed } = useOperation('alarm/list', { ...page, state: 'processed' });
  if (!open || !processed) return <div className={styles.fine} />;
  if (open.total + processed.total === 0) {
    if (silent > 0)
      return (
        <Hint>
          {t.silent(silent, formats.number(silent, 0))}{' '}
          <Link to="/plants/$id/devices" params={{ id: plantId }} search={{ state: 'offline' }}>
            {t.showThem}
          </Link>
        </Hint>
      );
    return (
      areReporting && (
        <p className={styles.fine}>
          <CheckIcon size={18} />
          {t.none}
        </p>
      )
    );
  }
  return [
    { key: 'open', list: open, title: t.open },
    { key: 'processed', list: processed, title: t.processed },
  ].map(
    ({ key, list, title }) =>
      list.total > 0 && (
        <section key={key} aria-labelledby={`alarms-${key}`}>
          <details className={styles.alarms} open={isWide}>
            <summary>
              <h2 id={`alarms-${key}`}>{title(list.total, formats.number(list.total, 0))}</h2>
              <AlarmTitle {...emergenciesFirst(list.records)[0]!} />
            </summary>
            <List>
              {emergenciesFirst(list.records).map((alarm) => (
                <AlarmCard key={alarm.id} alarm={alarm} heading="h3" withPlant={false} />
              ))}
            </List>
            {list.total > list.records.length && (
              <Link
                to="/alarms"
                search={{ plant: plantId, ...(key === 'processed' && { state: 'processed' }) }}
              >
                {t.all}
              </Link>
            )}
          </details>
        </section>
      ),
  );
}
