import type { ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import type { Alarm } from '../../../parts/alarm/alarm.ts';
import { AlarmTitle } from '../../../parts/alarm/alarm-title.tsx';
import { AlarmSign } from '../../../parts/state-badge.tsx';
import { useOperation } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';
import styles from './open-alarm.module.css';

const LEVELS = { tip: 1, general: 2, emergency: 3 } as const;

const worse = (one: Alarm | undefined, other: Alarm): Alarm =>
  one && LEVELS[one.level] >= LEVELS[other.level] ? one : other;

interface OpenAlarmProps {
  readonly sn: string;
  readonly plantId: string;
  readonly zone: string;
  /** Shows the device’s alarms. */
  readonly onShow: () => void;
}

/** What is wrong with a device now, above what is shown of it: what is open, else what is in progress. */
export function OpenAlarm({ sn, plantId, zone, onShow }: OpenAlarmProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const request = { plantId, deviceSn: sn, pageNo: 1, pageSize: 10 };
  const { data: open } = useOperation('alarm/list', { ...request, state: 'pending' });
  const { data: inProgress } = useOperation('alarm/list', { ...request, state: 'processed' });
  if (!open || !inProgress) return null;
  const alarm = (open.total > 0 ? open : inProgress).records.reduce(worse, undefined);
  if (!alarm) return null;
  const { code, message, beginAt, level } = alarm;
  const others = open.total + inProgress.total - 1;
  return (
    <div className={styles.alarm} data-level={level}>
      {level !== 'tip' && <AlarmSign />}
      <span>
        <strong>
          <AlarmTitle code={code} message={message} />
        </strong>{' '}
        {t.alarmSince(formats.dateTime(beginAt, zone), formats.zone(zone, beginAt))}
        {open.total === 0 && `, ${t.inProgress}`}
      </span>
      <button type="button" onClick={onShow}>
        {others > 0 ? t.showAlarms(formats.number(others + 1, 0)) : t.showAlarm}
      </button>
    </div>
  );
}
