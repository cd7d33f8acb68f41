import type { ReactNode } from 'react';
import { Page } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { SettingsLinks } from '../../parts/navigation/section-links.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { Browsers } from './browsers.tsx';
import { SettingsForm } from './settings-form.tsx';
import { TestNotification } from './test-notification.tsx';
import { texts } from './texts/index.ts';
import { Webhooks } from './webhooks.tsx';

/** The notifications of one's plants: where, of what, and when not. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { data: settings, error, refetch } = useOperation('notifications/settings', {});
  if (!settings) return error ? <Failed error={error} again={() => void refetch()} /> : <Loading />;
  return (
    <Page narrow>
      <SettingsLinks />
      <PageHeading>{t.title}</PageHeading>
      <SettingsForm settings={settings}>
        <Browsers pushKey={settings.pushKey ?? ''} />
        <Webhooks />
        <TestNotification />
      </SettingsForm>
    </Page>
  );
}
