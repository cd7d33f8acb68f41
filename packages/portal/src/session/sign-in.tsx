import type { ReactNode } from 'react';
import { SignInForm } from './sign-in-form.tsx';
import styles from './sign-in.module.css';
import { texts } from './texts/index.ts';

/** The page on which people sign in. It stands in place of the page that they asked for, which follows at once. */
export function SignIn(): ReactNode {
  const t = texts.useTexts();
  return (
    <div className={styles.card}>
      <h1>{t.title}</h1>
      <p className={styles.lead}>{t.lead}</p>
      <SignInForm />
    </div>
  );
}
