import { Button, Modal } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { toast } from '../../../parts/toast.tsx';
import { useConsoleChange } from '../../../wire/console.ts';
import styles from '../console.module.css';
import { texts } from '../texts/index.ts';

/** Withdraws a collector's tokens. The console makes no new ones: whoever had one could report in an owner's name. */
export function TokenDialog({ sn, onClose }: { readonly sn: string; readonly onClose: () => void }): ReactNode {
  const all = texts.useTexts();
  const t = all.collectors;
  const [isSure, setSure] = useState(false);
  const revoke = useConsoleChange('collector/revoke');
  const withdraw = (): void =>
    revoke.mutate(
      { sn },
      {
        onSuccess: () => {
          toast.show(t.revoked(sn));
          onClose();
        },
        onError: (fault: Error) => toast.fault(all.failed(fault.message)),
      },
    );
  return (
    <Modal opened onClose={onClose} title={sn} closeButtonProps={{ 'aria-label': t.close }}>
      <div className={styles.form}>
        <p>{t.revokeLead}</p>
        <Button
          variant={isSure ? 'filled' : 'default'}
          color={isSure ? 'red.8' : undefined}
          loading={revoke.isPending}
          onClick={() => (isSure ? withdraw() : setSure(true))}
        >
          {isSure ? `${t.revoke} – ${all.accounts.sure}` : t.revoke}
        </Button>
      </div>
    </Modal>
  );
}
