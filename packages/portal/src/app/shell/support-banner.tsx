import { Button } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { PersonIcon } from '../../parts/icons.tsx';
import { useSession } from '../../session/session-context.ts';
import { change, changeConsole } from '../../wire/call.ts';
import { readSession } from '../../wire/session.ts';
import { activeSupport, leaveSupport } from '../../wire/support.ts';
import { texts } from '../texts/index.ts';
import styles from './support-banner.module.css';

/** Says, to both, that an operator may look through an owner's eyes, until when, and lets either end it. */
export function SupportBanner(): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { session, accept } = useSession();
  const [isBusy, setBusy] = useState(false);
  const looking = activeSupport();
  const account = session?.account;
  const { id, expiresAt } = (looking ?? session?.support) || {};
  const isOperator = looking !== undefined;
  const asOf = session?.serverTime ?? 0;

  useEffect(() => {
    if (expiresAt === undefined || asOf === 0) return;
    const over = (): void =>
      void (isOperator ? leaveSupport() : readSession().then(accept, () => undefined));
    const timer = setTimeout(over, Math.max(0, expiresAt - asOf) + 1000);
    return () => clearTimeout(timer);
    // An answer that says the same as before begins another wait.
  }, [asOf, expiresAt, isOperator, accept]);

  if (!account || id === undefined) return null;
  const until = formats.time(expiresAt, account.timeZone);
  const end = async (): Promise<void> => {
    setBusy(true);
    // Somebody who was quicker has ended it as well.
    await (isOperator ? changeConsole('support/end', { id }) : change('support/end', { id })).catch(
      () => undefined,
    );
    if (isOperator) return leaveSupport();
    accept(await readSession());
    setBusy(false);
  };
  return (
    <section className={styles.banner} aria-label={t.support.label}>
      <PersonIcon />
      <span>{looking ? t.support.looking(looking.email, until) : t.support.allowed(until)}</span>
      <Button size="xs" variant="default" loading={isBusy} onClick={() => void end()}>
        {t.support.end}
      </Button>
    </section>
  );
}
