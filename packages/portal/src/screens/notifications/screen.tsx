import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageHeading } from '../../focus/page-heading.tsx';
import { LeftIcon } from '../../parts/icons.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { useOperation } from '../../wire/queries.ts';
import { Browsers } from './browsers.tsx';
import styles from './screen.module.css';
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
    <div className={styles.page}>
      <div>
        <Link to="/alarms" className={styles.back}>
          <LeftIcon size={16} />
          {t.back}
        </Link>
        <PageHeading>{t.title}</PageHeading>
      </div>
      <SettingsForm settings={settings}>
        <Browsers pushKey={settings.pushKey ?? ''} />
        <Webhooks />
        <TestNotification />
      </SettingsForm>
    </div>
  );
}
