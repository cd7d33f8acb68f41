import type { ReactNode } from 'react';
import { EntryCard } from './entry-card.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { texts } from './texts/index.ts';

/** The page on which people sign in. It stands in place of the page that they asked for, which follows at once. */
export function SignIn(): ReactNode {
  const t = texts.useTexts();
  return (
    <EntryCard title={t.title} lead={t.lead}>
      <SignInForm />
    </EntryCard>
  );
}
