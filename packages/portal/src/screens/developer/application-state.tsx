import type { WireData } from '@helioport/contract';
import type { ReactNode } from 'react';
import styles from './developer.module.css';
import { texts } from './texts/index.ts';

/** An application as its developer sees it. */
export type OwnApplication = WireData<'developer/show'>;

type Shown = Pick<OwnApplication, 'state'>;

export const stateOf = ({ state }: Shown) => state ?? 'submitted';

export function ApplicationState({ application }: { readonly application: Shown }): ReactNode {
  const t = texts.useTexts();
  const state = stateOf(application);
  return (
    <span className={styles.badge} data-state={state}>
      {t.states[state]}
    </span>
  );
}
