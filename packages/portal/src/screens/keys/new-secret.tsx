import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { CopyField } from '../../parts/copy-field.tsx';
import { CheckIcon, CopyIcon } from '../../parts/icons.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useSession } from '../../session/session-context.ts';
import styles from './keys.module.css';
import { signedRequest } from '../../parts/developer/signed-request.ts';
import { texts } from './texts/index.ts';

interface NewSecretProps {
  readonly pair: { readonly keyId: string; readonly keySecret: string };
  /** Whether it replaces another key pair, which goes on until it is disabled. */
  readonly replaces: boolean;
  readonly onClose: () => void;
}

/** A key pair that was just created. Its secret is nowhere else, and it is of use after the next log-in. */
export function NewSecret({ pair, replaces, onClose }: NewSecretProps): ReactNode {
  const { created: t, waitingWhy } = texts.useTexts();
  const { session, end } = useSession();
  const [isCopied, setCopied] = useState(false);
  const request = signedRequest({ ...pair, userApiUrl: session?.userApiUrl ?? '' });
  const copy = (): void => {
    navigator.clipboard?.writeText(request).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div className={styles.form}>
      <Notice kind="warn" title={t.once}>
        <p>{t.onceLead}</p>
      </Notice>
      <CopyField label="KeyID" value={pair.keyId} />
      <CopyField label="KeySecret" value={pair.keySecret} />
      <Notice title={t.waiting}>
        <p>{t.waitingLead}</p>
        <p>{waitingWhy}</p>
        {replaces && <p>{t.overlap}</p>}
      </Notice>
      <details className={styles.request}>
        <summary>{t.request}</summary>
        <p>{t.requestLead}</p>
        <textarea readOnly wrap="off" rows={12} value={request} aria-label={t.request} />
        <Button variant="default" size="xs" leftSection={isCopied ? <CheckIcon size={16} /> : <CopyIcon size={16} />} onClick={copy}>
          {isCopied ? t.copied : t.copy}
        </Button>
      </details>
      <div className={styles.actions}>
        <Button variant="default" onClick={onClose}>
          {t.later}
        </Button>
        <Button onClick={() => void end()}>{t.logOut}</Button>
      </div>
    </div>
  );
}
