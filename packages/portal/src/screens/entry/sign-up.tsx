import { useLocation } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Loading } from '../../parts/states.tsx';
import { EntryCard } from '../../session/entry-card.tsx';
import { useSession } from '../../session/session-context.ts';
import { askToSignUp } from '../../wire/session.ts';
import { AccountForm } from './account-form.tsx';
import { AskForm } from './ask-form.tsx';
import { texts } from './texts/index.ts';

/** Where people make an account, if the operator lets them: first by asking for an e-mail, then by its link, whose fragment is the token. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { session } = useSession();
  const { hash } = useLocation();
  const [isUseless, setUseless] = useState(false);
  if (!session) return <Loading />;
  if (!session.signUp) return <EntryCard title={t.signUpTitle} lead={t.noSignUp} />;
  if (hash !== '' && !isUseless)
    return (
      <EntryCard title={t.signUpTitle} lead={t.accountLead}>
        <AccountForm token={hash} onUseless={() => setUseless(true)} />
      </EntryCard>
    );
  return (
    <EntryCard title={t.signUpTitle} lead={isUseless ? t.useless : t.signUpLead}>
      <AskForm ask={askToSignUp} sent={t.signUpSent} />
    </EntryCard>
  );
}
