import { MINUTE_MS } from '@helioport/contract/durations';
import { Link } from '@tanstack/react-router';
import { adviceOf, alarmWordsOf } from '@helioport/contract/alarm-words/advice';
import { deviceAdviceOf } from '@helioport/contract/alarm-words/device/matter';
import { detailOf } from '@helioport/contract/alarm-words/detail';
import { useState, type ReactNode } from 'react';
import { Actions, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { useAccount } from '../../session/session-context.ts';
import type { Alarm, TakeListener } from './alarm.ts';
import { AlarmButtons } from './alarm-buttons.tsx';
import { AlarmNote } from './alarm-note.tsx';
import { useAlarmTitle } from './alarm-title.tsx';
import { LevelBadge } from './level-badge.tsx';
import { sentence } from './sentence.ts';
import styles from './alarm-card.module.css';
import { texts } from './texts/index.ts';
import { useTaker } from './use-taker.ts';

interface AlarmCardProps {
  readonly alarm: Alarm;
  /** Whether it is said which plant it is of. */
  readonly withPlant?: boolean;
  /** The level of its title, below the heading that it stands under. */
  readonly heading?: 'h2' | 'h3';
  /** Whether it is said which device it is of. */
  readonly withDevice?: boolean;
  /** Called when the reader begins to take it on. */
  readonly onTake?: TakeListener;
}

/** One alarm, with what to do about it. */
export function AlarmCard({
  alarm,
  heading: Heading = 'h2',
  withPlant = true,
  withDevice = true,
  onTake,
}: AlarmCardProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { plant, device, code, message, advice, level, state, beginAt, endAt, processedAt } = alarm;
  const zone = plant.timeZone;
  const isOver = state === 'restored';
  const known = alarmWordsOf(t.alarms, code);
  const minutes = alarm.durationMs / MINUTE_MS;
  const duration =
    minutes < 90 ? t.minutes(formats.number(minutes, 0)) : t.hours(formats.number(minutes / 60, 0));
  const reader = useAccount().role === 'installer' ? 'installer' : 'owner';
  const emergency = level === 'emergency' ? t.emergencyAdvice[reader] : undefined;
  const whatToDo = known
    ? adviceOf(known, message, reader)
    : (deviceAdviceOf(t.deviceAdvice, code) ?? advice ?? emergency);
  const detail = known && detailOf(known, message, (figure) => formats.number(figure, 2));
  const title = useAlarmTitle(code, message);
  const taker = useTaker(alarm);
  const [isWriting, setWriting] = useState(false);
  const takenAt =
    processedAt === undefined
      ? undefined
      : `${formats.dateTime(processedAt, zone)}, ${formats.zone(zone, processedAt)}`;
  const taken =
    takenAt && (taker.isReader && !isOver ? t.youAreOnIt(takenAt) : t.taken(taker.name, takenAt));
  return (
    <li className={styles.card} data-level={level} data-state={state}>
      <Actions>
        <LevelBadge level={level} isOver={isOver} />
        <Soft component="span">{t.stateNames[state]}</Soft>
      </Actions>
      <Heading>
        <bdi>{title}</bdi>
      </Heading>
      <Actions component="p">
        {withPlant && (
          <Link to="/plants/$id" params={{ id: plant.id }}>
            <bdi>{plant.name}</bdi>
          </Link>
        )}
        {withDevice && (
          <span>
            {t.device}{' '}
            <Link to="/plants/$id/devices/$deviceId" params={{ id: plant.id, deviceId: device.id }}>
              <bdi>{device.sn}</bdi>
            </Link>
          </span>
        )}
        <span>
          {endAt === undefined
            ? t.since(formats.dateTime(beginAt, zone))
            : t.fromTo(formats.dateTime(beginAt, zone), formats.dateTime(endAt, zone))}
          <small>, {formats.zone(zone, beginAt)}</small>
        </span>
        <Soft component="span">{endAt === undefined ? t.lasts(duration) : t.lasted(duration)}</Soft>
      </Actions>
      {alarm.lostKwh !== undefined && (
        <p>
          {t.lost(
            [
              Object.values(formats.energy(alarm.lostKwh)).join('\u{A0}'),
              ...(alarm.lostAmount === undefined
                ? []
                : [formats.money(alarm.lostAmount, alarm.currency)]),
            ].join(', '),
          )}
        </p>
      )}
      {detail !== undefined && <Soft>{detail}</Soft>}
      {!isOver && whatToDo && (
        <p className={styles.advice}>
          <bdi>{sentence(whatToDo)}</bdi>
        </p>
      )}
      {taken && <Soft>{taken}</Soft>}
      <AlarmNote
        alarm={alarm}
        title={title}
        isOwn={taker.isReader}
        isWriting={isWriting}
        onWriting={setWriting}
      />
      <AlarmButtons
        alarm={alarm}
        title={title}
        takenByOther={taker.isReader ? undefined : taken}
        onTake={onTake && ((taking) => onTake(alarm, taking))}
        onTaken={() => setWriting(true)}
      />
    </li>
  );
}
