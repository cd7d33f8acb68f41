import type { ReactNode } from 'react';
import { useSession } from '../../session/session-context.ts';
import type { ShownApplication } from './application-state.tsx';
import { TO_REPLACE, useChallenge } from './challenge.ts';
import { CommandLineExamples } from './commands.tsx';
import styles from './developer.module.css';
import { authorizeUrl, tokenRequest } from './requests.ts';
import { texts } from './texts/index.ts';

/** What an approved application does next: it sends an owner to the consent page, and exchanges the code that comes back. */
export function NextStep({ application }: { readonly application: ShownApplication }): ReactNode {
  const t = texts.useTexts().next;
  const { session } = useSession();
  const challenge = useChallenge();
  if (!session || !challenge) return null;
  const address = authorizeUrl(session.oauthUrl, application, challenge);
  const isMade = challenge !== TO_REPLACE;
  return (
    <section className={styles.card} aria-labelledby="next">
      <h2 id="next">{t.title}</h2>
      <p className={styles.note}>{t.lead}</p>
      <CommandLineExamples label={t.address} text={address} />
      {isMade && (
        <a href={address} target="_blank" rel="noopener">
          {t.open}
        </a>
      )}
      <p className={styles.note}>{isMade ? t.made : t.toMake}</p>
      <h3>{t.token}</h3>
      <p className={styles.note}>{t.tokenLead}</p>
      <CommandLineExamples
        label={t.token}
        text={tokenRequest(session.oauthUrl, application, challenge)}
      />
    </section>
  );
}
