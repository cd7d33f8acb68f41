import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { strategyState } from '../../../parts/plants/strategy-state.ts';
import { useOperation } from '../../../wire/queries.ts';
import styles from './energy-flow.module.css';
import { texts } from '../texts/index.ts';

/** Which strategies run at the plant: they may be why the battery does something else than one expects. */
export function Running({ plantId }: { readonly plantId: string }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { data = [] } = useOperation('strategy/list', { plantId, current: 1 });
  const names = data
    .filter((strategy) => strategyState(strategy) === 'active')
    .map(({ name = '' }) => name);
  if (names.length === 0) return null;
  return (
    <p className={styles.running}>
      <Link to="/plants/$id/strategies" params={{ id: plantId }}>
        {t.running(names.length, formats.list(names))}
      </Link>
    </p>
  );
}
