import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { toast } from '../toast.tsx';
import { CallFailure } from '../../wire/failure.ts';
import { useChange } from '../../wire/queries.ts';
import { AlarmTitle } from './alarm-title.tsx';
import { sentence } from './sentence.ts';
import styles from './alarm-card.module.css';
import { texts } from './texts/index.ts';

type Alarm = WireData<'alarmList'>['records'][number];

const PENDING = '0';
const PROCESSED = '1';
const MINUTE_MS = 60_000;

interface AlarmCardProps {
  readonly alarm: Alarm;
  /** Whether it is said which plant it is of. */
  readonly withPlant?: boolean;
}

/** One alarm, with what to do about it. */
export function AlarmCard({ alarm, withPlant = true }: AlarmCardProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  // On the page of a plant, the alarms have a heading above them.
  const Heading = withPlant ? 'h2' : 'h3';
  const processing = useChange('alarm/process');
  const reopening = useChange('alarm/reopen');
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
  const duration = minutes < 90 ? t.minutes(formats.number(minutes, 0)) : t.hours(formats.number(minutes / 60, 0));
  const refused = (error: unknown): void => toast.fault(error instanceof CallFailure && error.code === 'R0000' ? t.mayNot : t.failed);
  const done = (): void => processing.mutate({ id }, { onSuccess: () => toast.show(t.processed), onError: refused });
  const takeBack = (): void => reopening.mutate({ id }, { onSuccess: () => toast.show(t.reopened), onError: refused });
  return (
    <li className={styles.card} data-level={alarmLevel} data-state={state}>
      <div className={styles.signs}>
        <span className={styles.level}>{t.levels[Number(alarmLevel) as keyof typeof t.levels]}</span>
        <span className={styles.soft}>{t.stateNames[Number(state) as keyof typeof t.stateNames]}</span>
      </div>
      <Heading>
        <AlarmTitle code={alarmCode} message={alarmMsg} />
      </Heading>
      <p className={styles.where}>
        {withPlant && (
          <Link to="/plants/$id" params={{ id: stationId }}>
            <bdi>{stationName}</bdi>
          </Link>
        )}
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
        <span className={styles.soft}>{endAt === undefined ? t.lasts(duration) : t.lasted(duration)}</span>
      </p>
      {known && alarmMsg && (
        <p className={styles.soft}>
          <bdi>{sentence(alarmMsg)}</bdi>
        </p>
      )}
      {state !== '2' && (known?.advice ?? advice) && (
        <p className={styles.advice}>
          <bdi>{sentence(known?.advice ?? advice ?? '')}</bdi>
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
      {state === PROCESSED && (
        <Button
          variant="default"
          size="sm"
          loading={reopening.isPending}
          onClick={takeBack}
          aria-label={`${t.reopen}: ${known?.title ?? alarmMsg ?? ''}, ${stationName ?? ''}`}
        >
          {t.reopen}
        </Button>
      )}
    </li>
  );
}
