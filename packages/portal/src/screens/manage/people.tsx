import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { companiesOf } from '../../wire/company-shares.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { PassOn } from '../../parts/people/pass-on.tsx';
import { toast } from '../../parts/toast.tsx';
import { useChange, useOperation } from '../../wire/queries.ts';
import { Fault, useFieldFault } from './fault.tsx';
import styles from './manage.module.css';
import { texts } from './texts/index.ts';

/** Whose access is about to end: a person by e-mail address, or a company. */
interface Leaving {
  readonly name: string;
  readonly companyId?: string;
}

/** Who sees and controls a plant besides its owner. */
export function People({ plantId }: { readonly plantId: string }): ReactNode {
  const t = texts.useTexts();
  const { data: shares = [] } = useOperation('share/list', { plantId });
  const give = useChange('share/give');
  const withdraw = useChange('share/withdraw');
  const [email, setEmail] = useState('');
  const [level, setLevel] = useState('read');
  const [invited, setInvited] = useState<string>();
  const endCompany = useChange('company/end');
  const giveCompany = useChange('company/give');
  const { data: company } = useOperation('company/show', {});
  const companies = companiesOf(shares);
  const [leaving, setLeaving] = useState<Leaving>();
  const faultOf = useFieldFault(give.error);
  const levels: Readonly<Record<string, string>> = { owner: t.owner, control: t.mayControl, read: t.maySee };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    give.mutate(
      { plantId, email, level },
      {
        onSuccess: () => {
          toast.show(t.invited(email));
          setInvited(email);
          setEmail('');
        },
      },
    );
  };
  const settled = { onSettled: () => setLeaving(undefined) };
  const end = ({ name, companyId }: Leaving): void =>
    companyId === undefined ? withdraw.mutate({ plantId, email: name }, settled) : endCompany.mutate({ plantId, companyId }, settled);
  return (
    <section className={styles.card} aria-label={t.people}>
      <h2>{t.people}</h2>
      <p className={styles.lead}>{t.peopleLead}</p>
      <ul className={styles.list}>
        {shares
          .filter(({ level: own }) => own !== undefined)
          .map((share) => (
            <li key={share.accountId} className={styles.row}>
              <div>
                <bdi>{share.email}</bdi>
                <span className={styles.soft}>{levels[share.level!]}</span>
              </div>
              {share.level !== 'owner' && (
                <Button variant="default" aria-label={t.endShareOf(share.email!)} onClick={() => setLeaving({ name: share.email! })}>
                  {t.endShare}
                </Button>
              )}
            </li>
          ))}
        {companies.map(({ id, name, level: may, people }) => (
          <li key={id} className={styles.row}>
            <div>
              <bdi>{name}</bdi>
              <span className={styles.soft}>
                {t.companyOf(people.length)} · {levels[may]}
              </span>
              <span className={styles.soft}>
                <bdi>{people.join(', ')}</bdi>
              </span>
            </div>
            <Button variant="default" aria-label={t.endShareOf(name)} onClick={() => setLeaving({ name, companyId: id })}>
              {t.endShare}
            </Button>
          </li>
        ))}
      </ul>
      {company?.id !== undefined && !companies.some(({ id }) => id === company.id) && (
        <div>
          <Button
            variant="default"
            loading={giveCompany.isPending}
            onClick={() => giveCompany.mutate({ plantIds: [plantId] }, { onSuccess: () => toast.show(t.givenTo(company.name!)) })}
          >
            {t.giveTo(company.name!)}
          </Button>
        </div>
      )}
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
      <Fault error={give.error ?? withdraw.error ?? endCompany.error ?? giveCompany.error} known={['email']} />
      {invited !== undefined && <PassOn email={invited} />}
      <ConfirmDialog
        opened={leaving !== undefined}
        title={t.endShareOf(leaving?.name ?? '')}
        action={t.endShare}
        busy={withdraw.isPending || endCompany.isPending}
        onConfirm={() => leaving && end(leaving)}
        onClose={() => setLeaving(undefined)}
      >
        {leaving?.companyId === undefined ? t.endShareLead(leaving?.name ?? '') : t.endCompanyLead(leaving.name)}
      </ConfirmDialog>
    </section>
  );
}
