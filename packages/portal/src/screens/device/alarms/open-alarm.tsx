import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { AlarmTitle } from '../../../parts/alarm/alarm-title.tsx';
import { AlarmSign } from '../../../parts/state-badge.tsx';
import { useOperation } from '../../../wire/queries.ts';
import { texts } from '../texts/index.ts';
import styles from './open-alarm.module.css';

const PENDING = 0;
const PROCESSED = 1;

type Alarm = WireData<'alarmList'>['records'][number];

const worse = (one: Alarm | undefined, other: Alarm): Alarm =>
  one && Number(one.alarmLevel) >= Number(other.alarmLevel) ? one : other;

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
  const request = { stationId: plantId, alarmDeviceSn: sn, pageNo: 1, pageSize: 10 };
  const { data: open } = useOperation('alarmList', { ...request, state: PENDING });
  const { data: inProgress } = useOperation('alarmList', { ...request, state: PROCESSED });
  if (!open || !inProgress) return null;
  const alarm = (open.total > 0 ? open : inProgress).records.reduce(worse, undefined);
  if (!alarm) return null;
  const { alarmCode = '', alarmMsg, alarmBeginTime } = alarm;
  const others = open.total + inProgress.total - 1;
  return (
    <div className={styles.alarm} data-level={alarm.alarmLevel}>
      {alarm.alarmLevel !== '1' && <AlarmSign />}
      <span>
        <strong>
          <AlarmTitle code={alarmCode} message={alarmMsg} />
        </strong>{' '}
        {t.alarmSince(
          formats.dateTime(alarmBeginTime, zone),
          formats.zone(zone, alarmBeginTime ?? 0),
        )}
        {open.total === 0 && `, ${t.inProgress}`}
      </span>
      <button type="button" onClick={onShow}>
        {others > 0 ? t.showAlarms(formats.number(others + 1, 0)) : t.showAlarm}
      </button>
    </div>
  );
}
