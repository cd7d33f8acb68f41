import { Button } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { Link } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import cards from '../../parts/cards.module.css';
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
    <div className={cards.page}>
      <PlantHead plant={plant} page="settings" />
      <p className={cards.lead}>{t.installLead}</p>
      <section className={cards.card} aria-label={t.devices}>
        <h2>{t.devices}</h2>
        <p className={cards.lead}>{t.installDevices}</p>
        <div className={cards.actions}>
          <Link to="/plants/$id/devices" params={{ id }} className={cards.link}>
            {t.toItsDevices}
          </Link>
          <Link to="/plants/$id/connect" params={{ id }} className={cards.link}>
            {t.connect}
          </Link>
        </div>
        <WaitingDiscoveries plantId={id} />
      </section>
      <Capacity plantId={id} capacityKwp={capacityKwp} />
      <Arrays key={`arrays ${id}`} plantId={id} capacityKwp={capacityKwp} />
    </div>
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
    <form onSubmit={submit} className={cards.card} aria-label={t.details}>
      <h2>{t.details}</h2>
      <ManageFault error={error} known={['capacityKwp']} />
      {field('capacity', t.capacity, { required: true, ...DECIMAL_FIELD }, 'capacityKwp')}
      <div>
        <Button type="submit" loading={isPending}>
          {t.save}
        </Button>
      </div>
    </form>
  );
}
