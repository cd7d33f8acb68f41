import type { ReactNode } from 'react';
import { Card, Cards, Page, Soft } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { SettingsLinks } from '../../parts/navigation/section-links.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { useAccount } from '../../session/session-context.ts';
import { AccessCard } from './access-card.tsx';
import { AppCard } from './app-card.tsx';
import { ClockCard } from './clock-card.tsx';
import { CloseCard } from './close-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PreferencesCard } from './preferences-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SupportCard } from './support-card.tsx';
import { texts } from './texts/index.ts';

/** The account: password, second factors, and where one is signed in. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { role } = useAccount();
  const { data: factors, error, refetch } = useOperation('factor/list', {});
  return (
    <Page narrow>
      <SettingsLinks />
      <PageHeading>{t.title}</PageHeading>
      {role !== 'operator' && <AccessCard />}
      <Card>
        <h2>{t.factors}</h2>
        <Soft>{t.factorsLead}</Soft>
        {!factors && (error ? <Failed error={error} again={() => void refetch()} /> : <Loading />)}
        {factors && factors.totpSince === undefined && !factors.passkeys?.length && (
          <Soft>{t.endsOthers}</Soft>
        )}
        {factors && (
          <Cards>
            <AppCard
              since={factors.totpSince}
              codesLeft={factors.recoveryCodesLeft ?? 0}
              hasOthers={(factors.passkeys ?? []).length > 0}
            />
            <PasskeysCard
              passkeys={factors.passkeys ?? []}
              possible={factors.passkeysPossible === true}
            />
          </Cards>
        )}
      </Card>
      <PasswordCard />
      <SessionsCard />
      <PreferencesCard />
      <ClockCard />
      {role !== 'operator' && <SupportCard />}
      {role !== 'operator' && <CloseCard />}
    </Page>
  );
}
