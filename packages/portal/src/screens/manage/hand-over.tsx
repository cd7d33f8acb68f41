import { Button, NativeSelect } from '@mantine/core';
import type { ShareLevel } from '@helioport/contract';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Card, Fields, Soft } from '../../components/layout.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmailField } from '../../parts/people/email-field.tsx';
import { PassOn } from '../../parts/people/pass-on.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { ManageFault, useFieldFault } from './fault.tsx';
import { OpenOffer } from './invitations/open-offer.tsx';
import { useOpenSent } from './invitations/use-open-sent.ts';
import { texts } from './texts/index.ts';

type Keep = '' | ShareLevel;

interface HandOverProps {
  readonly plantId: string;
  /** The plant's. */
  readonly zone: string;
}

/** A plant is handed over to its customer or to a buyer. */
export function HandOver({ plantId, zone }: HandOverProps): ReactNode {
  const t = texts.useTexts();
  const offer = useChange('plant/offer');
  // A person who installed a plant for its owner goes on servicing it.
  const isInstaller = useAccount().role === 'installer';
  const [email, setEmail] = useState('');
  const [keep, setKeep] = useState<Keep>(isInstaller ? 'control' : '');
  const [offered, setOffered] = useState<string>();
  const [isAsked, setAsked] = useState(false);
  const { data: devices } = useOperation('device/ranking', { plantId, pageNo: 1, pageSize: 1 });
  const faultOf = useFieldFault(offer.error);
  const sent = useOpenSent(plantId, () => setOffered(undefined));
  const keeps: Readonly<Record<Keep, string>> = {
    '': t.keepNothing,
    read: t.keepRead,
    control: t.keepControl,
    install: t.keepInstall,
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAsked(true);
  };
  const close = (): void => setAsked(false);
  const hand = (): void =>
    offer.mutate(
      { plantId, email, ...(keep && { keep }) },
      {
        onSuccess: () => {
          toast.show(t.offered(email));
          setOffered(email);
          setEmail('');
        },
        onSettled: close,
      },
    );
  return (
    <Card id="handOver" aria-label={t.handOver}>
      <h2>{t.handOver}</h2>
      <Soft>{t.offerLead}</Soft>
      {sent.offer ? (
        <OpenOffer offer={sent.offer} sent={sent} zone={zone} />
      ) : (
        <Fields onSubmit={submit} component="form">
          <EmailField
            label={t.offerTo}
            value={email}
            onChange={setEmail}
            error={faultOf('email')}
          />
          <NativeSelect
            label={t.keep}
            value={keep}
            onChange={(event) => setKeep(event.currentTarget.value as Keep)}
            data={(isInstaller
              ? (['read', 'control', 'install'] as const)
              : (['', 'read', 'control', 'install'] as const)
            ).map((value) => ({ value, label: keeps[value] }))}
          />
          <Button type="submit" variant="default">
            {t.offer}
          </Button>
        </Fields>
      )}
      <Soft>{isInstaller ? t.installerKeeps : t.ownEnds}</Soft>
      {devices?.page.total === 0 && <Soft>{t.withoutDevices}</Soft>}
      <ManageFault error={offer.error} known={['email']} />
      {offered !== undefined && <PassOn email={offered} />}
      <ConfirmDialog
        opened={isAsked}
        title={t.offer}
        action={t.offer}
        busy={offer.isPending}
        onConfirm={hand}
        onClose={close}
      >
        <p>
          <bdi>{t.offerAsk(email)}</bdi>
        </p>
        {t.keep}: {keeps[keep]}
      </ConfirmDialog>
    </Card>
  );
}
