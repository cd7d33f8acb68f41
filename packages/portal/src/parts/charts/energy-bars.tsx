import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { csvName } from '../csv/csv-name.ts';
import { texts } from '../texts/index.ts';
import { ChartFrame } from './chart-frame.tsx';
import styles from './energy-bars.module.css';
import { figureText } from './figure-text.ts';

/** A kind of energy, in kWh; every period has a bar for it. */
export interface BarSeries {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
}

/** Something of a period that is read beside its bars, such as what it earned. */
export interface BarFact {
  readonly label: string;
  readonly text: string;
  /** What the text says, for machines: an amount and its unit, such as a currency. */
  readonly amount: number;
  readonly unit: string;
}

export interface Bar {
  /** `2026-11-06`, `2026-11` or `2026`. */
  readonly key: string;
  /** The full name of the period, and the one that fits below a bar. */
  readonly label: string;
  readonly short: string;
  readonly kwh: Readonly<Record<string, number | undefined>>;
  readonly facts?: readonly BarFact[];
}

interface EnergyBarsProps {
  readonly title: string;
  /** What the file is named after: the plant, what is shown, and when. */
  readonly file: readonly string[];
  readonly note?: string;
  /** The name of the first column of the table: day, month or year. */
  readonly period: string;
  readonly series: readonly BarSeries[];
  readonly bars: readonly Bar[];
  /** All of them together. */
  readonly total: Pick<Bar, 'label' | 'kwh' | 'facts'>;
  /** Called when a bar is chosen, to look closer. */
  readonly onOpen?: (key: string) => void;
  readonly children?: ReactNode;
}

/** 1, 2 or 5 times a power of ten: the step between the lines, of which there are at most four. */
function stepFor(highest: number): number {
  const rough = Math.max(highest, 1e-3) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power;
}

/** Energies of periods as bars side by side. Their total stands above the chart, and one of them in full: the one pointed at, else the last. */
export function EnergyBars({ title, file, note, period, series, bars, total, onOpen, children }: EnergyBarsProps): ReactNode {
  const formats = useFormats();
  const t = texts.useTexts().chart;
  const [pointed, setPointed] = useState<number>();
  const known = bars.filter(({ kwh }) => series.some(({ key }) => kwh[key] !== undefined));
  const highest = Math.max(0, ...bars.flatMap(({ kwh }) => series.map(({ key }) => kwh[key] ?? 0)));
  const step = stepFor(highest);
  const top = Math.max(step, Math.ceil(highest / step) * step);
  const lines = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step);
  const lastKnown = bars.findLastIndex(({ kwh }) => series.some(({ key }) => kwh[key] !== undefined));
  const current = Math.min(pointed ?? lastKnown, bars.length - 1);
  const read = bars[current];
  const facts = new Map(bars.flatMap((bar) => (bar.facts ?? []).map((fact) => [fact.label, fact] as const)));
  const factLabels = [...facts.keys()];
  const energyHead = series.map(({ label }) => `${label} (kWh)`);
  const factOf = (bar: EnergyBarsProps['total'], name: string): BarFact | undefined => bar.facts?.find(({ label }) => label === name);
  const cells = (bar: EnergyBarsProps['total']) => [bar.label, ...series.map(({ key }) => bar.kwh[key]), ...factLabels.map((name) => factOf(bar, name)?.text)];

  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const next = current + ({ ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0);
    if (next === current || !bars[next]) return;
    event.preventDefault();
    setPointed(next);
    event.currentTarget.querySelectorAll<HTMLElement>('button')[next]?.focus();
  };

  // On a phone, bars are narrower than a finger: it may be drawn across them.
  const draw = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.max(0, Math.min(bars.length - 1, Math.floor(((clientX - left) / width) * bars.length))));
  };

  return (
    <ChartFrame
      title={title}
      {...(note !== undefined && { note })}
      isEmpty={known.length === 0}
      head={[period, ...energyHead, ...factLabels]}
      rows={() => known.map(cells)}
      sum={cells(total)}
      csv={() => ({
        name: csvName(...file),
        rows: [
          [period, ...energyHead, ...facts.values().map(({ label, unit }) => `${label} (${unit})`)],
          ...known.map((bar) => [bar.key, ...series.map(({ key }) => bar.kwh[key]), ...factLabels.map((name) => factOf(bar, name)?.amount)]),
        ],
      })}
      controls={children}
    >
      <p className={styles.reading} data-figure="total">
        <Reading of={total} series={series} />
      </p>
      <output className={styles.reading}>{read && <Reading of={read} series={series} />}</output>
      <div className={styles.chart}>
        <div className={styles.lines} aria-hidden="true">
          {lines.map((value) => (
            <span key={value} style={{ bottom: `${(value / top) * 100}%` }}>
              {figureText(formats, value, 'kWh')}
            </span>
          ))}
        </div>
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus, jsx-a11y/no-noninteractive-element-interactions -- the buttons in it have the focus */}
        <div
          className={styles.bars}
          role="group"
          aria-label={t.summary(title, bars[0]?.label ?? '', bars.at(-1)?.label ?? '')}
          onKeyDown={move}
          onPointerMove={draw}
          onMouseLeave={() => setPointed(undefined)}
        >
          {bars.map(({ key, label, short, kwh }, i) => (
            <button
              key={key}
              type="button"
              className={styles.bar}
              data-read={i === current || undefined}
              tabIndex={i === current ? 0 : -1}
              aria-label={`${label}: ${series.map((one) => `${one.label} ${figureText(formats, kwh[one.key], 'kWh')}`).join(', ')}`}
              onMouseEnter={() => setPointed(i)}
              onFocus={() => setPointed(i)}
              onClick={() => onOpen?.(key)}
            >
              <span className={styles.columns}>
                {series.map((one) => (
                  <span
                    key={one.key}
                    data-known={kwh[one.key] !== undefined || undefined}
                    style={{ height: `${((kwh[one.key] ?? 0) / top) * 100}%`, background: `var(${one.colour})` }}
                  />
                ))}
              </span>
              <span className={styles.short}>{short}</span>
            </button>
          ))}
        </div>
      </div>
    </ChartFrame>
  );
}

/** The energies and facts of a period, or of all of them, in a line. */
function Reading({ of: { label: name, kwh, facts }, series }: { readonly of: EnergyBarsProps['total']; readonly series: readonly BarSeries[] }): ReactNode {
  const formats = useFormats();
  return (
    <>
      <strong>{name}</strong>
      {series.map(({ key, label, colour }) => (
        <span key={key}>
          <i style={{ background: `var(${colour})` }} />
          {label} <b>{figureText(formats, kwh[key], 'kWh')}</b>
        </span>
      ))}
      {facts?.map((fact) => (
        <span key={fact.label}>
          {fact.label} <b>{fact.text}</b>
        </span>
      ))}
    </>
  );
}
