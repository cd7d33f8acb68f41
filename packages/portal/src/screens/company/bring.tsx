import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import cards from '../../parts/cards.module.css';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import type { Company } from './company.ts';
import { texts } from './texts/index.ts';
import { useAct } from './use-act.ts';

type Bringable = NonNullable<Company['bringable']>[number];

/** Plants that one may see or control alone, and could bring into the company. */
export function Bring({ bringable, companyName }: { readonly bringable: readonly Bringable[] | undefined; readonly companyName: string }): ReactNode {
  const t = texts.useTexts();
  const bring = useAct('company/give');
  const [asked, setAsked] = useState<Bringable>();
  // It stays while there is nothing to bring, since what was brought last is still to be said.
  if (!bringable?.length) return null;
  return (
    <div>
      <h3>{t.bringTitle}</h3>
      <p className={cards.lead}>{t.bringLead}</p>
      <ul className={cards.list}>
        {bringable.map((plant) => (
          <li key={plant.id} className={cards.row}>
            <div>
              <bdi>{plant.name}</bdi>
              <span className={cards.soft}>{[plant.level === 'control' ? t.mayControl : t.maySee, t.ownedBy(plant.owner)].join(' · ')}</span>
            </div>
            <Button variant="default" aria-label={`${t.bring}: ${plant.name}`} onClick={() => setAsked(plant)}>
              {t.bring}
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={asked !== undefined}
        title={t.bringAsk}
        action={t.bring}
        busy={bring.busy}
        onConfirm={() => bring.carryOut({ plantIds: [asked!.id] }, t.brought(asked!.name), () => setAsked(undefined))}
        onClose={() => setAsked(undefined)}
      >
        <p>
          <bdi>{asked?.name}</bdi>
        </p>
        {(asked?.level === 'control' ? t.bringControl : t.bringRead)(companyName)}
      </ConfirmDialog>
    </div>
  );
}
