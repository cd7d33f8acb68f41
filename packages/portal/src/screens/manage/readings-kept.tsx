import { Button, NativeSelect } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Card, Soft } from '../../components/layout.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { KeepUnsaved } from '../../parts/forms/keep-unsaved.tsx';
import { toast } from '../../parts/toast.tsx';
import { useChange } from '../../wire/queries.ts';
import { ManageFault } from './fault.tsx';
import { texts } from './texts/index.ts';

/** As the whole installation. */
const OFF = 'off';
const EXPIRY = [OFF, '365d', '730d', '1825d', '3650d'];
const THINNING = [OFF, '90d:15m', '365d:15m', '730d:15m'];

/** How long readings of a plant are kept: never longer than in the whole installation, and what is deleted does not come back. */
export function ReadingsKept({ plant }: { readonly plant: WireData<'plant/show'> }): ReactNode {
  const { kept: t, saved } = texts.useTexts();
  const { mutate, error, isPending } = useChange('plant/edit');
  const inForce = {
    readingRetention: plant.readingRetention ?? OFF,
    readingThinning: plant.readingThinning ?? OFF,
  };
  const [chosen, choose] = useState(inForce);
  const [isAsked, setAsked] = useState(false);
  const isTouched = JSON.stringify(chosen) !== JSON.stringify(inForce);
  const ask = (event: FormEvent): void => {
    event.preventDefault();
    setAsked(true);
  };
  const save = (): void =>
    mutate(
      { plantId: plant.id, ...chosen },
      { onSuccess: () => toast.show(saved), onSettled: () => setAsked(false) },
    );
  const select = (name: keyof typeof chosen, options: readonly string[]): ReactNode => (
    <NativeSelect
      label={t[name]}
      value={chosen[name]}
      onChange={({ currentTarget: { value } }) => choose({ ...chosen, [name]: value })}
      data={[...new Set([...options, inForce[name]])].map((value) => ({
        value,
        label: value === OFF ? t.off : t.afterDays(Number.parseInt(value, 10)),
      }))}
    />
  );
  return (
    <Card id="kept" onSubmit={ask} component="form" aria-label={t.title}>
      <KeepUnsaved when={isTouched && !isPending} />
      <h2>{t.title}</h2>
      <Soft>{t.lead}</Soft>
      {select('readingThinning', THINNING)}
      {select('readingRetention', EXPIRY)}
      <ManageFault error={error} />
      <div>
        <Button type="submit" disabled={!isTouched}>
          {t.save}
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsked}
        title={t.title}
        action={t.save}
        dangerous
        busy={isPending}
        onConfirm={save}
        onClose={() => setAsked(false)}
      >
        {t.warning}
      </ConfirmDialog>
    </Card>
  );
}
