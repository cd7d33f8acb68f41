import { Button, Modal, NativeSelect } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { CopyField } from '../../../parts/copy-field.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { toast } from '../../../parts/toast.tsx';
import { useConsoleChange } from '../../../wire/console.ts';
import styles from '../console.module.css';
import { texts } from '../texts/index.ts';

const HOUR_SECONDS = 3600;
const OVERLAPS = { now: 0, hour: HOUR_SECONDS, day: 24 * HOUR_SECONDS, week: 168 * HOUR_SECONDS } as const;
type Overlap = keyof typeof OVERLAPS;

/** A collector's tokens: a new one, shown once, or none at all. */
export function TokenDialog({ sn, onClose }: { readonly sn: string; readonly onClose: () => void }): ReactNode {
  const all = texts.useTexts();
  const t = all.collectors;
  const [overlap, setOverlap] = useState<Overlap>('day');
  const [isSure, setSure] = useState(false);
  const rotate = useConsoleChange('collector/rotate');
  const revoke = useConsoleChange('collector/revoke');
  const onError = (fault: Error): void => toast.fault(all.failed(fault.message));
  const withdraw = (): void =>
    revoke.mutate(
      { sn },
      {
        onSuccess: () => {
          toast.show(t.revoked(sn));
          onClose();
        },
        onError,
      },
    );
  const token = rotate.data?.token;
  return (
    <Modal opened onClose={onClose} title={sn} closeButtonProps={{ 'aria-label': t.close }} closeOnClickOutside={token === undefined}>
      {token === undefined ? (
        <div className={styles.form}>
          <p>{t.rotateLead}</p>
          <NativeSelect
            label={t.overlap}
            value={overlap}
            onChange={({ currentTarget: { value } }) => setOverlap(value as Overlap)}
            data={(Object.keys(OVERLAPS) as Overlap[]).map((value) => ({ value, label: t.overlaps[value] }))}
          />
          <Button loading={rotate.isPending} onClick={() => rotate.mutate({ sn, overlapSeconds: OVERLAPS[overlap] }, { onError })}>
            {t.rotate}
          </Button>
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
      ) : (
        <div className={styles.form}>
          <Notice kind="warn" title={t.once} />
          <CopyField label={t.token} value={token} />
          <Button onClick={onClose}>{t.close}</Button>
        </div>
      )}
    </Modal>
  );
}
