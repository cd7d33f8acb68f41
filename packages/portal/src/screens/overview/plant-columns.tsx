import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Note, Stacked } from '../../components/layout.tsx';
import { useFormats, type Shown } from '../../i18n/formats.ts';
import { AlarmTitle } from '../../parts/alarm/alarm-title.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { connectionIn, stateWith, useConnectionWords } from '../../parts/plants/connection.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { texts as shared } from '../../parts/texts/index.ts';
import { HERE } from './here.ts';
import styles from './plant-list.module.css';
import { Spark } from './spark.tsx';
import { texts } from './texts/index.ts';
import { curvePeakOf, type PowerCurve } from './curve.ts';

export type Plant = WireData<'plant/ranking'>['records'][number];

const joined = ({ value, unit }: Shown): string => `${value} ${unit}`.trim();

/** What the list shows of each plant; the keys are what the server sorts by. */
export function usePlantColumns(curves: ReadonlyMap<string, PowerCurve>): readonly Column<Plant>[] {
  const t = texts.useTexts();
  const {
    ownedBy,
    worthOf,
    table: { byNeed },
  } = shared.useTexts();
  const formats = useFormats();
  const wordsOf = useConnectionWords();
  return useMemo(
    () => [
      {
        key: 'name',
        header: t.plant,
        sortable: true,
        cell: ({ id, name, address, capacityKwp, ownerEmail }) => (
          <span className={styles.name}>
            <Link to="/plants/$id" params={{ id: id! }}>
              <bdi>{name}</bdi>
            </Link>
            <Note component="span">
              {address && <bdi>{address}</bdi>}
              {address && capacityKwp !== undefined && ' · '}
              {capacityKwp !== undefined && (
                <span
                  className={styles.capacity}
                >{`${joined(formats.power(capacityKwp * 1000))}p`}</span>
              )}
            </Note>
            {ownerEmail !== undefined && <Note component="bdi">{ownedBy(ownerEmail)}</Note>}
          </span>
        ),
      },
      {
        key: 'state',
        header: t.state,
        sortable: true,
        orders: byNeed,
        cell: ({ id, alarmCount = 0, alarmCode = '', alarmMessage, ...plant }) => (
          <span className={styles.state}>
            <StateBadge state={stateWith(plant.state ?? 'offline', plant.connection)} />
            {alarmCode && (
              <Link
                to="/alarms"
                search={{ plant: id, ...(alarmCount === 0 && { state: 'processed' }) }}
              >
                <AlarmTitle code={alarmCode} message={alarmMessage} />
              </Link>
            )}
            {alarmCode && alarmCount === 0 && <span>{t.dealtWith}</span>}
            {alarmCount > 1 && (
              <span>{t.moreAlarms(alarmCount - 1, formats.number(alarmCount - 1, 0))}</span>
            )}
            {plant.connection !== 'noDevices' && (
              <span>{wordsOf(connectionIn(plant, plant.timeZone ?? 'UTC'))?.what}</span>
            )}
          </span>
        ),
      },
      {
        key: 'curve',
        header: t.lastDay,
        wideOnly: true,
        cell: ({ id, capacityKwp }) => {
          const curve = curves.get(id!);
          if (!curve) return null;
          const { powerW, at } = curvePeakOf(curve);
          return (
            <Spark
              curve={curve}
              capacityKwp={capacityKwp}
              label={t.highest(joined(formats.power(powerW)), formats.time(at, HERE))}
              className={styles.curve}
            />
          );
        },
      },
      {
        key: 'share',
        header: t.share,
        figure: true,
        wideOnly: true,
        cell: ({ sharePercent, lostKwh }) =>
          sharePercent !== undefined && (
            <Stacked>
              {joined(formats.percent(sharePercent))}
              {lostKwh !== undefined && lostKwh > 0 && (
                <small>{t.lost(joined(formats.energy(lostKwh)))}</small>
              )}
            </Stacked>
          ),
      },
      {
        key: 'power',
        header: t.power,
        sortable: true,
        figure: true,
        cell: ({ powerW }) => joined(formats.power(powerW)),
      },
      {
        key: 'day',
        header: t.today,
        sortable: true,
        figure: true,
        cell: ({ dayKwh, dayWorth, worthOf: of, currency }) => (
          <Stacked>
            {joined(formats.energy(dayKwh))}
            {dayWorth !== undefined && (
              <span className={styles.earned}>
                {formats.money(dayWorth, currency)}{' '}
                <span className={styles.whole}>{of && worthOf[of]}</span>
              </span>
            )}
          </Stacked>
        ),
      },
      {
        key: 'yesterday',
        header: t.yesterday,
        sortable: true,
        figure: true,
        cell: ({ yesterdayKwh, yesterdayFullHours }) => (
          <Stacked>
            {yesterdayFullHours === undefined
              ? formats.number(undefined)
              : `${formats.number(yesterdayFullHours, 2)} kWh/kWp`}
            {yesterdayKwh !== undefined && (
              <span className={styles.whole}>{joined(formats.energy(yesterdayKwh))}</span>
            )}
          </Stacked>
        ),
      },
      {
        key: 'month',
        header: t.month,
        sortable: true,
        figure: true,
        wideOnly: true,
        cell: ({ monthKwh }) => joined(formats.energy(monthKwh)),
      },
    ],
    [t, ownedBy, worthOf, byNeed, formats, wordsOf, curves],
  );
}
