import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { useAccount } from '../../session/session-context.ts';
import { serverNow } from '../../wire/server-clock.ts';
import { stateOf, type OwnApplication } from './application-state.tsx';
import styles from './developer.module.css';
import { SecretDialog } from './secret-dialog.tsx';
import { texts } from './texts/index.ts';

/** client_id and secrets of an application; secrets without their text, which is shown once. */
export function Credentials({ application }: { readonly application: OwnApplication }): ReactNode {
  const t = texts.useTexts().credentials;
  const formats = useFormats();
  const { timeZone } = useAccount();
  const [isReplacing, setReplacing] = useState(false);
  const now = serverNow();
  const secrets = application.secrets ?? [];
  const hasLiving = secrets.some(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const validity = (expiresAt: number | null): string => {
    if (expiresAt === null) return t.stays;
    return (expiresAt > now ? t.expires : t.expired)(formats.dateTime(expiresAt, timeZone));
  };
  return (
    <section className={styles.card} aria-labelledby="credentials">
      <h2 id="credentials">{t.title}</h2>
      <CopyField label="client_id" value={application.clientId ?? ''} />
      {stateOf(application) === 'approved' && (
        <>
          {!hasLiving && <p className={styles.note}>{t.noSecret}</p>}
          <ul className={styles.plainList}>
            {secrets.toReversed().map(({ id, createdAt, expiresAt, lastUsedAt }) => (
              <li key={id}>
                <strong>{t.secret(id.slice(-4))}</strong>
                <small>
                  {t.created(formats.dateTime(createdAt, timeZone))} · {validity(expiresAt)} ·{' '}
                  {lastUsedAt === null ? t.unused : t.used(formats.ago(now - lastUsedAt))}
                </small>
              </li>
            ))}
          </ul>
          <div className={styles.actions}>
            <Button variant={hasLiving ? 'default' : 'filled'} onClick={() => setReplacing(true)}>
              {hasLiving ? t.replace : t.make}
            </Button>
          </div>
          {isReplacing && <SecretDialog clientId={application.clientId!} replaces={hasLiving} onClose={() => setReplacing(false)} />}
        </>
      )}
    </section>
  );
}
