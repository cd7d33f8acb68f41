import { ActionIcon, useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type uPlot from 'uplot';
import { useLanguage } from '../../i18n/active-language.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { localDay, sheetTime } from '../../i18n/plant-time.ts';
import { csvName } from '../csv/csv-name.ts';
import { LeftIcon, RightIcon, WholeIcon, ZoomInIcon, ZoomOutIcon, type Icon } from '../icons.tsx';
import { texts } from '../texts/index.ts';
import { Canvas } from './canvas.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { axisText, figureText } from './figure-text.ts';
import { PointerReading } from './pointer-reading.tsx';
import { Legend } from './legend.tsx';
import { createPlot, pan, plotData, zoom } from './plot.ts';
import { latestOf, withGaps, type ChartData, type ChartSeries } from './series.ts';

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
  /** What else is to be known of the curves. */
  readonly note?: string;
  /** What the reader can choose, beside the heading. */
  readonly children?: ReactNode;
}

const ZOOM_STEP = 0.5;

const headOf = ({ label, name = label, unit, warning }: ChartSeries): string =>
  [unit === '' ? name : `${name} (${unit})`, warning].filter(Boolean).join(', ');

/** To three decimals: what is added up of measured figures has more, which mean nothing. */
const rounded = (value: number | null | undefined): number | null | undefined =>
  value && Number(value.toFixed(3));

/** Curves over time: to be zoomed into, read as a table and taken along as CSV. */
export function PowerChart({
  title,
  of,
  series,
  data,
  range,
  zone,
  note,
  children,
}: PowerChartProps): ReactNode {
  const t = texts.useTexts().chart;
  const formats = useFormats();
  const { language } = useLanguage();
  const look = useComputedColorScheme('light');
  const plot = useRef<uPlot>(undefined);
  // What the reader chose stays, whatever curves come and go.
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [point, setPoint] = useState<number | null>(null);
  const [isZoomed, setZoomed] = useState(false);
  const [place, setPlace] = useState(0);
  const isEmpty = data.times.length === 0;
  const drawn = useMemo(() => withGaps(data), [data]);
  const [from, to] = range;
  const visible = useMemo(
    () => series.filter(({ key, shown = true }) => chosen.get(key) ?? shown),
    [series, chosen],
  );

  const create = (element: HTMLElement): uPlot =>
    createPlot(element, drawn, {
      series: visible,
      zone,
      range,
      textOf: (value, unit, highest) => axisText(formats, value, unit, highest),
      clockOf: (at) => formats.time(at, zone),
      onPoint: (next, share) => {
        setPoint(next);
        setPlace(share);
      },
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

  const move = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const made = plot.current;
    if (!made) return;
    if (event.key === '+') zoom(made, range, ZOOM_STEP);
    else if (event.key === '-') zoom(made, range, 1 / ZOOM_STEP);
    else if (step !== undefined) {
      const next = Math.min(
        Math.max((point ?? Math.floor(drawn.times.length / 2)) + step, 0),
        drawn.times.length - 1,
      );
      made.setCursor({ left: made.valToPos(drawn.times[next]!, 'x'), top: 0 });
      event.preventDefault();
    }
  };

  const clock = (at: number): string => formats.dateTime(at, zone);
  const figuresAt = (ones: readonly ChartSeries[], i: number) =>
    ones.map(({ key }) => rounded(data.values[key]?.[i]));
  // A file is for later, when something else may be wanted: it has all curves.
  const csv = () => ({
    name: csvName(of, title, localDay(from, zone)),
    rows: [
      [`${t.time} (${zone})`, `${t.time} (UTC)`, ...series.map(headOf)],
      ...data.times.map((at, i) => [
        sheetTime(at, zone),
        sheetTime(at, 'UTC'),
        ...figuresAt(series, i),
      ]),
    ],
  });
  // What is read: the point under the cursor, else the latest of the first curve, beside which another day may go on longer.
  const read = point ?? latestOf(drawn, visible[0]);
  const readAt = drawn.times[read];
  const act = (change: (made: uPlot) => void) => () => plot.current && change(plot.current);
  return (
    <ChartFrame
      title={title}
      caption={formats.day(localDay(from, zone))}
      note={[t.clock(formats.zone(zone, from)), note].filter(Boolean).join(' · ')}
      isEmpty={isEmpty}
      head={[t.time, ...visible.map(headOf)]}
      rows={() => data.times.map((at, i) => [formats.time(at, zone), ...figuresAt(visible, i)])}
      csv={csv}
      controls={children}
      legend={
        <Legend
          series={series}
          shown={new Set(visible.map(({ key }) => key))}
          time={readAt === undefined ? '' : formats.time(readAt, zone)}
          textOf={({ key, unit }) => figureText(formats, drawn.values[key]?.[read], unit)}
          onChoose={(key, isShown) => setChosen(new Map(chosen).set(key, isShown))}
        />
      }
      tools={
        <>
          {isZoomed && (
            <>
              <Tool name={t.earlier} icon={LeftIcon} onUse={act((made) => pan(made, range, -1))} />
              <Tool name={t.later} icon={RightIcon} onUse={act((made) => pan(made, range, 1))} />
            </>
          )}
          <Tool
            name={t.zoomIn}
            icon={ZoomInIcon}
            onUse={act((made) => zoom(made, range, ZOOM_STEP))}
          />
          <Tool
            name={t.zoomOut}
            icon={ZoomOutIcon}
            disabled={!isZoomed}
            onUse={act((made) => zoom(made, range, 1 / ZOOM_STEP))}
          />
          <Tool
            name={t.whole}
            icon={WholeIcon}
            disabled={!isZoomed}
            onUse={act((made) => made.setScale('x', { min: from, max: to }))}
          />
        </>
      }
    >
      <div style={{ position: 'relative' }}>
        <Canvas
          key={[
            ...visible.map(({ key, label }) => `${key} ${label}`),
            look,
            language,
            zone,
            from,
            to,
          ].join()}
          label={t.summary(title, clock(from), clock(to))}
          create={create}
          onPlot={(made) => {
            plot.current = made;
          }}
          onKeyDown={move}
        />
        {point !== null && readAt !== undefined && (
          <PointerReading
            place={place}
            time={formats.time(readAt, zone)}
            figures={visible.map(({ key, label, colour, unit }) => ({
              key,
              label,
              colour,
              text: figureText(formats, drawn.values[key]?.[read], unit),
            }))}
          />
        )}
      </div>
    </ChartFrame>
  );
}

interface ToolProps {
  readonly name: string;
  readonly icon: Icon;
  readonly disabled?: boolean;
  readonly onUse: () => void;
}

function Tool({ name, icon: ToolIcon, disabled = false, onUse }: ToolProps): ReactNode {
  return (
    <ActionIcon variant="subtle" size="lg" aria-label={name} disabled={disabled} onClick={onUse}>
      <ToolIcon />
    </ActionIcon>
  );
}
