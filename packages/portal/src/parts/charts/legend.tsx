import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { WarningIcon } from '../icons.tsx';
import { texts } from '../texts/index.ts';
import styles from './legend.module.css';
import type { ChartSeries } from './series.ts';

interface LegendProps {
  readonly series: readonly ChartSeries[];
  /** Keys of the curves that are shown. */
  readonly shown: ReadonlySet<string>;
  /** The time that is read. */
  readonly time: string;
  /** What is read of a curve at that time. */
  readonly textOf: (one: ChartSeries) => string;
  readonly onChoose: (key: string, isShown: boolean) => void;
}

/** The curves of a chart, each to be shown or hidden, with what is read of it. */
export function Legend({ series, shown, time, textOf, onChoose }: LegendProps): ReactNode {
  const t = texts.useTexts().chart;
  return (
    <fieldset className={styles.legend}>
      <VisuallyHidden component="legend">{t.series}</VisuallyHidden>
      {series.map((one) => (
        <label key={one.key} className={styles.entry} data-off={!shown.has(one.key) || undefined}>
          <input
            type="checkbox"
            checked={shown.has(one.key)}
            onChange={({ currentTarget }) => onChoose(one.key, currentTarget.checked)}
          />
          {one.dash ? (
            <svg className={styles.line} viewBox="0 0 24 4" aria-hidden="true">
              <line
                x1="0"
                y1="2"
                x2="24"
                y2="2"
                stroke={`var(${one.colour})`}
                strokeDasharray={one.dash.join(' ')}
              />
            </svg>
          ) : (
            <span
              className={styles.swatch}
              style={{ borderColor: `var(${one.colour})`, backgroundColor: `var(${one.colour})` }}
            />
          )}
          <span>
            {one.label}
            {one.warning !== undefined && (
              <span className={styles.warning}>
                <WarningIcon size={14} />
                {one.warning}
              </span>
            )}
          </span>
          <strong>{textOf(one)}</strong>
        </label>
      ))}
      <output className={styles.when}>{time}</output>
    </fieldset>
  );
}
