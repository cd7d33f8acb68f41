import type { ReactNode } from 'react';
import { Actions } from '../../components/layout.tsx';
import { useSession } from '../../session/session-context.ts';
import { texts } from './texts/index.ts';

const GUIDES = ['oauth', 'signing', 'forwarding'] as const;

/** The ways to the guides and to the reference, which the OAuth interface serves. */
export function Guides(): ReactNode {
  const t = texts.useTexts().guides;
  const { session } = useSession();
  const reference = `${session?.oauthUrl ?? ''}/reference`;
  return (
    <Actions component="nav" aria-label={t.title}>
      <strong>{t.title}</strong>
      {GUIDES.map((name) => (
        <a key={name} href={`${reference}/guides/${name}`}>
          {t[name]}
        </a>
      ))}
      <a href={reference}>{t.reference}</a>
    </Actions>
  );
}
