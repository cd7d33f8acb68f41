import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Card, List } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { browserOf } from './browser-name.ts';
import { texts } from './texts/index.ts';

/** The browser in words; what is not known by name as it names itself. */
function browserText(t: ReturnType<typeof texts.useTexts>, userAgent: string | undefined): string {
  if (userAgent === undefined) return t.unknownBrowser;
  const { browser, system } = browserOf(userAgent);
  if (browser === undefined) return userAgent;
  return system === undefined ? browser : t.browser(browser, system);
}

/** Where the person is signed in; each session can be ended. */
export function SessionsCard(): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { data: sessions, error, refetch } = useOperation('session/list', {});
  const end = useChange('session/end');
  const endOthers = useChange('session/endOthers');
  // One of them by its id, or all others.
  const [asking, setAsking] = useState<{
    readonly id: string | undefined;
    readonly name: string;
  }>();
  const announcing = (text: string) => ({
    onSuccess: () => toast.show(text),
    onError: () => toast.fault(t.failed),
    onSettled: () => setAsking(undefined),
  });
  const carryOut = (): void => {
    if (asking?.id === undefined) endOthers.mutate({}, announcing(t.othersSignedOut));
    else end.mutate({ id: asking.id }, announcing(t.ended));
  };
  return (
    <Card>
      <h2>{t.sessions}</h2>
      {!sessions && (error ? <Failed error={error} again={() => void refetch()} /> : <Loading />)}
      <List divided>
        {sessions?.map(({ id, entrance, current, createdAt, lastAt = 0, address, userAgent }) => {
          const name = browserText(t, userAgent);
          return (
            <li key={id}>
              <span>
                <strong>
                  <bdi title={userAgent}>{name}</bdi>
                  {current && ` (${t.here})`}
                </strong>
                {entrance === 'oauth' && <small>{t.oauth}</small>}
                <small>
                  {t.signedIn(formats.dateTime(createdAt, timeZone))}
                  {address !== undefined && ` · ${address}`}
                </small>
                {!current && <small>{t.lastActive(formats.ago(serverNow() - lastAt))}</small>}
              </span>
              {!current && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`${t.endSession}: ${name}`}
                  onClick={() => setAsking({ id, name })}
                >
                  {t.endSession}
                </Button>
              )}
            </li>
          );
        })}
      </List>
      {(sessions?.length ?? 0) > 1 && (
        <Button variant="default" onClick={() => setAsking({ id: undefined, name: '' })}>
          {t.endOthers}
        </Button>
      )}
      <ConfirmDialog
        opened={asking !== undefined}
        title={asking?.id === undefined ? t.endOthersTitle : t.endTitle}
        action={asking?.id === undefined ? t.endOthers : t.endSession}
        busy={end.isPending || endOthers.isPending}
        onConfirm={carryOut}
        onClose={() => setAsking(undefined)}
      >
        {asking?.name && (
          <p>
            <bdi>{asking.name}</bdi>
          </p>
        )}
        <p>{t.endLead}</p>
      </ConfirmDialog>
    </Card>
  );
}
