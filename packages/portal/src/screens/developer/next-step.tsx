import type { ReactNode } from 'react';
import { Card, Soft } from '../../components/layout.tsx';
import { useSession } from '../../session/session-context.ts';
import type { ShownApplication } from './application-state.tsx';
import { TO_REPLACE, useChallenge } from './challenge.ts';
import { CommandLineExamples } from './commands.tsx';
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
    <Card aria-labelledby="next">
      <h2 id="next">{t.title}</h2>
      <Soft>{t.lead}</Soft>
      <CommandLineExamples label={t.address} text={address} />
      {isMade && (
        <a href={address} target="_blank" rel="noopener">
          {t.open}
        </a>
      )}
      <Soft>{isMade ? t.made : t.toMake}</Soft>
      <h3>{t.token}</h3>
      <Soft>{t.tokenLead}</Soft>
      <CommandLineExamples
        label={t.token}
        text={tokenRequest(session.oauthUrl, application, challenge)}
      />
    </Card>
  );
}
