import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { browserOf } from './browser-name.ts';
import styles from './screen.module.css';
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
  const told = { onSuccess: () => toast.show(t.ended), onError: () => toast.fault(t.failed) };
  return (
    <section className={styles.card}>
      <h2>{t.sessions}</h2>
      {!sessions && (error ? <Failed error={error} again={() => void refetch()} /> : <Loading />)}
      <ul className={styles.rows}>
        {sessions?.map(({ id, entrance, current, createdAt, address, userAgent }) => (
          <li key={id}>
            <span>
              <strong>{current ? t.here : entrance === 'portal' ? t.portal : t.oauth}</strong>
              <small>
                {t.signedIn(formats.dateTime(createdAt, timeZone))}
                {address !== undefined && ` · ${address}`}
              </small>
              <small>
                <bdi title={userAgent}>{browserText(t, userAgent)}</bdi>
              </small>
            </span>
            {!current && (
              <Button variant="default" size="xs" onClick={() => end.mutate({ id: id ?? '' }, told)}>
                {t.endSession}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {(sessions?.length ?? 0) > 1 && (
        <Button variant="default" onClick={() => endOthers.mutate({}, told)}>
          {t.endOthers}
        </Button>
      )}
    </section>
  );
}
