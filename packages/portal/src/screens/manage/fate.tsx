import { Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { PassOn } from '../../parts/people/pass-on.tsx';
import { toast } from '../../parts/toast.tsx';
import { useChange } from '../../wire/queries.ts';
import { Fault, useFieldFault } from './fault.tsx';
import styles from './manage.module.css';
import { OpenOffer } from './open-offer.tsx';
import { texts } from './texts/index.ts';

/** What becomes of a plant: it is handed over to a buyer, or put aside. */
export function Fate({ plantId }: { readonly plantId: string }): ReactNode {
  const t = texts.useTexts();
  const navigate = useNavigate();
  const offer = useChange('plant/offer');
  const archive = useChange('archiveStation');
  const [email, setEmail] = useState('');
  const [offered, setOffered] = useState<string>();
  const [isAsked, setAsked] = useState<'offer' | 'archive'>();
  const faultOf = useFieldFault(offer.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAsked('offer');
  };
  const close = (): void => setAsked(undefined);
  const hand = (): void =>
    offer.mutate(
      { plantId, email },
      {
        onSuccess: () => {
          toast.show(t.offered(email));
          setOffered(email);
          setEmail('');
        },
        onSettled: close,
      },
    );
  const putAside = (): void =>
    archive.mutate(
      { id: plantId },
      {
        onSuccess: () => {
          toast.show(t.archivedDone);
          void navigate({ to: '/' });
        },
        onSettled: close,
      },
    );
  return (
    <section className={styles.card} aria-label={t.fate}>
      <h2>{t.fate}</h2>
      <p className={styles.lead}>{t.offerLead}</p>
      <OpenOffer plantId={plantId} onWithdrawn={() => setOffered(undefined)} />
      <form onSubmit={submit} className={styles.pair}>
        <TextInput
          type="email"
          required
          withAsterisk={false}
          maxLength={254}
          label={t.offerTo}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={faultOf('email')}
        />
        <Button type="submit" variant="default">
          {t.offer}
        </Button>
      </form>
      <Fault error={offer.error ?? archive.error} known={['email']} />
      {offered !== undefined && <PassOn email={offered} />}
      <p className={styles.lead}>{t.archiveLead}</p>
      <div>
        <Button variant="default" onClick={() => setAsked('archive')}>
          {t.archive}
        </Button>
      </div>
      <ConfirmDialog opened={isAsked === 'offer'} title={t.offer} action={t.offer} dangerous busy={offer.isPending} onConfirm={hand} onClose={close}>
        <p>
          <bdi>{email}</bdi>
        </p>
        {t.offerLead}
      </ConfirmDialog>
      <ConfirmDialog
        opened={isAsked === 'archive'}
        title={t.archive}
        action={t.archive}
        dangerous
        busy={archive.isPending}
        onConfirm={putAside}
        onClose={close}
      >
        {t.archiveLead}
      </ConfirmDialog>
    </section>
  );
}
