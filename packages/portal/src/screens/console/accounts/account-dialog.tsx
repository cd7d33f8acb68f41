import { Button, Modal } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useFormats } from '../../../i18n/formats.ts';
import { toast } from '../../../parts/toast.tsx';
import { useConsole, useConsoleChange } from '../../../wire/console.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import styles from '../console.module.css';
import { texts } from '../texts/index.ts';
import type { FoundAccount } from './found-account.ts';

interface AccountDialogProps {
  readonly account: FoundAccount;
  readonly onClose: () => void;
}

/** What operators may do for somebody's account, each with what it means. Nothing of it lets them in. */
export function AccountDialog({ account, onClose }: AccountDialogProps): ReactNode {
  const all = texts.useTexts();
  const t = all.accounts;
  const formats = useFormats();
  const email = account.email!;
  const isOperator = account.role === 'operator';
  const { data: sessions = [] } = useConsole('session/list', { email }, { enabled: !isOperator });
  const [asked, setAsked] = useState<string>();
  const disable = useConsoleChange('user/disable');
  const enable = useConsoleChange('user/enable');
  const link = useConsoleChange('user/resetLink');
  const factors = useConsoleChange('user/resetFactors');
  const end = useConsoleChange('session/endOthers');
  const told = (text: string) => ({
    onSuccess: () => toast.show(text),
    onError: (fault: Error) => toast.fault(all.failed(fault.message)),
    onSettled: () => setAsked(undefined),
  });
  const deeds: readonly (readonly [name: string, lead: string | undefined, carryOut: () => void])[] = [
    [t.link, t.linkLead, () => link.mutate({ email }, told(t.linkSent(email)))],
    ...(sessions.length > 0 ? [[t.end, undefined, () => end.mutate({ email }, told(t.done))] as const] : []),
    ...(account.hasSecondFactor ? [[t.factors, t.factorsLead, () => factors.mutate({ email }, told(t.done))] as const] : []),
    account.disabledAt === undefined
      ? [t.disable, t.disableLead, () => disable.mutate({ email }, told(t.done))]
      : [t.enable, undefined, () => enable.mutate({ email }, told(t.done))],
  ];
  return (
    <Modal opened onClose={onClose} title={email} closeButtonProps={{ 'aria-label': all.cancel }}>
      <div className={styles.form}>
        {isOperator ? (
          <p>{t.operators}</p>
        ) : (
          <>
            {sessions.length > 0 && (
              <ul className={styles.rows} aria-label={t.sessions}>
                {sessions.map(({ id, address, userAgent, createdAt = 0 }) => (
                  <li key={id}>
                    <span>
                      {t.signedIn(formats.ago(serverNow() - createdAt))} {address !== undefined && `· ${address}`}
                    </span>
                    <small>
                      <bdi>{userAgent}</bdi>
                    </small>
                  </li>
                ))}
              </ul>
            )}
            {deeds.map(([name, lead, carryOut]) => (
              <div key={name} className={styles.stacked}>
                <Button
                  variant={asked === name ? 'filled' : 'default'}
                  color={asked === name ? 'red.8' : undefined}
                  onClick={() => (asked === name ? carryOut() : setAsked(name))}
                >
                  {asked === name ? `${name} – ${t.sure}` : name}
                </Button>
                {lead !== undefined && <small>{lead}</small>}
              </div>
            ))}
          </>
        )}
      </div>
    </Modal>
  );
}
