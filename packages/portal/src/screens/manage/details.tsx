import { Alert, Button } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Card } from '../../components/layout.tsx';
import { KeepUnsaved } from '../../parts/forms/keep-unsaved.tsx';
import { toast } from '../../parts/toast.tsx';
import { CallFailure } from '../../wire/failure.ts';
import type { Position } from '../../parts/map/view.ts';
import { useChange } from '../../wire/queries.ts';
import { ManageFault } from './fault.tsx';
import { CurrencyField } from './place/currency-field.tsx';
import { positionOf } from './place/degrees.ts';
import { PlaceFields } from './place/place-fields.tsx';
import { usePlaceFault } from './place/use-place-fault.ts';
import { useSuggestion } from './place/use-suggestion.ts';
import { ZoneField } from './place/zone-field.tsx';
import { texts } from './texts/index.ts';
import { decimal, useTextFields } from './text-fields.tsx';

const FIELDS = ['name', 'capacityKwp', 'address', 'latitude', 'longitude', 'timeZone', 'currency'];

const valuesOf = (plant: WireData<'plant/show'>, position: Partial<Position> | undefined) => ({
  name: plant.name,
  capacity: String(plant.capacityKwp),
  address: plant.address ?? '',
  latitude: String(position?.latitude ?? ''),
  longitude: String(position?.longitude ?? ''),
  timeZone: plant.zone.name,
  currency: plant.currency,
});

interface DetailsProps {
  readonly plant: WireData<'plant/show'>;
  /** Where it is, as far as that was ever said. */
  readonly place: Partial<Position> | undefined;
  /** Has the plant read again, and this form begun anew with it. */
  readonly onAgain: () => void;
}

/** What its owner says of a plant. What is typed stays while the page is refreshed; a person who saves learns if somebody else was faster. */
export function PlantDetails({ plant, place, onAgain }: DetailsProps): ReactNode {
  const t = texts.useTexts();
  const { mutate, error, isPending } = useChange('plant/edit');
  const [known] = useState(plant);
  const { values, change, field, faultOf } = useTextFields(() => valuesOf(plant, place), error);
  const position = positionOf(values);
  const placeFault = usePlaceFault(values, faultOf);
  const suggestion = useSuggestion(position);
  const isWithoutPlace =
    place !== undefined && values.latitude.trim() + values.longitude.trim() === '';
  const isOtherCurrency = values.currency !== known.currency;
  const isTouched = JSON.stringify(values) !== JSON.stringify(valuesOf(known, place));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate(
      {
        plantId: known.id,
        unchangedSince: String(known.updatedAt),
        name: values.name,
        capacityKwp: decimal(values.capacity),
        address: values.address,
        ...(isWithoutPlace
          ? { withoutPlace: true }
          : { latitude: decimal(values.latitude), longitude: decimal(values.longitude) }),
        ...(values.timeZone !== known.zone.name && { timeZone: values.timeZone }),
        ...(isOtherCurrency && { currency: values.currency }),
      },
      {
        onSuccess: () => {
          toast.show(t.saved);
          onAgain();
        },
      },
    );
  };
  const isLate = error instanceof CallFailure && error.is('changedMeanwhile');
  return (
    <Card id="details" onSubmit={submit} component="form" aria-label={t.details}>
      <KeepUnsaved when={isTouched && !isPending} />
      <h2>{t.details}</h2>
      {isLate ? (
        <Alert color="red" role="alert">
          <p>{t.changedMeanwhile}</p>
          <Button variant="default" onClick={onAgain}>
            {t.loadNewest}
          </Button>
        </Alert>
      ) : (
        <ManageFault error={error} known={FIELDS} />
      )}
      {field('name', t.name, { required: true, maxLength: 100 })}
      {field('capacity', t.capacity, { required: true, inputMode: 'decimal' }, 'capacityKwp')}
      {field('address', t.address, { maxLength: 300 })}
      <PlaceFields position={position} change={change} isAtSea={suggestion.isAtSea}>
        {field('latitude', t.latitude, { inputMode: 'decimal', error: placeFault('latitude') })}
        {field('longitude', t.longitude, { inputMode: 'decimal', error: placeFault('longitude') })}
      </PlaceFields>
      <ZoneField
        value={values.timeZone}
        onChange={(zone) => change('timeZone', zone)}
        suggestion={suggestion.timeZone}
        error={faultOf('timeZone')}
      />
      <CurrencyField
        value={values.currency}
        onChange={(currency) => change('currency', currency)}
        error={faultOf('currency')}
      />
      {isOtherCurrency && (
        <Alert color="yellow">{t.notConverted(known.currency, values.currency)}</Alert>
      )}
      <div>
        <Button type="submit" loading={isPending}>
          {t.save}
        </Button>
      </div>
    </Card>
  );
}
