import { Button, Checkbox } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { List, Row, Soft } from '../../components/layout.tsx';
import { useFormats } from '../../i18n/formats.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { mayOf, type Company } from './company.ts';
import { texts as shared } from '../../parts/texts/index.ts';
import { texts } from './texts/index.ts';
import { useAct } from './use-act.ts';

type Bringable = NonNullable<Company['bringable']>[number];

/** Plants that one may see or control alone, and could bring into the company, all that are chosen at once. */
export function Bring({
  bringable: known,
  companyName,
}: {
  readonly bringable: readonly Bringable[] | undefined;
  readonly companyName: string;
}): ReactNode {
  const bringable = known ?? [];
  const t = texts.useTexts();
  const { ownedBy } = shared.useTexts();
  const formats = useFormats();
  const bring = useAct('company/give');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAsked, setAsked] = useState(false);
  // It stays while there is nothing to bring, since what was brought last is still to be said.
  if (bringable.length === 0) return null;
  // Some may have gone meanwhile.
  const plants = bringable.filter(({ id }) => chosen.has(id));
  const number = formats.number(plants.length, 0);
  const done = (): void => {
    setAsked(false);
    setChosen(new Set());
  };
  return (
    <div role="group" aria-label={t.bringTitle}>
      <h3>{t.bringTitle}</h3>
      <Soft>{t.bringLead}</Soft>
      <List divided>
        {bringable.length > 1 && (
          <Row component="li">
            <Checkbox
              label={t.bringAll}
              checked={plants.length === bringable.length}
              indeterminate={plants.length > 0 && plants.length < bringable.length}
              onChange={({ currentTarget: { checked } }) =>
                setChosen(new Set(checked ? bringable.map(({ id }) => id) : []))
              }
            />
          </Row>
        )}
        {bringable.map(({ id, name, level, owner }) => (
          <Row key={id} component="li">
            <Checkbox
              label={<bdi>{name}</bdi>}
              description={[mayOf(t, level), ownedBy(owner)].join(' · ')}
              checked={chosen.has(id)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen(checked ? chosen.union(new Set([id])) : chosen.difference(new Set([id])))
              }
            />
          </Row>
        ))}
      </List>
      <Button variant="default" disabled={plants.length === 0} onClick={() => setAsked(true)}>
        {t.bring(number)}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={t.bringAsk(plants.length, number)}
        action={t.bring(number)}
        busy={bring.busy}
        onConfirm={() =>
          bring.carryOut(
            { plantIds: plants.map(({ id }) => id) },
            t.brought(plants.length, number),
            done,
          )
        }
        onClose={() => setAsked(false)}
      >
        <p>
          <bdi>{formats.list(plants.map(({ name }) => name))}</bdi>
        </p>
        <p>{t.bringGives(companyName, plants.length)}</p>
        <p>{t.bringWayBack}</p>
      </ConfirmDialog>
    </div>
  );
}
