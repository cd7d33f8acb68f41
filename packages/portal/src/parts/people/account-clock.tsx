import type { ReactNode } from 'react';
import { Note } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { useAccount } from '../../session/session-context.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { texts } from '../texts/index.ts';

/** By which clock the times of a page are that concerns no single plant: that of the account. */
export function AccountClock(): ReactNode {
  const t = texts.useTexts().chart;
  const formats = useFormats();
  const { timeZone } = useAccount();
  return <Note>{t.clock(formats.zone(timeZone, serverNow()))}</Note>;
}
