import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import cards from '../../parts/cards.module.css';
import { AccountClock } from '../../parts/people/account-clock.tsx';
import { useAccount } from '../../session/session-context.ts';
import type { Company } from './company.ts';
import { texts } from './texts/index.ts';
import { useAct } from './use-act.ts';

/** For somebody who belongs to no company: invitations to one, and a new one. */
export function Founding({ company }: { readonly company: Company }): ReactNode {
  const { offers = [] } = company;
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const [name, setName] = useState('');
  const found = useAct('company/found');
  const accept = useAct('company/accept');
  const decline = useAct('company/decline');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    found.carryOut({ name });
  };
  return (
    <>
      {offers.length > 0 && (
        <section className={cards.card} aria-label={t.offers}>
          <h2>{t.offers}</h2>
          <p className={cards.lead}>{t.offerLead}</p>
          <ul className={cards.list}>
            {offers.map(({ id, from, companyName, role, expiresAt }) => (
              <li key={id} className={cards.row}>
                <div>
                  <bdi>{t.offer(from, companyName)}</bdi>
                  <span className={cards.soft}>
                    {t.roles[role]} · {t.until(formats.dateTime(expiresAt, timeZone))}
                  </span>
                </div>
                <div className={cards.actions}>
                  <Button loading={accept.busy} aria-label={`${t.accept}: ${companyName}`} onClick={() => accept.carryOut({ id }, t.joined(companyName))}>
                    {t.accept}
                  </Button>
                  <Button variant="default" loading={decline.busy} onClick={() => decline.carryOut({ id })}>
                    {t.decline}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
          <AccountClock />
        </section>
      )}
      <section className={cards.card} aria-label={t.found}>
        <h2>{t.found}</h2>
        <form onSubmit={submit} className={cards.pair}>
          <TextInput required withAsterisk={false} maxLength={100} label={t.name} value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <Button type="submit" loading={found.busy}>
            {t.foundNow}
          </Button>
        </form>
      </section>
    </>
  );
}
