import type { ReactNode } from 'react';
import type { PowerCurve } from './curve.ts';
import styles from './spark.module.css';

const HEIGHT = 40;
/** What a plant of this size can do at least fills the chart to this share: a dull day should look like one. */
const LEAST_SHARE = 0.25;

interface SparkProps {
  readonly curve: PowerCurve;
  readonly capacityKwp?: number | undefined;
  /** What it shows, for screen readers. */
  readonly label: string;
  readonly className?: string | undefined;
}

/** A day’s power without axes: its shape tells the weather, and a gap what was not measured. */
export function Spark({
  curve: { powerW },
  capacityKwp = 0,
  label,
  className,
}: SparkProps): ReactNode {
  const top = Math.max(1, capacityKwp * 1000 * LEAST_SHARE, ...powerW.map((power) => power ?? 0));
  const y = (power: number): string =>
    (HEIGHT - 1 - (Math.max(0, power) / top) * (HEIGHT - 3)).toFixed(1);
  const runs = runsOf(powerW);
  return (
    <svg
      viewBox={`0 0 ${powerW.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className={`${styles.spark} ${className ?? ''}`}
    >
      {runs.map(({ from, powers }) => {
        const line = powers.map((power, i) => `${from + i + 0.5} ${y(power)}`).join('L');
        return (
          <g key={from}>
            <path
              className={styles.area}
              d={`M${from + 0.5} ${HEIGHT}L${line}L${from + powers.length - 0.5} ${HEIGHT}Z`}
            />
            <path className={styles.line} d={`M${line}${powers.length === 1 ? 'h0.01' : ''}`} />
          </g>
        );
      })}
    </svg>
  );
}

/** What was measured without a gap. */
function runsOf(
  powerW: readonly (number | null)[],
): { readonly from: number; readonly powers: readonly number[] }[] {
  const runs: { from: number; powers: number[] }[] = [];
  for (const [i, power] of powerW.entries()) {
    if (power === null) continue;
    if (i > 0 && powerW[i - 1] !== null) runs.at(-1)!.powers.push(power);
    else runs.push({ from: i, powers: [power] });
  }
  return runs;
}
