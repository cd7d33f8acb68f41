import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/index.ts';
import styles from './day-link.module.css';

interface DayLinkProps {
  readonly plantId: string;
  readonly day: string;
  readonly onFollow: (day: string) => void;
}

/** From a day's bar to its curves, on the same page. */
export function DayLink({ plantId, day, onFollow }: DayLinkProps): ReactNode {
  const t = texts.useTexts().bars;
  return (
    <Link
      to="/plants/$id"
      params={{ id: plantId }}
      search={{ day }}
      className={styles.link}
      onClick={(event) => {
        // In another window, it is an address like any other.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onFollow(day);
      }}
    >
      {t.toCurve}
    </Link>
  );
}
