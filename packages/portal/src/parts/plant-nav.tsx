import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './plant-nav.module.css';
import { texts } from './texts/index.ts';

interface PlantNavProps {
  readonly plantId: string;
  /** Whether the reader decides about the plant. */
  readonly isOwner: boolean;
}

/** The pages of a plant. */
export function PlantNav({ plantId: id, isOwner }: PlantNavProps): ReactNode {
  const t = texts.useTexts().plant;
  // What an address says after `?` is about the same page.
  const here = { exact: true, includeSearch: false };
  return (
    <nav className={styles.nav} aria-label={t.pages}>
      <Link to="/plants/$id" params={{ id }} activeOptions={here}>
        {t.overview}
      </Link>
      <Link to="/plants/$id/devices" params={{ id }} activeOptions={here}>
        {t.devices}
      </Link>
      <Link to="/plants/$id/strategies" params={{ id }} activeOptions={here}>
        {t.strategies}
      </Link>
      {isOwner && (
        <Link to="/plants/$id/settings" params={{ id }} activeOptions={here}>
          {t.settings}
        </Link>
      )}
    </nav>
  );
}
