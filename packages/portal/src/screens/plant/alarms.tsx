import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { CheckIcon, WarningIcon } from '../../parts/icons.tsx';
import { useOperation } from '../../wire/queries.ts';
import styles from './alarms.module.css';
import { texts } from './texts/index.ts';

const SHOWN = 3;
const PENDING = 0;

interface AlarmsProps {
  readonly plantId: string;
  readonly zone: string;
}

/** What is wrong at the plant now, with what to do about it. */
export function Alarms({ plantId, zone }: AlarmsProps): ReactNode {
  const t = texts.useTexts().alarms;
  const formats = useFormats();
  const { data } = useOperation('alarmList', { stationId: plantId, state: PENDING, pageNo: 1, pageSize: SHOWN });
  if (!data) return null;
  if (data.total === 0) {
    return (
      <p className={styles.fine}>
        <CheckIcon size={18} />
        {t.none}
      </p>
    );
  }
  return (
    <section className={styles.alarms} aria-label={t.title}>
      <ul>
        {data.records.map(({ id, alarmMsg, advice, alarmBeginTime, alarmDeviceSn, alarmLevel }) => (
          <li key={id}>
            <WarningIcon size={22} />
            <div>
              <strong>
                <bdi>{alarmMsg}</bdi>
              </strong>
              <span className={styles.where}>
                {t.levels[alarmLevel as keyof typeof t.levels]} · <bdi>{alarmDeviceSn}</bdi> · {t.since(formats.dateTime(alarmBeginTime, zone))}
              </span>
              {advice && (
                <p>
                  <bdi>{advice}</bdi>
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {data.total > data.records.length && <p className={styles.more}>{t.more(formats.number(data.total - data.records.length, 0))}</p>}
    </section>
  );
}
