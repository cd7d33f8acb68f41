import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TabLinks } from '../components/tabs.tsx';
import { AccountClock } from './people/account-clock.tsx';
import { texts } from './texts/index.ts';

/** The pages about access: that of applications and people, that of one's own programs, and that of one's company; and by which clock their times are. */
export function AccessLinks(): ReactNode {
  const t = texts.useTexts().access;
  return (
    <>
      <TabLinks label={t.label}>
        <Link to="/authorizations">{t.authorizations}</Link>
        <Link to="/keys">{t.keys}</Link>
        <Link to="/company">{t.company}</Link>
      </TabLinks>
      <AccountClock />
    </>
  );
}
