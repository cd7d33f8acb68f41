import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Card, Section, Soft } from '../../../components/layout.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { CopyField } from '../../../parts/copy-field.tsx';
import { RefusalAlert } from '../../../parts/forms/refusal-alert.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { useChange } from '../../../wire/queries.ts';
import styles from '../device.module.css';
import { texts } from '../texts/index.ts';

interface TokenCardProps {
  readonly plantId: string;
  readonly sn: string;
}

/** A new token for a collector instead of its former one; it is shown nowhere else. */
export function TokenCard({ plantId, sn }: TokenCardProps): ReactNode {
  const t = texts.useTexts().token;
  const [isAsking, setAsking] = useState(false);
  const replace = useChange('collector/replaceToken');
  const token = replace.data?.token;
  return (
    <Card aria-label={t.title}>
      <details className={styles.link} data-part="token">
        <summary>
          <strong>{t.title}</strong>
        </summary>
        <Section component="div">
          {token === undefined ? (
            <>
              <Soft>{t.lead}</Soft>
              <div>
                <Button variant="default" onClick={() => setAsking(true)}>
                  {t.replace}
                </Button>
              </div>
            </>
          ) : (
            <>
              <CopyField label={t.title} value={token} description={t.file} />
              <Notice kind="warn" title={t.once}>
                <p>{t.onceLead}</p>
              </Notice>
            </>
          )}
          <RefusalAlert error={replace.error} />
        </Section>
      </details>
      <ConfirmDialog
        opened={isAsking}
        title={t.replace}
        action={t.replace}
        dangerous
        busy={replace.isPending}
        onConfirm={() => replace.mutate({ plantId, sn }, { onSettled: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        <p>{t.sure}</p>
      </ConfirmDialog>
    </Card>
  );
}
