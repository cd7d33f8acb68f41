import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/formats.ts';
import cards from '../../parts/cards.module.css';
import { AccountClock } from '../../parts/people/account-clock.tsx';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange, useOperation } from '../../wire/queries.ts';
import { Fault } from './fault.tsx';
import { texts } from './texts/index.ts';

/** Plants that were put aside, to bring them back. */
export function Archived(): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { timeZone } = useAccount();
  const { data = [] } = useOperation('plant/archived', {});
  const { mutate, error, isPending } = useChange('plant/restore');
  if (data.length === 0) return null;
  return (
    <section className={cards.card} aria-label={t.archived}>
      <h2>{t.archived}</h2>
      <Fault error={error} />
      <ul className={cards.list}>
        {data.map(({ id, name, address, archivedAt }) => (
          <li key={id} className={cards.row}>
            <div>
              <bdi>{name}</bdi>
              <span className={cards.soft}>
                {address && <bdi>{address} · </bdi>}
                {t.archivedOn(formats.dateTime(archivedAt, timeZone))}
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
      <AccountClock />
    </section>
  );
}
