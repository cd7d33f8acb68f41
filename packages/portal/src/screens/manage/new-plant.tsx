import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import cards from '../../parts/cards.module.css';
import { toast } from '../../parts/toast.tsx';
import { useChange } from '../../wire/queries.ts';
import { Archived } from './archived.tsx';
import { Fault } from './fault.tsx';
import { CurrencyField } from './place/currency-field.tsx';
import { positionOf } from './place/degrees.ts';
import { PlaceFields } from './place/place-fields.tsx';
import { useSuggestion } from './place/use-suggestion.ts';
import { ZoneField } from './place/zone-field.tsx';
import { texts } from './texts/index.ts';
import { decimal, useTextFields } from './text-fields.tsx';

const empty = { name: '', capacity: '', address: '', latitude: '', longitude: '', timeZone: '', currency: '', price: '', collector: '' };
const FIELDS = ['stationName', 'capacity', 'addr', 'latitude', 'longitude', 'timeZoneId', 'money', 'price', 'collectorSn'];

/** A new plant. Its time zone and currency are those of its position, until others are chosen; they are always shown, and never those of the account unasked. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const navigate = useNavigate();
  const { mutate, error, isPending } = useChange('addStation');
  const { values, change, field, faultOf } = useTextFields(() => empty, error);
  const [isTried, setTried] = useState(false);
  const position = positionOf(values);
  const suggestion = useSuggestion(position);
  const timeZone = values.timeZone || (suggestion.timeZone ?? '');
  const currency = values.currency || (suggestion.currency ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (timeZone === '' || currency === '') return;
    const { name, address, collector } = values;
    mutate(
      {
        stationName: name,
        capacity: decimal(values.capacity),
        addr: address,
        money: currency,
        price: decimal(values.price),
        latitude: decimal(values.latitude),
        longitude: decimal(values.longitude),
        timeZoneId: timeZone,
        collectorSn: collector.trim(),
      },
      {
        onSuccess: ({ id }) => {
          toast.show(
            t.created,
            <Link to="/plants/$id/settings" params={{ id }} search={{ bind: true }}>
              {t.addCollector}
            </Link>,
          );
          void navigate({ to: '/plants/$id', params: { id } });
        },
      },
    );
  };
  return (
    <div className={cards.page}>
      <Link to="/" className={cards.link}>
        {t.toOverview}
      </Link>
      <h1>{t.newPlant}</h1>
      <p className={cards.lead}>{t.newPlantLead}</p>
      <form onSubmit={submit} className={cards.card}>
        <Fault error={error} known={FIELDS} />
        <p className={cards.lead}>{t.needed}</p>
        {field('name', t.name, { required: true, maxLength: 100 }, 'stationName')}
        {field('address', t.address, { required: true, maxLength: 300, autoComplete: 'street-address' }, 'addr')}
        <PlaceFields position={position} change={change} isAtSea={suggestion.isAtSea}>
          {field('latitude', t.latitude, { inputMode: 'decimal', placeholder: '52.52' })}
          {field('longitude', t.longitude, { inputMode: 'decimal', placeholder: '13.40' })}
        </PlaceFields>
        <ZoneField
          value={timeZone}
          onChange={(chosen) => change('timeZone', chosen)}
          suggestion={suggestion.timeZone}
          error={faultOf('timeZoneId') ?? (isTried && timeZone === '' ? t.chooseZone : undefined)}
        />
        <CurrencyField
          value={currency}
          onChange={(chosen) => change('currency', chosen)}
          error={faultOf('money') ?? (isTried && currency === '' ? t.chooseCurrency : undefined)}
        />
        <div className={cards.pair}>
          {field('capacity', t.capacity, { required: true, inputMode: 'decimal' })}
          {field('price', t.price, { required: true, inputMode: 'decimal' })}
        </div>
        {field('collector', t.collector, { maxLength: 64 }, 'collectorSn')}
        <div>
          <Button type="submit" loading={isPending}>
            {t.create}
          </Button>
        </div>
      </form>
      <Archived />
    </div>
  );
}
