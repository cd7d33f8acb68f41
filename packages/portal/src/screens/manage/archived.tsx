import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import { toast } from '../../parts/toast.tsx';
import { useChange, useOperation } from '../../wire/queries.ts';
import { Fault } from './fault.tsx';
import styles from './manage.module.css';
import { texts } from './texts/index.ts';

/** Plants that were put aside, to bring them back. */
export function Archived({ zone }: { readonly zone: string }): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { data = [] } = useOperation('plant/archived', {});
  const { mutate, error, isPending } = useChange('plant/restore');
  if (data.length === 0) return null;
  return (
    <section className={styles.card} aria-label={t.archived}>
      <h2>{t.archived}</h2>
      <Fault error={error} />
      <ul className={styles.list}>
        {data.map(({ id, name, address, archivedAt }) => (
          <li key={id} className={styles.row}>
            <div>
              <bdi>{name}</bdi>
              <span className={styles.soft}>
                {address && <bdi>{address} · </bdi>}
                {t.archivedOn(formats.dateTime(archivedAt, zone))}
              </span>
            </div>
            <Button
              variant="default"
              loading={isPending}
              aria-label={`${t.restore}: ${name}`}
              onClick={() => mutate({ plantId: id! }, { onSuccess: () => toast.show(t.restored(name!)) })}
            >
              {t.restore}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
