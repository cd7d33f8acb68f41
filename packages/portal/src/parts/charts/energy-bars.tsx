import { useState, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { csvName } from '../csv/csv-name.ts';
import { texts } from '../texts/index.ts';
import { BarGroup } from './bar-group.tsx';
import { partsOf, type ChartBar, type BarFact, type BarSeries, type Named } from './bars.ts';
import { ChartFrame } from './chart-frame.tsx';
import styles from './energy-bars.module.css';
import { figureText } from './figure-text.ts';
import { ChartReading } from './reading.tsx';

interface EnergyBarsProps {
  readonly title: string;
  /** What the file is named after: the plant, what is shown, and when. */
  readonly file: readonly string[];
  readonly note?: string;
  /** The name of the first column of the table: day, month or year. */
  readonly period: string;
  readonly series: readonly BarSeries[];
  readonly bars: readonly ChartBar[];
  /** Whether the series are parts of one whole, and stand upon each other. */
  readonly isStacked?: boolean;
  /** All of them together. */
  readonly total: Named;
  /** What they are compared with by its name, and the comparison in words. */
  readonly compared?: { readonly label: string; readonly words: readonly string[] } | undefined;
  /** Called when a bar is chosen, to look closer; with a finger, that may be to read it. */
  readonly onOpen: (key: string, byTouch: boolean) => void;
  /** What can be done with the bar that is read. */
  readonly more: (key: string) => ReactNode;
  readonly children?: ReactNode;
}

/** Energies of periods as bars side by side. Their total is read beside them, and one of them: the one pointed at last, else the latest. */
export function EnergyBars({
  title,
  file,
  note,
  period,
  series,
  bars,
  isStacked = false,
  total,
  compared,
  onOpen,
  more,
  children,
}: EnergyBarsProps): ReactNode {
  const t = texts.useTexts().chart;
  const formats = useFormats();
  const [pointed, setPointed] = useState<string>();
  const isKnown = ({ kwh }: ChartBar): boolean => series.some(({ key }) => kwh[key] !== undefined);
  const known = bars.filter(isKnown);
  const place = bars.findIndex(({ key }) => key === pointed);
  const current = place >= 0 ? place : bars.findLastIndex(isKnown);
  const read = bars[current];
  const facts = new Map(
    bars.flatMap((bar) => bar.facts.map((fact) => [fact.label, fact] as const)),
  );
  const splits = new Set(bars.flatMap((bar) => bar.splits.map(({ label }) => label)));
  const percents = Array.from(splits, (label) => `${label} (%)`);
  const energies = [
    ...series.map(({ label }) => `${label} (kWh)`),
    ...(compared ? series.map(({ label }) => `${label}, ${compared.label} (kWh)`) : []),
  ];
  const columns = (
    of: Named & Pick<ChartBar, 'before'>,
    written: (fact: BarFact | undefined) => string | number | undefined,
  ) => [
    ...series.map(({ key }) => of.kwh[key]),
    ...(compared ? series.map(({ key }) => of.before?.[key]) : []),
    ...facts.keys().map((name) => written(of.facts.find(({ label }) => label === name))),
    ...splits.values().map((name) => of.splits.find(({ label }) => label === name)?.ownPercent),
  ];
  const cells = (of: Named & Pick<ChartBar, 'before'>) => [
    of.label,
    ...columns(of, (fact) => fact?.text),
  ];
  return (
    <ChartFrame
      title={title}
      {...(note !== undefined && { note })}
      isEmpty={known.length === 0}
      head={[period, ...energies, ...facts.keys(), ...percents]}
      rows={() => known.map(cells)}
      sum={cells(total)}
      csv={() => ({
        name: csvName(...file),
        rows: [
          [
            period,
            ...energies,
            ...facts.values().map(({ label, unit }) => `${label} (${unit})`),
            ...percents,
          ],
          ...known.map((bar) => [bar.key, ...columns(bar, (fact) => fact?.amount)]),
        ],
      })}
      controls={children}
    >
      <div className={styles.parts}>
        <div className={styles.total} data-figure="total">
          <ChartReading of={total} series={series} />
          {compared?.words.map((text) => (
            <p key={text} className={styles.words}>
              {text}
            </p>
          ))}
        </div>
        <div className={styles.bars}>
          <BarGroup
            label={t.summary(title, bars[0]?.label ?? '', bars.at(-1)?.label ?? '')}
            series={series}
            bars={bars}
            isStacked={isStacked}
            current={current}
            onRead={({ key }) => setPointed(key)}
            onOpen={onOpen}
          />
        </div>
        {read && (
          <div className={styles.read} data-figure="read" data-pointed={place >= 0 || undefined}>
            <output>
              <ChartReading of={read} series={isStacked ? partsOf(read, series) : series} />
              {compared && read.before && (
                <p className={styles.words}>
                  {compared.label}:{' '}
                  {series
                    .map(
                      ({ key, label }) =>
                        `${label} ${figureText(formats, read.before?.[key], 'kWh')}`,
                    )
                    .join(', ')}
                </p>
              )}
            </output>
            {more(read.key)}
          </div>
        )}
      </div>
    </ChartFrame>
  );
}
