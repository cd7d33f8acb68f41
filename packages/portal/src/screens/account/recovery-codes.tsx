import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyField } from '../../parts/copy-field.tsx';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

/** Shows new recovery codes, which cannot be shown again. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps): ReactNode {
  const t = texts.useTexts();
  return (
    <Modal opened onClose={onKept} title={t.codesTitle} closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false}>
      <div className={styles.form}>
        <p>{t.codesLead}</p>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <CopyField label={t.copyCodes} value={codes.join(' ')} />
        <Button onClick={onKept}>{t.codesKept}</Button>
      </div>
    </Modal>
  );
}
