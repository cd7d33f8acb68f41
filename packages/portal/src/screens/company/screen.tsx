import type { ReactNode } from 'react';
import { Page, Soft } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { AccountClock } from '../../parts/people/account-clock.tsx';
import { InstallationLinks, SettingsLinks } from '../../parts/navigation/section-links.tsx';
import { useAccount } from '../../session/session-context.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { Founding } from './founding.tsx';
import { CompanyPeople } from './people.tsx';
import { Plants } from './plants.tsx';
import { CompanySettings } from './settings.tsx';
import { texts } from './texts/index.ts';

/** The company of an account: people who work on one fleet. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { role } = useAccount();
  const { data: company, error, refetch } = useOperation('company/show', {});
  if (!company) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  const { id, name } = company;
  return (
    <Page narrow>
      {role === 'installer' ? <InstallationLinks /> : <SettingsLinks />}
      <AccountClock />
      <PageHeading>{id === undefined ? t.title : <bdi>{name}</bdi>}</PageHeading>
      <Soft>{t.lead}</Soft>
      {id === undefined ? (
        <Founding company={company} />
      ) : (
        <>
          <CompanyPeople company={company} />
          <Plants company={company} />
          <CompanySettings key={name} company={company} />
        </>
      )}
    </Page>
  );
}
