import type { ReactNode } from 'react';
import { useFormats } from '../i18n/formats.ts';
import { texts } from './texts/index.ts';
import styles from './year-before.module.css';

/** By how much an energy differs from another, in whole per cent; undefined if there is nothing to compare with. */
export function changePercent(
  kwh: number | undefined,
  beforeKwh: number | undefined,
): number | undefined {
  if (kwh === undefined || beforeKwh === undefined || beforeKwh <= 0) return undefined;
  return Math.round((kwh / beforeKwh - 1) * 100);
}

interface YearBeforeProps {
  readonly kwh: number | undefined;
  readonly beforeKwh: number | undefined;
}

/** A period against the same days of the year before, in words. */
export function AgainstYearBefore({ kwh, beforeKwh }: YearBeforeProps): ReactNode {
  const t = texts.useTexts().yearBefore;
  const formats = useFormats();
  const change = changePercent(kwh, beforeKwh);
  if (change === undefined) return null;
  const percent = formats.percent(Math.abs(change));
  const words = `${percent.value} ${percent.unit}`;
  const before = formats.energy(beforeKwh);
  return (
    <span
      className={styles.words}
      data-figure="year-before"
      title={t.before(`${before.value} ${before.unit}`)}
    >
      {change > 0 ? t.more(words) : change < 0 ? t.less(words) : t.same}
    </span>
  );
}
