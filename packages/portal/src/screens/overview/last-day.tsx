import { HOUR_MS } from '@helioport/contract/durations';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { HERE } from './here.ts';
import styles from './last-day.module.css';
import { Spark } from './spark.tsx';
import { texts } from './texts/index.ts';
import { curvePeakOf, type PowerCurve } from './curve.ts';

/** Hours between the times that are written beneath. */
const TICK_HOURS = 6;

/** What all plants did together in the last 24 hours. */
export function LastDay({ curve }: { readonly curve: PowerCurve }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { powerW, at } = curvePeakOf(curve);
  const { value, unit } = formats.power(powerW);
  const peak = t.highest(`${value} ${unit}`, formats.time(at, HERE));
  const ticks = ticksOf(curve.startAt);
  return (
    <figure className={styles.day}>
      <figcaption>
        {t.lastDay} <span>{peak}</span> <span>{formats.zone(HERE, at)}</span>
      </figcaption>
      <Spark curve={curve} label={`${t.lastDay}: ${peak}`} className={styles.curve} />
      <div className={styles.ticks} aria-hidden="true">
        {ticks.map((tick) => (
          <span
            key={tick}
            style={{ insetInlineStart: `${((tick - curve.startAt) / (24 * HOUR_MS)) * 100}%` }}
          >
            {formats.time(tick, HERE)}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** Round hours of the reader's day within the 24 hours, where there is room for a label. */
function ticksOf(startAt: number): number[] {
  const hours = Array.from(
    { length: 24 },
    (_, i) => Math.ceil(startAt / HOUR_MS) * HOUR_MS + i * HOUR_MS,
  );
  const room = 1.5 * HOUR_MS;
  return hours.filter(
    (at) =>
      new Date(at).getHours() % TICK_HOURS === 0 &&
      at - startAt > room &&
      startAt + 24 * HOUR_MS - at > room,
  );
}
