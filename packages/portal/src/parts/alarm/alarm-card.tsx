import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { toast } from '../../parts/toast.tsx';
import { CallFailure } from '../../wire/failure.ts';
import { useChange } from '../../wire/queries.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

type Alarm = WireData<'alarmList'>['records'][number];

const PENDING = '0';
const MINUTE_MS = 60_000;

/** One alarm, with what to do about it. */
export function AlarmCard({ alarm }: { readonly alarm: Alarm }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const processing = useChange('alarm/process');
  const {
    id = '',
    stationId = '',
    stationName,
    deviceId = '',
    alarmDeviceSn,
    alarmCode = '',
    alarmMsg,
    advice,
    alarmLevel,
    state,
    timeZoneId: zone = 'UTC',
  } = alarm;
  const { alarmBeginTime: beginAt, alarmEndTime: endAt } = alarm;
  const known = t.alarms[alarmCode as keyof typeof t.alarms];
  const minutes = Number(alarm.alarmLong) / MINUTE_MS;
  const done = (): void =>
    processing.mutate(
      { id },
      {
        onSuccess: () => toast.show(t.processed),
        onError: (error) => toast.fault(error instanceof CallFailure && error.code === 'R0000' ? t.mayNot : t.failed),
      },
    );
  return (
    <li className={styles.card} data-level={alarmLevel} data-state={state}>
      <div className={styles.signs}>
        <span className={styles.level}>{t.levels[Number(alarmLevel) as keyof typeof t.levels]}</span>
        <span className={styles.soft}>{t.stateNames[Number(state) as keyof typeof t.stateNames]}</span>
      </div>
      <h2>
        <bdi>{known?.title ?? alarmMsg}</bdi>
      </h2>
      <p className={styles.where}>
        <Link to="/plants/$id" params={{ id: stationId }}>
          <bdi>{stationName}</bdi>
        </Link>
        <span>
          {t.device}{' '}
          <Link to="/plants/$id/devices/$deviceId" params={{ id: stationId, deviceId }}>
            <bdi>{alarmDeviceSn}</bdi>
          </Link>
        </span>
        <span>
          {endAt === undefined ? t.since(formats.dateTime(beginAt, zone)) : t.fromTo(formats.dateTime(beginAt, zone), formats.dateTime(endAt, zone))}{' '}
          <span className={styles.soft}>({formats.zone(zone, beginAt ?? 0)})</span>
        </span>
        <span className={styles.soft}>{t.lasted(minutes < 90 ? t.minutes(formats.number(minutes, 0)) : t.hours(formats.number(minutes / 60, 0)))}</span>
      </p>
      {known && alarmMsg && (
        <p className={styles.soft}>
          <bdi>{alarmMsg}</bdi>
        </p>
      )}
      {state !== '2' && (known?.advice ?? advice) && (
        <p className={styles.advice}>
          <bdi>{known?.advice ?? advice}</bdi>
        </p>
      )}
      {state === PENDING && (
        <Button
          variant="default"
          size="sm"
          loading={processing.isPending}
          onClick={done}
          aria-label={`${t.process}: ${known?.title ?? alarmMsg ?? ''}, ${stationName ?? ''}`}
        >
          {t.process}
        </Button>
      )}
    </li>
  );
}
