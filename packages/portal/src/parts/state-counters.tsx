import type { ReactNode } from 'react';
import { useFormats } from '../i18n/formats.ts';
import styles from './state-counters.module.css';
import { texts } from './texts/index.ts';

interface StateCountersProps<State extends string> {
  /** What is counted. */
  readonly label: string;
  readonly total: number;
  readonly counts: readonly {
    readonly state: State;
    readonly name: string;
    readonly count: number;
  }[];
  /** undefined: all. */
  readonly chosen: State | undefined;
  readonly onChoose: (state: State | undefined) => void;
}

/** How many of a list are in each state; choosing one lists only those. */
export function StateCounters<State extends string>({
  label,
  total,
  counts,
  chosen,
  onChoose,
}: StateCountersProps<State>): ReactNode {
  const t = texts.useTexts().table;
  const formats = useFormats();
  const counter = (state: State | undefined, name: string, count: number): ReactNode => (
    <button
      key={name}
      type="button"
      className={styles.counter}
      data-state={state}
      aria-pressed={state === chosen}
      onClick={() => onChoose(state)}
    >
      <strong>{formats.number(count, 0)}</strong> {name}
    </button>
  );
  return (
    <div className={styles.counters} role="group" aria-label={label}>
      {counter(undefined, t.all, total)}
      {counts
        .filter(({ state, count }) => count > 0 || state === chosen)
        .map(({ state, name, count }) => counter(state, name, count))}
    </div>
  );
}
