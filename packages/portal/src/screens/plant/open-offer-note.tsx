import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { useOperation } from '../../wire/queries.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

interface OfferedProps {
  readonly plantId: string;
  /** The plant's. */
  readonly zone: string;
}

/** To whom its owner has offered a plant, as long as they have not answered. */
export function OpenOfferNote({ plantId, zone }: OfferedProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  // Newest first, so an open offer is hardly ever on a later page.
  const { data } = useOperation('invitation/list', { pageNo: 1, pageSize: 100 });
  const offer = data?.records.find(
    (one) =>
      one.plantId === plantId &&
      one.kind === 'owner' &&
      one.direction === 'sent' &&
      one.state === 'open',
  );
  if (!offer) return null;
  return (
    <p className={styles.notice}>
      <bdi>{t.offered(offer.to!, formats.dateTime(offer.expiresAt, zone))}</bdi>{' '}
      <Link to="/plants/$id/settings" params={{ id: plantId }}>
        {t.toSettings}
      </Link>
    </p>
  );
}
