import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Note, Row } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { ManageFault } from '../fault.tsx';
import { texts } from '../texts/index.ts';
import type { OpenSent } from './use-open-sent.ts';

interface OpenOfferProps {
  readonly offer: NonNullable<OpenSent['offer']>;
  readonly sent: OpenSent;
  /** The plant's. */
  readonly zone: string;
}

/** To whom a plant is offered and since when, as long as they have not answered. */
export function OpenOffer({
  offer,
  sent: { withdraw, isWithdrawing, faultOf },
  zone,
}: OpenOfferProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  return (
    <>
      <Row data-offer={offer.id}>
        <div>
          <bdi>{t.offeredTo(offer.to!)}</bdi>
          <Note component="span">
            {t.offeredSince(
              formats.dateTime(offer.createdAt, zone),
              formats.dateTime(offer.expiresAt, zone),
            )}{' '}
            · {formats.zone(zone, offer.createdAt!)}
          </Note>
          <Note component="span">{t.youKeep[offer.keeps ?? 'none']}</Note>
        </div>
        <Button
          variant="default"
          loading={isWithdrawing(offer.id!)}
          onClick={() => withdraw(offer.id!, t.offerWithdrawn)}
        >
          {t.withdraw}
        </Button>
      </Row>
      <ManageFault error={faultOf(offer.id!)} />
    </>
  );
}
