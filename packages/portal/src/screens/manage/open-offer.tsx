import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { Fault } from './fault.tsx';
import styles from './manage.module.css';
import { texts } from './texts/index.ts';

/** Newest first, so an open offer is hardly ever on a later page. */
const PAGE = 100;

interface OpenOfferProps {
  readonly plantId: string;
  readonly onWithdrawn: () => void;
}

/** To whom a plant is offered and since when, as long as they have not answered; there is never more than one offer. */
export function OpenOffer({ plantId, onWithdrawn }: OpenOfferProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { data } = useOperation('invitation/list', { pageNo: 1, pageSize: PAGE });
  const withdraw = useChange('invitation/withdraw');
  const offer = data?.records.find((one) => one.direction === 'sent' && one.kind === 'owner' && one.state === 'open' && one.plantId === plantId);
  if (!offer) return null;
  const done = (): void => {
    toast.show(t.offerWithdrawn);
    onWithdrawn();
  };
  return (
    <>
      <div className={styles.row} data-offer={offer.id}>
        <div>
          <bdi>{t.offeredTo(offer.to!)}</bdi>
          <span className={styles.soft}>{t.offeredSince(formats.dateTime(offer.createdAt, timeZone), formats.dateTime(offer.expiresAt, timeZone))}</span>
        </div>
        <Button variant="default" loading={withdraw.isPending} onClick={() => withdraw.mutate({ id: offer.id! }, { onSuccess: done })}>
          {t.withdraw}
        </Button>
      </div>
      <Fault error={withdraw.error} />
    </>
  );
}
