import type { ReactNode } from 'react';
import { Form, List } from '../../../components/layout.tsx';
import { Dialog } from '../../../focus/dialog.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { CopyField } from '../../../parts/copy-field.tsx';
import { toast } from '../../../parts/toast.tsx';
import { useSession } from '../../../session/session-context.ts';
import { useConsole, useConsoleChange } from '../../../wire/console.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { AskFirst } from '../ask-first.tsx';
import { texts } from '../texts/index.ts';
import type { AccountRow } from './found-account.ts';
import { LogIns } from './log-ins.tsx';

interface AccountDialogProps {
  readonly account: AccountRow;
  readonly onClose: () => void;
}

/** An address as one word of a shell's command line. */
const shellWord = (text: string): string =>
  /^[\w.@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** What operators may do for somebody's account, each with what it means. Nothing of it lets them in. */
export function AccountDialog({ account, onClose }: AccountDialogProps): ReactNode {
  const all = texts.useTexts();
  const t = all.accounts;
  const formats = useFormats();
  const { session } = useSession();
  const email = account.email!;
  const isOperator = account.role === 'operator';
  const { data: sessions = [] } = useConsole('session/list', { email }, { enabled: !isOperator });
  const disable = useConsoleChange('user/disable');
  const enable = useConsoleChange('user/enable');
  const link = useConsoleChange('user/resetLink');
  const factors = useConsoleChange('user/resetFactors');
  const end = useConsoleChange('session/endOthers');
  const announcing = (text: string) => ({
    onSuccess: () => toast.show(text),
    onError: (fault: Error) => toast.fault(all.failed(fault.message)),
  });
  const sendsMail = session?.mail === true;
  const isDisabled = account.disabledAt !== undefined;
  return (
    <Dialog
      opened
      centered={false}
      onClose={onClose}
      title={email}
      closeButtonProps={{ 'aria-label': all.cancel }}
    >
      <Form component="div">
        <LogIns email={email} />
        {isOperator ? (
          <p>{t.operators}</p>
        ) : (
          <>
            {sessions.length > 0 && (
              <List aria-label={t.sessions}>
                {sessions.map(({ id, address, userAgent, createdAt = 0 }) => (
                  <li key={id}>
                    <span>
                      {t.signedIn(formats.ago(serverNow() - createdAt))}{' '}
                      {address !== undefined && `· ${address}`}
                    </span>
                    <small>
                      <bdi>{userAgent}</bdi>
                    </small>
                  </li>
                ))}
              </List>
            )}
            <AskFirst
              name={t.link}
              lead={!sendsMail ? t.noMail : isDisabled ? t.linkDisabled : t.linkLead}
              disabled={!sendsMail || isDisabled}
              onSure={() => link.mutate({ email }, announcing(t.linkSent(email)))}
            />
            {!sendsMail && (
              <CopyField label={t.command} value={`helioport user password ${shellWord(email)}`} />
            )}
            {sessions.length > 0 && (
              <AskFirst name={t.end} onSure={() => end.mutate({ email }, announcing(t.done))} />
            )}
            {account.hasSecondFactor && (
              <AskFirst
                name={t.factors}
                lead={t.factorsLead}
                onSure={() => factors.mutate({ email }, announcing(t.done))}
              />
            )}
            {isDisabled ? (
              <AskFirst
                key="enable"
                name={t.enable}
                onSure={() => enable.mutate({ email }, announcing(t.done))}
              />
            ) : (
              <AskFirst
                key="disable"
                name={t.disable}
                lead={t.disableLead}
                onSure={() => disable.mutate({ email }, announcing(t.done))}
              />
            )}
          </>
        )}
      </Form>
    </Dialog>
  );
}
