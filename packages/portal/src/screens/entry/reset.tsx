import { useLocation } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Loading } from '../../parts/states.tsx';
import { EntryCard } from '../../session/entry-card.tsx';
import { useSession } from '../../session/session-context.ts';
import { askForReset } from '../../wire/session.ts';
import { AskForm } from './ask-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { texts } from './texts/index.ts';

/** Where a forgotten password is replaced: first by asking for an e-mail, then by its link, whose fragment is the token. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { session } = useSession();
  const { hash } = useLocation();
  const [isUseless, setUseless] = useState(false);
  if (!session) return <Loading />;
  if (hash !== '' && !isUseless)
    return (
      <EntryCard title={t.chooseTitle} lead={t.chooseLead}>
        <PasswordForm token={hash} onUseless={() => setUseless(true)} />
      </EntryCard>
    );
  if (!session.mail) return <EntryCard title={t.title} lead={t.noMail} />;
  return (
    <EntryCard title={t.title} lead={isUseless ? t.useless : t.lead}>
      <AskForm ask={askForReset} sent={t.sent} />
    </EntryCard>
  );
}
