import type { PlantState, WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { texts as shared } from '../../parts/texts/index.ts';
import styles from './state-counters.module.css';
import { texts } from './texts/index.ts';

const STATES: readonly PlantState[] = ['online', 'offline', 'alarm', 'building'];

interface StateCountersProps {
  readonly overview: WireData<'plant/overview'>;
  /** undefined: all. */
  readonly chosen: PlantState | undefined;
  readonly onChoose: (state: PlantState | undefined) => void;
}

/** How many plants are in each state; choosing one lists only those. */
export function StateCounters({ overview, chosen, onChoose }: StateCountersProps): ReactNode {
  const t = texts.useTexts();
  const { state: names } = shared.useTexts();
  const formats = useFormats();
  const counter = (state: PlantState | undefined, name: string, count: number): ReactNode => (
    <button key={name} type="button" className={styles.counter} data-state={state} aria-pressed={state === chosen} onClick={() => onChoose(state)}>
      <strong>{formats.number(count, 0)}</strong> {name}
    </button>
  );
  return (
    <div className={styles.counters} role="group" aria-label={t.counters}>
      {counter(undefined, t.all, overview.plants ?? 0)}
      {STATES.filter((state) => (overview[state] ?? 0) > 0 || state === chosen).map((state) =>
        counter(state, state === 'building' ? t.building : names[state], overview[state] ?? 0),
      )}
    </div>
  );
}
