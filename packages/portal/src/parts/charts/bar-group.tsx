import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { partsOf, type ChartBar, type BarSeries } from './bars.ts';
import styles from './bar-group.module.css';
import { figureText } from './figure-text.ts';

interface BarGroupProps {
  readonly label: string;
  readonly series: readonly BarSeries[];
  readonly bars: readonly ChartBar[];
  /** Whether the energies of a period are parts of one whole, and stand upon each other. */
  readonly isStacked?: boolean;
  /** The place of the bar that is read. */
  readonly current: number;
  readonly onRead: (bar: ChartBar) => void;
  /** Called when a bar is chosen, to look closer; with a finger, that may be to read it. */
  readonly onOpen: (key: string, byTouch: boolean) => void;
}

/** 1, 2 or 5 times a power of ten: the step between the lines, of which there are at most four. */
function stepFor(highest: number): number {
  const rough = Math.max(highest, 1e-3) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power;
}

/** Bars side by side above their names, with lines behind them; arrow keys go from one to the next. */
export function BarGroup({
  label,
  series,
  bars,
  isStacked = false,
  current,
  onRead,
  onOpen,
}: BarGroupProps): ReactNode {
  const formats = useFormats();
  const heights = bars.map(({ kwh, before }) =>
    series.map(({ key }) => Math.max(kwh[key] ?? 0, before?.[key] ?? 0)),
  );
  const highest = Math.max(
    0,
    ...(isStacked
      ? heights.map((parts) => parts.reduce((sum, part) => sum + part, 0))
      : heights.flat()),
  );
  const step = stepFor(highest);
  const top = Math.max(step, Math.ceil(highest / step) * step);
  const lines = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step);

  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const next = current + ({ ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0);
    if (next === current || !bars[next]) return;
    event.preventDefault();
    onRead(bars[next]);
    event.currentTarget.querySelectorAll<HTMLElement>('button')[next]?.focus();
  };

  // On a phone, bars are narrower than a finger: it may be drawn across them.
  const draw = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const read =
      bars[
        Math.max(0, Math.min(bars.length - 1, Math.floor(((clientX - left) / width) * bars.length)))
      ];
    if (read) onRead(read);
  };

  return (
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
        aria-label={label}
        onKeyDown={move}
        onPointerMove={draw}
      >
        {bars.map((bar, i) => (
          <button
            key={bar.key}
            type="button"
            className={styles.bar}
            data-read={i === current || undefined}
            tabIndex={i === current ? 0 : -1}
            aria-label={`${nameOf(bar)}: ${(isStacked ? partsOf(bar, series) : series).map((one) => `${one.label} ${figureText(formats, bar.kwh[one.key], 'kWh')}`).join(', ')}`}
            onMouseEnter={() => onRead(bar)}
            onFocus={() => onRead(bar)}
            onClick={({ nativeEvent }) =>
              onOpen(bar.key, 'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch')
            }
          >
            <span className={styles.columns} data-stacked={isStacked || undefined}>
              {series.map(({ key, colour }) => [
                bar.before && (
                  <span
                    key={`${key} before`}
                    className={styles.before}
                    data-some={(bar.before[key] ?? 0) > 0 || undefined}
                    style={{
                      height: `${((bar.before[key] ?? 0) / top) * 100}%`,
                      background: `var(${colour})`,
                    }}
                  />
                ),
                <span
                  key={key}
                  data-some={(bar.kwh[key] ?? 0) > 0 || undefined}
                  style={{
                    height: `${(Math.max(0, bar.kwh[key] ?? 0) / top) * 100}%`,
                    background: `var(${colour})`,
                  }}
                />,
              ])}
            </span>
            <span className={styles.short}>{bar.short}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

/** A bar by its name, in which the words below it are found again (WCAG 2.2, 2.5.3). */
const nameOf = ({ label, short }: ChartBar): string =>
  label.split(/[\s,·]+/).includes(short) ? label : `${short}, ${label}`;
