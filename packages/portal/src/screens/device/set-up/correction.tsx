import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Fields, Section } from '../../../components/layout.tsx';
import { RefusalAlert } from '../../../parts/forms/refusal-alert.tsx';
import { toast } from '../../../parts/toast.tsx';
import { useChange } from '../../../wire/queries.ts';
import type { Device } from '../device.ts';
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
    <Section onSubmit={submit} component="form" aria-label={t.title}>
      <Fields>
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
      </Fields>
      <div>
        <Button type="submit" disabled={changed.length === 0} loading={edit.isPending}>
          {t.save}
        </Button>
      </div>
      <RefusalAlert error={edit.error} />
    </Section>
  );
}
