import { Alert, Button } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { useState, type FormEvent, type ReactNode } from 'react';
import { toast } from '../../parts/toast.tsx';
import { CallFailure } from '../../wire/failure.ts';
import { useChange } from '../../wire/queries.ts';
import { Fault } from './fault.tsx';
import styles from './manage.module.css';
import { texts } from './texts/index.ts';
import { decimal, useTextFields } from './text-fields.tsx';
import { ZoneField } from './zone-field.tsx';

const CHANGED_MEANWHILE = 'H0006';
const FIELDS = ['name', 'capacityKwp', 'address', 'latitude', 'longitude', 'timeZone'];

const valuesOf = (plant: WireData<'stationDetail'>) => ({
  name: plant.stationName ?? '',
  capacity: String(plant.capacity1 ?? ''),
  address: plant.addr ?? '',
  latitude: '',
  longitude: '',
  timeZone: plant.timeZoneId ?? '',
});

interface DetailsProps {
  readonly plant: WireData<'stationDetail'>;
  /** Has the plant read again, and this form begun anew with it. */
  readonly onAgain: () => void;
}

/** What its owner says of a plant. What is typed stays while the page is refreshed; whoever saves is told if somebody else was faster. */
export function Details({ plant, onAgain }: DetailsProps): ReactNode {
  const t = texts.useTexts();
  const { mutate, error, isPending } = useChange('plant/edit');
  const [known] = useState(plant);
  const { values, change, field, faultOf } = useTextFields(() => valuesOf(plant), error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const before = valuesOf(known);
    mutate(
      {
        plantId: String(known.id),
        unchangedSince: String(known.updateDate),
        name: values.name,
        capacityKwp: decimal(values.capacity),
        address: values.address,
        latitude: decimal(values.latitude),
        longitude: decimal(values.longitude),
        ...(values.timeZone !== before.timeZone && { timeZone: values.timeZone.trim() }),
      },
      {
        onSuccess: () => {
          toast.show(t.saved);
          onAgain();
        },
      },
    );
  };
  const isLate = error instanceof CallFailure && error.code === CHANGED_MEANWHILE;
  return (
    <form onSubmit={submit} className={styles.card} aria-label={t.details}>
      <h2>{t.details}</h2>
      {isLate ? (
        <Alert color="red" role="alert">
          <p>{t.changedMeanwhile}</p>
          <Button variant="default" onClick={onAgain}>
            {t.loadNewest}
          </Button>
        </Alert>
      ) : (
        <Fault error={error} known={FIELDS} />
      )}
      {field('name', t.name, { required: true, withAsterisk: false, maxLength: 100 })}
      {field('capacity', t.capacity, { required: true, withAsterisk: false, inputMode: 'decimal' }, 'capacityKwp')}
      {field('address', t.address, { maxLength: 300 })}
      <div className={styles.pair}>
        {field('latitude', t.latitude, { inputMode: 'decimal' })}
        {field('longitude', t.longitude, { inputMode: 'decimal' })}
      </div>
      <span className={styles.soft}>{t.positionHint}</span>
      <ZoneField
        value={values.timeZone}
        onChange={(timeZone) => change('timeZone', timeZone)}
        latitude={values.latitude}
        longitude={values.longitude}
        error={faultOf('timeZone')}
      />
      <div>
        <Button type="submit" loading={isPending}>
          {t.save}
        </Button>
      </div>
    </form>
  );
}
