import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import cards from '../../../parts/cards.module.css';
import { RefusalAlert } from '../../../parts/forms/refusal-alert.tsx';
import { toast } from '../../../parts/toast.tsx';
import { useChange } from '../../../wire/queries.ts';
import type { Device } from '../device.ts';
import styles from '../device.module.css';
import { texts } from '../texts/index.ts';

const valuesOf = (device: Device) => ({
  name: device.name ?? '',
  ...(device.kind !== 'collector' && { model: device.model ?? '' }),
  ...(device.kind === 'inverter' && {
    ratedPower: device.ratedPowerW === undefined ? '' : String(device.ratedPowerW / 1000),
    dcInputs: String(device.facts.dcInputs ?? ''),
  }),
});

const NUMBERS: readonly string[] = ['ratedPower', 'dcInputs'];

/** The name of a device, and what it does not say rightly itself. Only what was changed is sent. */
export function Correction({ device }: { readonly device: Device }): ReactNode {
  const t = texts.useTexts().setUp;
  const edit = useChange('device/edit');
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => valuesOf(device));
  const known: Readonly<Record<string, string>> = valuesOf(device);
  const changed = Object.entries(values)
    .filter(([name, value]) => value.trim() !== known[name])
    .map(([name, value]) => [
      name,
      NUMBERS.includes(name) ? value.trim().replace(',', '.') : value,
    ]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    edit.mutate(
      { plantId: device.plant.id, sn: device.sn, ...Object.fromEntries(changed) },
      { onSuccess: () => toast.show(t.saved) },
    );
  };
  return (
    <form onSubmit={submit} className={styles.linkBody} aria-label={t.title}>
      <div className={cards.pair}>
        {(['name', 'model', 'ratedPower', 'dcInputs'] as const).map(
          (name) =>
            values[name] !== undefined && (
              <TextInput
                key={name}
                label={t[name]}
                description={name === 'name' ? t.nameLead : undefined}
                maxLength={100}
                value={values[name]}
                onChange={({ currentTarget: { value } }) => setValues({ ...values, [name]: value })}
                {...(NUMBERS.includes(name) && {
                  inputMode: 'decimal' as const,
                  pattern: String.raw`\s*\d+([.,]\d+)?\s*`,
                  title: t.number,
                })}
              />
            ),
        )}
      </div>
      <div>
        <Button type="submit" disabled={changed.length === 0} loading={edit.isPending}>
          {t.save}
        </Button>
      </div>
      <RefusalAlert error={edit.error} />
    </form>
  );
}
