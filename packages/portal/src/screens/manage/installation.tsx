import { Button } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { Actions, Card, Page, Soft } from '../../components/layout.tsx';
import { PlantHead } from '../../parts/plants/plant-head.tsx';
import { toast } from '../../parts/toast.tsx';
import { useChange } from '../../wire/queries.ts';
import { Arrays } from './arrays/arrays.tsx';
import { ManageFault } from './fault.tsx';
import { texts } from './texts/index.ts';
import { decimal, DECIMAL_FIELD, useTextFields } from './text-fields.tsx';
import { WaitingDiscoveries } from './waiting.tsx';

/** The settings of a plant for somebody whom its owner lets install it: its modules, and its devices. */
export function Installation({ plant }: { readonly plant: WireData<'plant/show'> }): ReactNode {
  const t = texts.useTexts();
  const { id, capacityKwp } = plant;
  return (
    <Page narrow>
      <PlantHead plant={plant} page="settings" />
      <Soft>{t.installLead}</Soft>
      <Card aria-label={t.devices}>
        <h2>{t.devices}</h2>
        <Soft>{t.installDevices}</Soft>
        <Actions>
          <Link to="/plants/$id/devices" params={{ id }}>
            {t.toItsDevices}
          </Link>
          <Link to="/plants/$id/connect" params={{ id }}>
            {t.connect}
          </Link>
        </Actions>
        <WaitingDiscoveries plantId={id} />
      </Card>
      <Capacity plantId={id} capacityKwp={capacityKwp} />
      <Arrays key={`arrays ${id}`} plantId={id} capacityKwp={capacityKwp} />
    </Page>
  );
}

interface CapacityProps {
  readonly plantId: string;
  readonly capacityKwp: number;
}

function Capacity({ plantId, capacityKwp }: CapacityProps): ReactNode {
  const t = texts.useTexts();
  const { mutate, error, isPending } = useChange('plant/edit');
  const { values, field } = useTextFields(() => ({ capacity: String(capacityKwp) }), error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate(
      { plantId, capacityKwp: decimal(values.capacity) },
      { onSuccess: () => toast.show(t.saved) },
    );
  };
  return (
    <Card onSubmit={submit} component="form" aria-label={t.details}>
      <h2>{t.details}</h2>
      <ManageFault error={error} known={['capacityKwp']} />
      {field('capacity', t.capacity, { required: true, ...DECIMAL_FIELD }, 'capacityKwp')}
      <div>
        <Button type="submit" loading={isPending}>
          {t.save}
        </Button>
      </div>
    </Card>
  );
}
