import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TabLinks } from '../../components/tabs.tsx';
import { useAccount } from '../../session/session-context.ts';
import { AccountClock } from '../people/account-clock.tsx';
import { texts } from '../texts/index.ts';

/** The pages about access: that of applications and people, that of one's own programs, and what is offered; and by which clock their times are. */
export function AccessLinks(): ReactNode {
  const t = texts.useTexts().access;
  return (
    <>
      <TabLinks label={t.label}>
        <Link to="/authorizations">{t.authorizations}</Link>
        <Link to="/keys">{t.keys}</Link>
        <Link to="/invitations">{t.invitations}</Link>
      </TabLinks>
      <AccountClock />
    </>
  );
}

/** The pages of what a person sets; nothing for operators, who have their account alone. */
export function SettingsLinks(): ReactNode {
  const t = texts.useTexts().settingsPages;
  const { role } = useAccount();
  if (role === 'operator') return null;
  return (
    <TabLinks label={t.label}>
      <Link to="/account" activeOptions={{ exact: true }}>
        {t.account}
      </Link>
      <Link to="/alarms/settings">{t.notifications}</Link>
      <Link to="/week">{t.week}</Link>
      {role !== 'installer' && <Link to="/company">{t.company}</Link>}
      <Link to="/account/export">{t.data}</Link>
    </TabLinks>
  );
}

/** The pages of who installs plants. */
export function InstallationLinks(): ReactNode {
  const t = texts.useTexts().installation;
  return (
    <TabLinks label={t.label}>
      <Link to="/plants/new">{t.newPlant}</Link>
      <Link to="/company">{t.company}</Link>
      <Link to="/plants/archived">{t.archived}</Link>
    </TabLinks>
  );
}
