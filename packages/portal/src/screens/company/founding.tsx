import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Card, Fields, List } from '../../components/layout.tsx';
import { CompanyOfferFields } from '../../parts/people/company-offer.tsx';
import type { Company } from './company.ts';
import { texts } from './texts/index.ts';
import { useAct } from './use-act.ts';

/** For somebody who belongs to no company: invitations to one, and a new one. */
export function Founding({ company }: { readonly company: Company }): ReactNode {
  const { offers = [] } = company;
  const t = texts.useTexts();
  const [name, setName] = useState('');
  const found = useAct('company/found');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    found.carryOut({ name });
  };
  return (
    <>
      {offers.length > 0 && (
        <Card aria-label={t.offers}>
          <h2>{t.offers}</h2>
          <List divided>
            {offers.map((offer) => (
              <li key={offer.id}>
                <CompanyOfferFields offer={offer} />
              </li>
            ))}
          </List>
        </Card>
      )}
      <Card aria-label={t.found}>
        <h2>{t.found}</h2>
        <Fields onSubmit={submit} component="form">
          <TextInput
            required
            withAsterisk={false}
            maxLength={100}
            label={t.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={found.busy}>
            {t.foundNow}
          </Button>
        </Fields>
      </Card>
    </>
  );
}
