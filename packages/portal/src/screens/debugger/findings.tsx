import { sentenceOf, type Diagnosis } from '@helioport/sdk/diagnosis';
import type { ReactNode } from 'react';
import { Hint, More, Note, Section } from '../../components/layout.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { ByteView } from './byte-view.tsx';
import styles from './debugger.module.css';
import { texts } from './texts/index.ts';

interface FindingsProps {
  readonly diagnosis: Diagnosis;
  readonly isSecretKnown: boolean;
}

/** What is wrong with a request, how that is known, and what the service expects. */
export function Findings({ diagnosis, isSecretKnown }: FindingsProps): ReactNode {
  const t = texts.useTexts();
  const { faults, isSignatureRight, stringToSign, signedText, bodyDigest, expectedSign } =
    diagnosis;
  return (
    <>
      <h2>{t.result}</h2>
      {faults.length === 0 && (
        <Hint component="div" good={isSignatureRight} plain={!isSignatureRight} role="status">
          <strong>{isSignatureRight ? t.right : t.noForm}</strong>
          <p>{isSignatureRight ? t.rightLead : t.noFormLead}</p>
        </Hint>
      )}
      {faults.length > 0 && (
        <ol className={styles.faults}>
          {faults.map((fault) => (
            <li key={`${fault.cause} ${fault.part}`} data-cause={fault.cause}>
              <p>
                <bdi>{sentenceOf(t.sentences, fault)}</bdi>
              </p>
              <small data-proof={fault.proof}>{t.proofs[fault.proof]}</small>
            </li>
          ))}
        </ol>
      )}
      {!isSecretKnown && faults.length > 0 && <Note>{t.unchecked}</Note>}
      <ByteView service={stringToSign} {...(signedText !== undefined && { yours: signedText })} />
      <More>
        <summary>{t.expected}</summary>
        <Section component="div">
          <CopyField label={t.expectedMd5} value={bodyDigest} />
          {expectedSign !== undefined && <CopyField label={t.expectedSign} value={expectedSign} />}
        </Section>
      </More>
    </>
  );
}
