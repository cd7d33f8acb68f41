import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import styles from './signal-bars.module.css';
import { texts } from './texts/index.ts';

/** From how many dBm on a radio signal has so many bars. */
const BARS_DBM = [-90, -80, -70, -60];

/** A radio signal as 0 to 4 bars, with its strength. */
export function SignalBars({ dbm }: { readonly dbm: number }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const bars = BARS_DBM.filter((least) => dbm >= least).length;
  return (
    <span className={styles.signal}>
      <svg viewBox="0 0 20 16" width={20} height={16} role="img" aria-label={t.signalBars(bars)}>
        {[0, 1, 2, 3].map((i) => (
          <rect
            key={i}
            x={i * 5}
            y={12 - i * 4}
            width={4}
            height={4 + i * 4}
            rx={1}
            className={i < bars ? styles.on : styles.off}
          />
        ))}
      </svg>
      {formats.number(dbm, 0)} dBm
    </span>
  );
}
