import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { addDays } from '../../i18n/plant-time.ts';
import { useOperation } from '../../wire/queries.ts';
import styles from './current-figures.module.css';
import { texts } from './texts/index.ts';

/** A month says something once so many of its days are over. */
const DAYS_AT_LEAST = 5;

interface PerformanceProps {
  readonly plantId: string;
  /** The plant's own day. */
  readonly today: string;
}

/** How what the plant produced in the last month compares with what the sun allowed; nothing where that is not known. */
export function PerformanceSentence({ plantId, today }: PerformanceProps): ReactNode {
  const t = texts.useTexts().performance;
  const formats = useFormats();
  const year = addDays(today, -DAYS_AT_LEAST).slice(0, 4);
  const { data = [] } = useOperation('performance/energy', { plantId, each: 'month', year });
  const month = data.findLast(
    ({ days, sharePercent }) => days >= DAYS_AT_LEAST && sharePercent !== undefined,
  );
  const { sharePercent, uncertaintyPercent, verdict, stationKm = 0, licence } = month ?? {};
  if (!month || sharePercent === undefined || !uncertaintyPercent || !verdict) return null;
  const [share, off] = [sharePercent, uncertaintyPercent].map((each) => formats.percent(each));
  const isLearned = month.method === 'learned';
  const text = String(month.day);
  return (
    <div data-figure="performance" data-verdict={verdict}>
      <p className={styles.sun}>
        {t.share(
          `${share!.value} ${share!.unit}`,
          formats.month(`${text.slice(0, 4)}-${text.slice(4, 6)}`),
        )}{' '}
        <strong>{t.verdicts[verdict]}</strong>
      </p>
      {licence !== undefined && (
        <p>
          {t.service} <bdi>{licence}</bdi>
        </p>
      )}
      <details className={styles.notes}>
        <summary>{t.how}</summary>
        <p>{(isLearned ? t.learned : t.note)(`${off!.value} ${off!.unit}`)}</p>
        {month.performanceRatioPercent !== undefined && (
          <p>{t.ratio(`${formats.number(month.performanceRatioPercent, 0)} %`)}</p>
        )}
        {stationKm > 0 && (
          <p>{(isLearned ? t.observers : t.station)(formats.number(stationKm, 0))}</p>
        )}
      </details>
    </div>
  );
}
