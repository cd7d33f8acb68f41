import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { emergenciesFirst } from '../../parts/alarm/alarm.ts';
import { AlarmCard } from '../../parts/alarm/alarm-card.tsx';
import { CheckIcon } from '../../parts/icons.tsx';
import { useOperation } from '../../wire/queries.ts';
import styles from './alarms.module.css';
import { texts } from './texts/index.ts';

const SHOWN = 3;

interface AlarmsProps {
  readonly plantId: string;
  /** Whether all of its devices report: else nobody knows whether something is wrong. */
  readonly areReporting: boolean;
}

/** What is wrong at the plant now, with what to do about it: what nobody has taken on yet, then what is in progress. */
export function Alarms({ plantId, areReporting }: AlarmsProps): ReactNode {
  const t = texts.useTexts().alarms;
  const formats = useFormats();
  const page = { plantId, pageNo: 1, pageSize: SHOWN };
  const { data: open } = useOperation('alarm/list', { ...page, state: 'pending' });
  const { data: processed } = useOperation('alarm/list', { ...page, state: 'processed' });
  if (!open || !processed) return <div className={styles.fine} />;
  if (open.total + processed.total === 0) {
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
        <section key={key} className={styles.alarms} aria-labelledby={`alarms-${key}`}>
          <h2 id={`alarms-${key}`}>{title(list.total, formats.number(list.total, 0))}</h2>
          <ul>
            {emergenciesFirst(list.records).map((alarm) => (
              <AlarmCard key={alarm.id} alarm={alarm} heading="h3" withPlant={false} />
            ))}
          </ul>
          {list.total > list.records.length && (
            <Link
              to="/alarms"
              search={{ plant: plantId, ...(key === 'processed' && { state: 'processed' }) }}
            >
              {t.all}
            </Link>
          )}
        </section>
      ),
  );
}
