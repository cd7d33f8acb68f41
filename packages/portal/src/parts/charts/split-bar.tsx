import type { ReactNode } from 'react';
import { shownKwh } from '../../i18n/formats-of.ts';
import { useFormats } from '../../i18n/formats.ts';
import type { BarSplit } from './bars.ts';
import { figureText } from './figure-text.ts';
import styles from './split-bar.module.css';

/** How an energy divides in two, as a slim bar and in words. */
export function SplitBar({
  of: { label, wholeKwh, gridKwh, ownPercent, own, grid },
}: {
  readonly of: BarSplit;
}): ReactNode {
  const formats = useFormats();
  const percent = (value: number): string => `${formats.number(value, 0)} %`;
  // Of the figures as they are shown, so that they add up for a reader who calculates with them.
  const ownKwh = Math.max(0, shownKwh(wholeKwh) - shownKwh(gridKwh));
  const parts = [
    { name: own[0], colour: own[1], kwh: ownKwh, share: ownPercent },
    { name: grid[0], colour: grid[1], kwh: gridKwh, share: 100 - ownPercent },
  ];
  return (
    <div className={styles.split} data-split>
      <p>
        {label} <strong>{percent(ownPercent)}</strong>
      </p>
      <div className={styles.bar} aria-hidden="true">
        {parts.map(
          ({ name, colour, share }) =>
            share > 0 && (
              <span key={name} style={{ width: `${share}%`, background: `var(${colour})` }} />
            ),
        )}
      </div>
      <p className={styles.parts}>
        {parts.map(({ name, kwh, share }) => (
          <span key={name}>
            {name} <b>{figureText(formats, kwh, 'kWh')}</b> ({percent(share)})
          </span>
        ))}
      </p>
    </div>
  );
}
