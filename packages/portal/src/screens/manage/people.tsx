import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { toast } from '../../parts/toast.tsx';
import { useChange, useOperation } from '../../wire/queries.ts';
import { Fault, useFieldFault } from './fault.tsx';
import styles from './manage.module.css';
import { texts } from './texts/index.ts';

/** Who sees and controls a plant besides its owner. */
export function People({ plantId }: { readonly plantId: string }): ReactNode {
  const t = texts.useTexts();
  const { data: shares = [] } = useOperation('share/list', { plantId });
  const give = useChange('share/give');
  const withdraw = useChange('share/withdraw');
  const [email, setEmail] = useState('');
  const [level, setLevel] = useState('read');
  const [leaving, setLeaving] = useState<string>();
  const faultOf = useFieldFault(give.error);
  const levels: Readonly<Record<string, string>> = { owner: t.owner, control: t.mayControl, read: t.maySee };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    give.mutate(
      { plantId, email, level },
      {
        onSuccess: () => {
          toast.show(t.invited(email));
          setEmail('');
        },
      },
    );
  };
  const end = (): void => withdraw.mutate({ plantId, email: leaving! }, { onSettled: () => setLeaving(undefined) });
  return (
    <section className={styles.card} aria-label={t.people}>
      <h2>{t.people}</h2>
      <p className={styles.lead}>{t.peopleLead}</p>
      <ul className={styles.list}>
        {shares.map((share) => (
          <li key={share.accountId} className={styles.row}>
            <div>
              <bdi>{share.email}</bdi>
              <span className={styles.soft}>{levels[share.level!]}</span>
            </div>
            {share.level !== 'owner' && (
              <Button variant="default" aria-label={t.endShareOf(share.email!)} onClick={() => setLeaving(share.email)}>
                {t.endShare}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <form onSubmit={submit} className={styles.pair}>
        <TextInput
          type="email"
          required
          withAsterisk={false}
          maxLength={254}
          label={t.email}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={faultOf('email')}
        />
        <NativeSelect
          label={t.level}
          value={level}
          onChange={(event) => setLevel(event.currentTarget.value)}
          data={[
            { value: 'read', label: t.maySee },
            { value: 'control', label: t.mayControl },
          ]}
        />
        <Button type="submit" loading={give.isPending}>
          {t.invite}
        </Button>
      </form>
      <Fault error={give.error ?? withdraw.error} known={['email']} />
      <ConfirmDialog
        opened={leaving !== undefined}
        title={t.endShareOf(leaving ?? '')}
        action={t.endShare}
        busy={withdraw.isPending}
        onConfirm={end}
        onClose={() => setLeaving(undefined)}
      >
        {t.endShareLead(leaving ?? '')}
      </ConfirmDialog>
    </section>
  );
}
