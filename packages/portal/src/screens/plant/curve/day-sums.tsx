import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { shownKwh } from '../../../i18n/formats-of.ts';
import { useFormats } from '../../../i18n/formats.ts';
import { localDay, startOfDay } from '../../../i18n/plant-time.ts';
import { figureText } from '../../../parts/charts/figure-text.ts';
import { useOperation } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { texts } from '../texts/index.ts';
import { peakOf } from './peak.ts';
import { productionUntil } from './production-until.ts';
import styles from './day-sums.module.css';

/** A day and its readings. */
export interface SummedDay {
  readonly day: string;
  readonly rows: WireData<'stationDay'>;
}

interface DaySumsProps {
  readonly plantId: string;
  readonly zone: string;
  readonly own: SummedDay;
  /** The day it is compared with: a whole day with a whole one, today with as much of the other day. */
  readonly other: SummedDay | undefined;
}

/** What a day produced and when it produced most; of two days, also how much more or less. */
export function DaySums({ plantId, zone, own, other }: DaySumsProps): ReactNode {
  const t = texts.useTexts().curve;
  const formats = useFormats();
  const ownKwh = useDayKwh(plantId, own.day);
  const otherDayKwh = useDayKwh(plantId, other?.day ?? own.day);
  const lastAt = own.rows.at(-1)?.time;
  const isToday = own.day === localDay(serverNow(), zone);
  // The same time of the other day, as its curve is laid over this one.
  const until = other && isToday && lastAt !== undefined ? lastAt - startOfDay(own.day, zone) + startOfDay(other.day, zone) : undefined;
  const share = other && until !== undefined ? (productionUntil(other.rows, until) ?? 0) : 1;
  const hasReadings = other !== undefined && other.rows.length > 0;
  // Which part of it belongs to the same time is known from readings alone.
  const otherKwh = otherDayKwh === undefined || (until !== undefined && !hasReadings) ? undefined : otherDayKwh * share;
  const textOf = ({ day, rows }: SummedDay, kwh: number, end?: number): string => {
    const peak = peakOf(end === undefined ? rows : rows.filter(({ time }) => time! <= end));
    const energy = figureText(formats, kwh, 'kWh');
    const name = end === undefined ? formats.day(day) : t.until(formats.day(day), formats.time(end, zone));
    return `${name}: ${peak ? t.energyAndPeak(energy, figureText(formats, peak.watts, 'W'), formats.time(peak.at, zone)) : energy}`;
  };
  if (ownKwh === undefined && (!other || hasReadings)) return null;
  // Of the figures as they are shown, so that it is right for whoever calculates with them.
  const more = other && ownKwh !== undefined && otherKwh !== undefined ? shownKwh(ownKwh) - shownKwh(otherKwh) : undefined;
  return (
    <ul className={styles.sums} aria-label={t.sums}>
      {ownKwh !== undefined && <li>{textOf(own, ownKwh)}</li>}
      {other && otherKwh !== undefined && <li>{textOf(other, otherKwh, until)}</li>}
      {other && !hasReadings && <li>{t.noReadings(formats.day(other.day))}</li>}
      {more !== undefined && <li>{(more < 0 ? t.less : t.more)(figureText(formats, Math.abs(more), 'kWh'))}</li>}
    </ul>
  );
}

/** What a plant produced on a day, in kWh; undefined if that is not known. */
function useDayKwh(plantId: string, day: string): number | undefined {
  const { data } = useOperation('stationMonth', { id: plantId, month: day.slice(0, 7) });
  return data?.find(({ dateStr }) => dateStr === day)?.energy;
}
