import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TabLinks } from '../../components/tabs.tsx';
import { texts } from '../texts/index.ts';

/** The pages for developers: their applications, the explorer, and the debugger of signatures. */
export function DeveloperLinks(): ReactNode {
  const t = texts.useTexts().developer;
  return (
    <TabLinks label={t.label}>
      <Link to="/developer" activeOptions={{ exact: true }}>
        {t.applications}
      </Link>
      <Link to="/developer/explorer">{t.explorer}</Link>
      <Link to="/debugger">{t.debugger}</Link>
    </TabLinks>
  );
}
