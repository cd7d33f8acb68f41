import { ActionIcon, useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type uPlot from 'uplot';
import { useLanguage } from '../../i18n/active-language.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { localDay, sheetTime } from '../../i18n/plant-time.ts';
import { csvName } from '../csv/csv-name.ts';
import { WarningIcon, WholeIcon, ZoomInIcon, ZoomOutIcon } from '../icons.tsx';
import { texts } from '../texts/index.ts';
import { Canvas } from './canvas.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { figureText } from './figure-text.ts';
import { createPlot, plotData, zoom } from './plot.ts';
import styles from './power-chart.module.css';
import { withGaps, type ChartData, type ChartSeries } from './series.ts';

interface PowerChartProps {
  /** What is shown, for the heading, screen readers and the name of the file. */
  readonly title: string;
  /** The plant or device that the curves are of, for the name of the file. */
  readonly of: string;
  readonly series: readonly ChartSeries[];
  readonly data: ChartData;
  /** First and last instant of the axis. */
  readonly range: readonly [number, number];
  /** The plant's zone, in which all times are written. */
  readonly zone: string;
  /** What the reader can choose, beside the heading. */
  readonly children?: ReactNode;
}

const ZOOM_STEP = 0.5;

const headOf = ({ label, unit, warning }: ChartSeries): string => [unit === '' ? label : `${label} (${unit})`, warning].filter(Boolean).join(', ');

/** To three decimals: what is added up of measured figures has more, which mean nothing. */
const rounded = (value: number | null | undefined): number | null | undefined => value && Number(value.toFixed(3));

/** Curves over time: to be zoomed into, read as a table and taken along as CSV. */
export function PowerChart({ title, of, series, data, range, zone, children }: PowerChartProps): ReactNode {
  const t = texts.useTexts().chart;
  const formats = useFormats();
  const { language } = useLanguage();
  const look = useComputedColorScheme('light');
  const plot = useRef<uPlot>(undefined);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(series.filter(({ shown }) => shown === false).map(({ key }) => key)));
  const [point, setPoint] = useState<number | null>(null);
  const [isZoomed, setZoomed] = useState(false);
  const isEmpty = data.times.length === 0;
  const drawn = useMemo(() => withGaps(data), [data]);
  const [from, to] = range;
  const visible = useMemo(() => series.filter(({ key }) => !hidden.has(key)), [series, hidden]);

  const create = (element: HTMLElement): uPlot =>
    createPlot(element, drawn, {
      series: visible,
      zone,
      range,
      textOf: (value, unit) => figureText(formats, value, unit),
      clockOf: (at) => formats.time(at, zone),
      onPoint: setPoint,
      onZoom: setZoomed,
    });

  // A new reading must not undo the zoom.
  useEffect(() => {
    const made = plot.current;
    if (!made) return;
    const { min = from, max = to } = made.scales['x']!;
    made.setData(plotData(drawn, visible), false);
    made.setScale('x', { min: min ?? from, max: max ?? to });
  }, [drawn, visible, from, to]);

  const toggle = (key: string): void =>
    setHidden((previous) => (previous.has(key) ? new Set([...previous].filter((one) => one !== key)) : new Set([...previous, key])));
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const made = plot.current;
    if (!made) return;
    if (event.key === '+') zoom(made, range, ZOOM_STEP);
    else if (event.key === '-') zoom(made, range, 1 / ZOOM_STEP);
    else if (step !== undefined) {
      const next = Math.min(Math.max((point ?? Math.floor(drawn.times.length / 2)) + step, 0), drawn.times.length - 1);
      made.setCursor({ left: made.valToPos(drawn.times[next]!, 'x'), top: 0 });
      event.preventDefault();
    }
  };

  const clock = (at: number): string => formats.dateTime(at, zone);
  // The table and the file have the curves that are shown, in the same figures.
  const heads = visible.map(headOf);
  const figuresAt = (i: number) => visible.map(({ key }) => rounded(data.values[key]?.[i]));
  const rows = () => data.times.map((at, i) => [clock(at), ...figuresAt(i)]);
  const csv = () => ({
    name: csvName(of, title, localDay(from, zone)),
    rows: [[`${t.time} (${zone})`, `${t.time} (UTC)`, ...heads], ...data.times.map((at, i) => [sheetTime(at, zone), sheetTime(at, 'UTC'), ...figuresAt(i)])],
  });
  return (
    <ChartFrame
      title={title}
      note={t.clock(formats.zone(zone, from))}
      isEmpty={isEmpty}
      head={[t.time, ...heads]}
      rows={rows}
      csv={csv}
      controls={children}
      tools={
        <>
          <ActionIcon variant="subtle" size="lg" aria-label={t.zoomIn} onClick={() => plot.current && zoom(plot.current, range, ZOOM_STEP)}>
            <ZoomInIcon />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={t.zoomOut}
            disabled={!isZoomed}
            onClick={() => plot.current && zoom(plot.current, range, 1 / ZOOM_STEP)}
          >
            <ZoomOutIcon />
          </ActionIcon>
          <ActionIcon variant="subtle" size="lg" aria-label={t.whole} disabled={!isZoomed} onClick={() => plot.current?.setScale('x', { min: from, max: to })}>
            <WholeIcon />
          </ActionIcon>
        </>
      }
    >
      <fieldset className={styles.legend}>
        <legend>{t.series}</legend>
        {series.map(({ key, label, unit, colour, dash, warning }) => (
          <label key={key} className={styles.entry} data-off={hidden.has(key) || undefined}>
            <input type="checkbox" checked={!hidden.has(key)} onChange={() => toggle(key)} />
            {dash ? (
              <svg className={styles.line} viewBox="0 0 24 4" aria-hidden="true">
                <line x1="0" y1="2" x2="24" y2="2" stroke={`var(${colour})`} strokeDasharray={dash.join(' ')} />
              </svg>
            ) : (
              <span className={styles.swatch} style={{ background: `var(${colour})` }} />
            )}
            <span>
              {label}
              {warning !== undefined && (
                <span className={styles.warning}>
                  <WarningIcon size={14} />
                  {warning}
                </span>
              )}
            </span>
            <strong>{point !== null && figureText(formats, drawn.values[key]?.[point], unit)}</strong>
          </label>
        ))}
        {series.length > 1 && <p className={styles.hint}>{t.hint}</p>}
        <output className={styles.when}>{point !== null && drawn.times[point] !== undefined && formats.time(drawn.times[point], zone)}</output>
      </fieldset>
      <Canvas
        key={[...visible.map(({ key, label }) => `${key} ${label}`), look, language, zone, from, to].join()}
        label={t.summary(title, clock(from), clock(to))}
        create={create}
        onPlot={(made) => {
          plot.current = made;
        }}
        onKeyDown={move}
      />
    </ChartFrame>
  );
}
