import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { toast } from '../../parts/toast.tsx';
import { useAccount } from '../../session/session-context.ts';
import { useChange } from '../../wire/queries.ts';
import { Archived } from './archived.tsx';
import { Fault } from './fault.tsx';
import styles from './manage.module.css';
import { texts } from './texts/index.ts';
import { decimal, useTextFields } from './text-fields.tsx';
import { ZoneField } from './zone-field.tsx';

const empty = { name: '', capacity: '', address: '', latitude: '', longitude: '', timeZone: '', currency: 'EUR', price: '', collector: '' };
const FIELDS = ['stationName', 'capacity', 'addr', 'latitude', 'longitude', 'timeZoneId', 'money', 'price', 'collectorSn'];

/** A new plant, with the time zone that its position suggests. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const account = useAccount();
  const navigate = useNavigate();
  const { mutate, error, isPending } = useChange('addStation');
  const { values, change, field, faultOf } = useTextFields(() => empty, error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { name, address, timeZone, currency, collector } = values;
    mutate(
      {
        stationName: name,
        capacity: decimal(values.capacity),
        addr: address,
        money: currency.trim(),
        price: decimal(values.price),
        latitude: decimal(values.latitude),
        longitude: decimal(values.longitude),
        timeZoneId: timeZone.trim(),
        collectorSn: collector.trim(),
      },
      {
        onSuccess: ({ id }) => {
          toast.show(t.created);
          void navigate({ to: '/plants/$id', params: { id } });
        },
      },
    );
  };
  return (
    <div className={styles.page}>
      <Link to="/" className={styles.back}>
        {t.toOverview}
      </Link>
      <h1>{t.newPlant}</h1>
      <p className={styles.lead}>{t.newPlantLead}</p>
      <form onSubmit={submit} className={styles.card}>
        <Fault error={error} known={FIELDS} />
        {field('name', t.name, { required: true, withAsterisk: false, maxLength: 100 }, 'stationName')}
        {field('address', t.address, { required: true, withAsterisk: false, maxLength: 300, autoComplete: 'street-address' }, 'addr')}
        <div className={styles.pair}>
          {field('latitude', t.latitude, { inputMode: 'decimal', placeholder: '52.52' })}
          {field('longitude', t.longitude, { inputMode: 'decimal', placeholder: '13.40' })}
        </div>
        <ZoneField
          value={values.timeZone}
          onChange={(timeZone) => change('timeZone', timeZone)}
          latitude={values.latitude}
          longitude={values.longitude}
          error={faultOf('timeZoneId')}
        />
        <div className={styles.pair}>
          {field('capacity', t.capacity, { required: true, withAsterisk: false, inputMode: 'decimal' })}
          {field('price', t.price, { required: true, withAsterisk: false, inputMode: 'decimal' })}
          {field('currency', t.currency, { required: true, withAsterisk: false, maxLength: 3 }, 'money')}
        </div>
        {field('collector', t.collector, { maxLength: 64 }, 'collectorSn')}
        <div>
          <Button type="submit" loading={isPending}>
            {t.create}
          </Button>
        </div>
      </form>
      <Archived zone={account.timeZone} />
    </div>
  );
}
