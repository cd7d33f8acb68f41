import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import type { BarSeries, Named } from './bars.ts';
import { figureText } from './figure-text.ts';
import styles from './reading.module.css';
import { SplitBar } from './split-bar.tsx';

interface ReadingProps {
  readonly of: Named;
  readonly series: readonly BarSeries[];
}

/** The energies and facts of a period, or of all of them, and how they divide. */
export function ChartReading({
  of: { label: name, kwh, facts, splits },
  series,
}: ReadingProps): ReactNode {
  const formats = useFormats();
  return (
    <>
      <p className={styles.figures}>
        <strong>{name}</strong>
        {series.map(({ key, label, colour }) => (
          <span key={key}>
            <i style={{ background: `var(${colour})` }} />
            {label} <b>{figureText(formats, kwh[key], 'kWh')}</b>
          </span>
        ))}
        {facts.map((fact) => (
          <span key={fact.label}>
            {fact.label} <b>{fact.text}</b>
          </span>
        ))}
      </p>
      {splits.map((split) => (
        <SplitBar key={split.label} of={split} />
      ))}
    </>
  );
}
