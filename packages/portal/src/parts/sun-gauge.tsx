import type { ReactNode } from 'react';
import styles from './sun-gauge.module.css';

const RAYS = 12;

/** The sun mark as a gauge: the more of the rated power is produced, the more of its rays are lit. `share`: 0 to 1. A decoration beside the figure. */
export function SunGauge({ share }: { readonly share: number }): ReactNode {
  const lit = Math.min(RAYS, share > 0.005 ? Math.max(1, Math.round(share * RAYS)) : 0);
  return (
    <svg
      viewBox="-12 -12 24 24"
      className={styles.gauge}
      data-gauge
      data-lit={lit > 0 || undefined}
      aria-hidden="true"
      focusable="false"
    >
      <circle r="4.6" className={styles.disc} />
      {Array.from({ length: RAYS }, (_, i) => (
        <path
          key={i}
          d="M0-7v-3"
          transform={`rotate(${(i * 360) / RAYS})`}
          className={styles.ray}
          data-lit={i < lit || undefined}
        />
      ))}
    </svg>
  );
}
