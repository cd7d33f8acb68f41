import { diagnose, Unreadable, type Diagnosis } from '@helioport/sdk/diagnosis';
import { Link } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import { Card, Page } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { DeveloperLinks } from '../../parts/developer/developer-links.tsx';
import { useSession } from '../../session/session-context.ts';
import { serverNow } from '../../wire/server-clock.ts';
import styles from './debugger.module.css';
import { caseOf, EMPTY, EXAMPLE, withPasted, type Draft } from './draft.ts';
import { Findings } from './findings.tsx';
import { RequestForm } from './request-form.tsx';
import { texts } from './texts/index.ts';

/** Finds out why a signed request was refused. Everything is reckoned in the browser; nothing is asked of the server, and nothing is kept. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { session } = useSession();
  const account = session?.account;
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [pasted, setPasted] = useState('');
  const [fault, setFault] = useState('');
  const [diagnosis, setDiagnosis] = useState<Diagnosis>();
  const result = useRef<HTMLElement>(null);

  const wordsOf = (error: unknown): string => {
    if (!(error instanceof Unreadable)) throw error;
    return `${t.unreadable[error.reason]} ${error.detail}`.trim();
  };
  const change = (next: Draft): void => {
    setDraft(next);
    setDiagnosis(undefined);
  };
  const paste = (text: string, onto: Draft): void => {
    setPasted(text);
    try {
      change(text.trim() === '' ? onto : withPasted(onto, text));
      setFault('');
    } catch (error) {
      setFault(wordsOf(error));
    }
  };
  const check = (): void => {
    try {
      setDiagnosis(diagnose(caseOf(draft, serverNow())));
      setFault('');
      requestAnimationFrame(() => result.current?.focus());
    } catch (error) {
      setFault(wordsOf(error));
    }
  };

  return (
    <Page narrow>
      {/* Operators of the service have no pages for developers, and strangers only this one. */}
      {account && account.role !== 'operator' && <DeveloperLinks />}
      <header className={styles.head}>
        <PageHeading>{t.title}</PageHeading>
        {session && !account && (
          <p role="status">
            {t.notSignedIn} <Link to="/">{t.signIn}</Link>
          </p>
        )}
        <p>{t.lead}</p>
        <p className={styles.private}>{t.privacy}</p>
      </header>
      <RequestForm
        draft={draft}
        pasted={pasted}
        fault={fault}
        onChange={change}
        onPaste={(text) => paste(text, draft)}
        onExample={() =>
          paste(EXAMPLE.pasted, {
            ...EMPTY,
            keySecret: EXAMPLE.keySecret,
            arrived: EXAMPLE.arrived,
          })
        }
        onClear={() => paste('', EMPTY)}
        onCheck={check}
      />
      {diagnosis && (
        <Card ref={result} tabIndex={-1} aria-label={t.result}>
          <Findings diagnosis={diagnosis} isSecretKnown={draft.keySecret !== ''} />
        </Card>
      )}
    </Page>
  );
}
