import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { useWaiting } from '../../parts/plants/use-waiting.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

interface MissingProps {
  readonly plantId: string;
  readonly plant: WireData<'stationDetail'>;
  /** Whether the reader may bind devices. */
  readonly isOwner: boolean;
}

/** What is missing while no device of a plant has reported. */
export function Missing({ plantId: id, plant, isOwner }: MissingProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const waiting = useWaiting(id, { enabled: isOwner });
  const bind = (label: string): ReactNode =>
    isOwner && (
      <Link to="/plants/$id/settings" params={{ id }} search={{ bind: true }}>
        {label}
      </Link>
    );
  if (waiting.length > 0) {
    return (
      <p className={styles.notice}>
        {t.waiting(waiting.length, formats.number(waiting.length, 0))}{' '}
        {bind(t.bindThem(waiting.length))}
      </p>
    );
  }
  if (plant.inverterCount) return <p className={styles.notice}>{t.firstReport}</p>;
  return (
    <p className={styles.notice}>
      {t.neverReported} {bind(t.bindDevice)}
    </p>
  );
}
