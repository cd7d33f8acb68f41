import { Button } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { Actions, Form } from '../../components/layout.tsx';
import { Dialog } from '../../focus/dialog.tsx';
import { useAccount } from '../../session/session-context.ts';
import { CheckIcon, CopyIcon, DownloadIcon } from '../../parts/icons.tsx';
import { useCopy } from '../../parts/copying/use-copy.ts';
import styles from './screen.module.css';
import { texts } from './texts/index.ts';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** What has just happened, if they came with that. */
  readonly lead?: string;
  readonly onKept: () => void;
}

/** Shows new recovery codes, which cannot be shown again. */
export function RecoveryCodes({ codes, lead, onKept }: RecoveryCodesProps): ReactNode {
  const t = texts.useTexts();
  const { email } = useAccount();
  const list = useRef<HTMLUListElement>(null);
  const { isCopied, copy } = useCopy(codes.join('\n'), {
    select: () => list.current && getSelection()?.selectAllChildren(list.current),
  });
  const file = `Helioport, ${email}: ${t.recovery}\n\n${codes.join('\n')}\n`;
  return (
    <Dialog
      opened
      onClose={onKept}
      title={t.codesTitle}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Form component="div">
        {lead !== undefined && <p>{lead}</p>}
        <p>{t.codesLead}</p>
        <ul ref={list} className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Actions>
          <Button
            variant="default"
            leftSection={isCopied ? <CheckIcon size={18} /> : <CopyIcon size={18} />}
            onClick={copy}
          >
            {isCopied ? t.codesCopied : t.copyCodes}
          </Button>
          <Button
            component="a"
            variant="default"
            leftSection={<DownloadIcon size={18} />}
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
            download="helioport-recovery-codes.txt"
          >
            {t.downloadCodes}
          </Button>
        </Actions>
        <Button onClick={onKept}>{t.codesKept}</Button>
      </Form>
    </Dialog>
  );
}
