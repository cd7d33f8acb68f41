import type { ReactNode } from 'react';
import styles from './reading.module.css';

interface PointerReadingProps {
  /** How far to the right the pointer is, 0 to 1. */
  readonly place: number;
  readonly time: string;
  readonly figures: readonly {
    readonly key: string;
    readonly label: string;
    readonly colour: string;
    readonly text: string;
  }[];
}

/** What is read of the curves, beside the pointer. The legend says the same to those who do not see it. */
export const PointerReading = ({ place, time, figures }: PointerReadingProps): ReactNode => (
  <div
    className={styles.pointer}
    aria-hidden="true"
    style={
      place < 0.5
        ? { left: `calc(${place * 100}% + 0.75rem)` }
        : { right: `calc(${(1 - place) * 100}% + 0.75rem)` }
    }
  >
    <strong>{time}</strong>
    {figures.map(({ key, label, colour, text }) => (
      <span key={key}>
        <i style={{ background: `var(${colour})` }} />
        {label} <b>{text}</b>
      </span>
    ))}
  </div>
);
