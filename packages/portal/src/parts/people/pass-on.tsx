import { useEffect, useRef, type ReactNode } from 'react';
import { useSession } from '../../session/session-context.ts';
import { CopyField } from '../copy-field.tsx';
import { Notice } from '../notice.tsx';
import styles from './pass-on.module.css';
import { texts } from '../texts/index.ts';

/** The steps that are left to the sender of an invitation where no e-mails are sent. It comes into view, away from the messages at the edges. */
export function PassOn({ email }: { readonly email: string }): ReactNode {
  const t = texts.useTexts().passOn;
  const { session } = useSession();
  const said = useRef<HTMLDivElement>(null);
  useEffect(() => {
    said.current?.scrollIntoView({ block: 'center' });
  }, []);
  if (session?.mail) return null;
  return (
    <div ref={said}>
      <Notice kind="warn" title={t.title(email)}>
        <p>{t.lead}</p>
        <div className={styles.link}>
          <CopyField label={t.link} value={new URL('/invitations', location.origin).href} />
        </div>
      </Notice>
    </div>
  );
}
