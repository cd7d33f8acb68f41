import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { axisTexts } from './figure-text.ts';
import { linesOf, scaleBeside, scaleOf } from './scale.ts';
import type { ChartData, ChartSeries } from './series.ts';

export interface PlotSettings {
  readonly series: readonly ChartSeries[];
  readonly zone: string;
  /** First and last instant of the axis. */
  readonly range: readonly [number, number];
  /** A figure in the unit that the highest of its axis is written in. */
  readonly textOf: (value: number, unit: string, highest: number) => string;
  readonly clockOf: (at: number) => string;
  /** Called with the place of the point under the cursor, or null; `share`: how far to the right it is, 0 to 1. */
  readonly onPoint: (index: number | null, share: number) => void;
  /** Called with the part of the axis that is shown. */
  readonly onZoom: (isZoomed: boolean) => void;
}

const HEIGHT_PX = 280;
const NARROW_PX = 500;
/** How far from an end of the axis the middle of a time has to be, so that nothing of it is cut off. */
const HALF_TIME_PX = 26;

const colourOf = (element: Element, name: string): string =>
  getComputedStyle(element).getPropertyValue(name).trim();

/** Data as uPlot takes it. */
export const plotData = (
  { times, values }: ChartData,
  series: readonly ChartSeries[],
): uPlot.AlignedData => [
  times as number[],
  ...series
    .flatMap(({ key, band = [] }) => [key, ...band])
    .map((key) => (values[key] ?? times.map(() => undefined)) as (number | null | undefined)[]),
];

/** Draws curves into an element. The colours are those of the theme at this moment. */
export function createPlot(element: HTMLElement, data: ChartData, settings: PlotSettings): uPlot {
  const { series, zone, range, textOf, clockOf, onPoint, onZoom } = settings;
  const [from, to] = range;
  const units = [...new Set(series.map(({ unit }) => unit))];
  const line = colourOf(element, '--hp-line');
  const soft = colourOf(element, '--hp-soft');
  const font = `12px ${colourOf(element, '--mantine-font-family')}`;
  const common = { stroke: soft, font, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  const width = element.clientWidth;
  const isNarrow = width < NARROW_PX;
  // Lines are those of the first axis; that on the right has its figures beside the same ones.
  let parts = 4;
  const rangeOf =
    (unit: string, i: number) =>
    (_u: uPlot, min: number | null, max: number | null): [number, number] => {
      if (unit === '%' && units.length > 1) return [0, 100];
      const scale = i === 0 ? scaleOf(min, max) : scaleBeside(max, parts);
      if (i === 0) ({ parts } = scale);
      return [scale.min, scale.max];
    };
  const plot = new uPlot(
    {
      width,
      height: isNarrow ? HEIGHT_PX - 40 : HEIGHT_PX,
      ms: 1,
      tzDate: (at) => uPlot.tzDate(new Date(at), zone),
      legend: { show: false },
      cursor: { drag: { x: true, y: false }, points: { size: 7 }, y: false },
      // Half of the last time stands beyond the axis.
      padding: [12, units.length > 1 ? 4 : isNarrow ? 12 : 30, 0, 0],
      scales: {
        x: {
          time: true,
          range: (_u, min, max) => [Math.max(from, min ?? from), Math.min(to, max ?? to)],
        },
        ...Object.fromEntries(
          units.map((unit, i) => [scaleKey(unit), { range: rangeOf(unit, i) }]),
        ),
      },
      axes: [
        {
          ...common,
          grid: { show: false },
          size: 32,
          gap: 9,
          space: 76,
          values: (drawn, splits) =>
            splits.map((at) => (isNarrow && !hasRoom(drawn, at) ? '' : clockOf(at))),
        },
        ...units.slice(0, 2).map((unit, i) => ({
          ...common,
          scale: scaleKey(unit),
          side: i === 0 ? 3 : 1,
          size: isNarrow ? 50 : 62,
          grid: { show: i === 0, stroke: line, width: 1 },
          splits: (_u: uPlot, _axis: number, min: number, max: number) =>
            linesOf({ min, max, parts }),
          values: (_u: uPlot, splits: number[]) =>
            axisTexts(splits, (value, highest) => textOf(value, unit, highest)),
        })),
      ],
      series: [
        {},
        ...series.flatMap(
          ({ key, unit, colour, filled, label, dash, band = [], width: lineWidth = 2 }) => {
            const stroke = colourOf(element, colour);
            const isCompared = key.endsWith(COMPARED);
            return [
              {
                label,
                scale: scaleKey(unit),
                stroke,
                width: lineWidth,
                spanGaps: false,
                points: { show: onlyLonely },
                ...(dash && { dash: [...dash] }),
                ...(filled && !isCompared && { fill: `${stroke}38` }),
              },
              ...band.map(() => ({ scale: scaleKey(unit), width: 0, points: { show: false } })),
            ];
          },
        ),
      ],
      bands: bandsOf(series, (colour) => `${colourOf(element, colour)}38`),
      hooks: {
        setCursor: [
          ({ cursor, over, width: all }) =>
            onPoint(cursor.idx ?? null, (over.offsetLeft + (cursor.left ?? 0)) / all),
        ],
        setScale: [
          ({ scales }, key) => {
            const { min, max } = scales['x']!;
            if (key === 'x' && typeof min === 'number' && typeof max === 'number')
              onZoom(min > from || max < to);
          },
        ],
      },
    },
    plotData(data, series),
    element,
  );
  readByTouch(plot);
  // The whole day, also while it lasts.
  plot.setScale('x', { min: from, max: to });
  return plot;
}

/** A finger or a pen that taps or is drawn across reads the curves there, and what was read stays: uPlot follows mice alone. */
function readByTouch(plot: uPlot): void {
  const read = ({ pointerType, clientX }: PointerEvent): void => {
    if (pointerType === 'mouse') return;
    const { left, width } = plot.over.getBoundingClientRect();
    plot.setCursor({ left: Math.max(0, Math.min(width, clientX - left)), top: 0 });
  };
  plot.over.addEventListener('pointerdown', read);
  plot.over.addEventListener('pointermove', read);
  // Else browsers go on to imitate a mouse, which would zoom in or end the reading.
  plot.over.addEventListener('touchend', (event) => event.cancelable && event.preventDefault());
}

/** Ends the keys of curves that others are compared with: those of another day or another device. */
export const COMPARED = '@compared';

/** Their dashes, px. */
export const COMPARED_DASH: readonly number[] = [6, 4];

/** Whether a time can be written below its place, in a plot that is as wide as its element. */
const hasRoom = ({ scales, width }: uPlot, at: number): boolean => {
  const { min = at, max = at } = scales['x'] as { min?: number; max?: number };
  return Math.min(at - min, max - at) * width >= HALF_TIME_PX * (max - min);
};

/** The areas between the edges of bands, which follow their curves in the data. */
function bandsOf(series: readonly ChartSeries[], fillOf: (colour: string) => string): uPlot.Band[] {
  let place = 1;
  return series.flatMap(({ band, colour }) => {
    const own = place;
    place += band ? 3 : 1;
    return band ? [{ series: [own + 2, own + 1], fill: fillOf(colour) }] : [];
  });
}

const scaleKey = (unit: string): string => `unit ${unit}`;

/** A single reading between two gaps, or of a whole day, would be invisible as a line. */
const onlyLonely = (_u: uPlot, _seriesIdx: number, idx0: number, idx1: number): boolean =>
  idx1 - idx0 < 2;

/** Shows a part of the axis around its middle: `factor` below 1 zooms in. */
export function zoom(plot: uPlot, [from, to]: readonly [number, number], factor: number): void {
  const { min = from, max = to } = plot.scales['x'] as { min?: number; max?: number };
  const middle = (min + max) / 2;
  const half = Math.max(((max - min) / 2) * factor, 10 * 60_000);
  const left = Math.max(from, Math.min(middle - half, to - 2 * half));
  plot.setScale('x', { min: left, max: Math.min(to, left + 2 * half) });
}

/** Shows what is earlier (-1) or later (1) than the part of the axis that is shown: half of it stays. */
export function pan(plot: uPlot, [from, to]: readonly [number, number], direction: -1 | 1): void {
  const { min = from, max = to } = plot.scales['x'] as { min?: number; max?: number };
  const width = max - min;
  const left = Math.max(from, Math.min(to - width, min + (direction * width) / 2));
  plot.setScale('x', { min: left, max: left + width });
}
