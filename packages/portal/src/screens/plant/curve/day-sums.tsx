import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { shownKwh } from '../../../i18n/formats-of.ts';
import { useFormats } from '../../../i18n/formats.ts';
import { localDay, startOfDay, textOfDay } from '../../../i18n/plant-time.ts';
import { figureText } from '../../../parts/charts/figure-text.ts';
import { useOperation } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { ENERGIES } from '../energy/bars-of.ts';
import { splitOf } from '../energy/split.ts';
import { texts } from '../texts/index.ts';
import { dayPeakOf } from './peak.ts';
import { productionUntil } from './production-until.ts';
import styles from './day-sums.module.css';

/** What else a day is asked about, in the order of the reading of a bar. */
const BALANCE = ['consumed', 'bought', 'sold', 'charged', 'discharged'] as const;

/** A day and its readings. */
export interface SummedDay {
  readonly day: string;
  readonly curves: WireData<'plant/day'>;
}

interface DaySumsProps {
  readonly plantId: string;
  readonly zone: string;
  readonly own: SummedDay;
  /** The day it is compared with: a whole day with a whole one, today with as much of the other day. */
  readonly other: SummedDay | undefined;
}

/** What a day produced, when it produced most, and where energy came from and went to; of two days, also how much more or less. */
export function DaySums({ plantId, zone, own, other }: DaySumsProps): ReactNode {
  const { curve: t, bars } = texts.useTexts();
  const formats = useFormats();
  const ownRow = useDayRow(plantId, own.day);
  const ownKwh = ownRow?.kwh.production;
  const otherDayKwh = useDayRow(plantId, other?.day ?? own.day)?.kwh.production;
  const lastAt = own.curves.times.at(-1);
  const isToday = own.day === localDay(serverNow(), zone);
  // The same time of the other day, as its curve is laid over this one.
  const until =
    other && isToday && lastAt !== undefined
      ? lastAt - startOfDay(own.day, zone) + startOfDay(other.day, zone)
      : undefined;
  const share = other && until !== undefined ? (productionUntil(other.curves, until) ?? 0) : 1;
  const hasReadings = other !== undefined && other.curves.times.length > 0;
  // Which part of it belongs to the same time is known from readings alone.
  const otherKwh =
    otherDayKwh === undefined || (until !== undefined && !hasReadings)
      ? undefined
      : otherDayKwh * share;
  const textOf = ({ day, curves }: SummedDay, kwh: number, end?: number): string => {
    const peak = dayPeakOf(curves, end);
    const energy = figureText(formats, kwh, 'kWh');
    const name =
      end === undefined ? formats.day(day) : t.until(formats.day(day), formats.time(end, zone));
    return `${name}: ${peak ? t.energyAndPeak(energy, figureText(formats, peak.watts, 'W'), formats.time(peak.at, zone)) : energy}`;
  };
  if (ownKwh === undefined && (!other || hasReadings)) return null;
  // Of the figures as they are shown, so that it is right for a reader who calculates with them.
  const more =
    other && ownKwh !== undefined && otherKwh !== undefined
      ? shownKwh(ownKwh) - shownKwh(otherKwh)
      : undefined;
  const selfSufficiency =
    ownRow && splitOf([[ENERGIES.consumed(ownRow), ENERGIES.bought(ownRow)]])?.ownPercent;
  const balance = [
    ...BALANCE.flatMap((key) => {
      const kwh = ownRow && ENERGIES[key](ownRow);
      return kwh === undefined ? [] : [{ label: bars[key], text: figureText(formats, kwh, 'kWh') }];
    }),
    ...(selfSufficiency === undefined
      ? []
      : [{ label: bars.selfSufficiency, text: `${formats.number(selfSufficiency, 0)} %` }]),
  ];
  return (
    <ul className={styles.sums} aria-label={t.sums}>
      {ownKwh !== undefined && <li>{textOf(own, ownKwh)}</li>}
      {balance.length > 0 && (
        <li className={styles.balance}>
          {balance.map(({ label, text }) => (
            <span key={label}>
              {label} <b>{text}</b>
            </span>
          ))}
        </li>
      )}
      {other && otherKwh !== undefined && <li>{textOf(other, otherKwh, until)}</li>}
      {other && !hasReadings && <li>{t.noReadings(formats.day(other.day))}</li>}
      {ownRow?.recalculating && <li>{bars.recalculating}</li>}
      {more !== undefined && (
        <li>{(more < 0 ? t.less : t.more)(figureText(formats, Math.abs(more), 'kWh'))}</li>
      )}
    </ul>
  );
}

/** The energies of a plant on a day; undefined if they are not known. */
function useDayRow(plantId: string, day: string): WireData<'plant/energy'>[number] | undefined {
  const { data } = useOperation('plant/energy', {
    plantId,
    each: 'day',
    month: day.slice(0, 7),
  });
  return data?.find((row) => textOfDay(row.day) === day);
}
