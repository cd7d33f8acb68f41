import { Button } from '@mantine/core';
import { errorCodes } from '@helioport/contract/error-codes';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Card, Choices, Page, Soft } from '../../components/layout.tsx';
import { PageHeading } from '../../focus/page-heading.tsx';
import { Back } from '../../parts/navigation/back.tsx';
import { InstallationLinks } from '../../parts/navigation/section-links.tsx';
import { toast } from '../../parts/toast.tsx';
import { CallFailure } from '../../wire/failure.ts';
import { useAccount } from '../../session/session-context.ts';
import { useChange } from '../../wire/queries.ts';
import type { ConnectFamily } from './connect/families.ts';
import { FamilyChoice } from './connect/family-choice.tsx';
import { ManageFault } from './fault.tsx';
import { CurrencyField } from './place/currency-field.tsx';
import { positionOf } from './place/degrees.ts';
import { PlaceFields } from './place/place-fields.tsx';
import { usePlaceFault } from './place/use-place-fault.ts';
import { useSuggestion } from './place/use-suggestion.ts';
import { ZoneField } from './place/zone-field.tsx';
import { texts } from './texts/index.ts';
import { decimal, useTextFields } from './text-fields.tsx';
import { useFirstFault } from './use-first-fault.ts';

const empty = {
  name: '',
  capacity: '',
  address: '',
  latitude: '',
  longitude: '',
  timeZone: '',
  currency: '',
  price: '',
  importPrice: '',
  exportPrice: '',
  collector: '',
};
const FIELDS = [
  'stationName',
  'capacity',
  'addr',
  'latitude',
  'longitude',
  'timeZoneId',
  'money',
  'price',
  'importPrice',
  'exportPrice',
  'sn',
];

/** A new plant. Its time zone and currency are those of its position, until others are chosen; they are always shown, and never those of the account unasked. */
export function Screen(): ReactNode {
  const t = texts.useTexts();
  const { role } = useAccount();
  const navigate = useNavigate();
  const { mutate, error, isPending } = useChange('addStationBindCollector');
  const { values, change, field, faultOf } = useTextFields(() => empty, error);
  const [attempts, setAttempts] = useState(0);
  const [have, setHave] = useState<ConnectFamily>();
  const form = useFirstFault(attempts, error);
  const position = positionOf(values);
  const placeFault = usePlaceFault(values, faultOf);
  const suggestion = useSuggestion(position);
  const timeZone = values.timeZone || (suggestion.timeZone ?? '');
  const currency = values.currency || (suggestion.currency ?? '');
  const missing = (value: string, said = t.missing): string | undefined =>
    attempts > 0 && value.trim() === '' ? said : undefined;
  const needed = (name: 'name' | 'address' | 'capacity', wire: string) => ({
    required: true,
    error: faultOf(wire) ?? missing(values[name]),
  });
  // These say of no field that it is to blame; no other can be.
  const refusals: Readonly<Record<string, string>> = {
    [errorCodes.collectorUnknown]: t.collectorRefused,
    [errorCodes.deviceAlreadyBound]: t.collectorTaken,
  };
  const collectorFault = error instanceof CallFailure ? refusals[error.code] : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { name, address, capacity, price, collector } = values;
    if ([name, address, timeZone, currency, capacity].some((value) => value.trim() === '')) {
      setAttempts(attempts + 1);
      return;
    }
    mutate(
      {
        stationName: name,
        capacity: decimal(capacity),
        addr: address,
        money: currency,
        price: decimal(price),
        importPrice: decimal(values.importPrice),
        exportPrice: decimal(values.exportPrice),
        latitude: decimal(values.latitude),
        longitude: decimal(values.longitude),
        timeZoneId: timeZone,
        sn: collector.trim(),
      },
      {
        onSuccess: (id) => {
          if (have && collector.trim() === '') {
            toast.show(t.created);
            void navigate({ to: '/plants/$id/connect', params: { id }, search: { have } });
            return;
          }
          toast.show(
            t.created,
            <Link to="/plants/$id/settings" params={{ id }} search={{ bind: true }}>
              {collector.trim() === '' ? t.addCollector : t.toItsDevices}
            </Link>,
          );
          void navigate({ to: '/plants/$id', params: { id } });
        },
      },
    );
  };
  return (
    <Page narrow>
      {role === 'installer' ? <InstallationLinks /> : <Back to="/">{t.toOverview}</Back>}
      <PageHeading>{t.newPlant}</PageHeading>
      <Soft>{t.newPlantLead}</Soft>
      {/* Browsers would complain of one field after the other. */}
      <Card ref={form} noValidate onSubmit={submit} component="form">
        <FamilyChoice value={have} onChange={setHave} />
        <Soft>{t.needed}</Soft>
        {field('name', t.name, { ...needed('name', 'stationName'), maxLength: 100 })}
        {field('address', t.address, {
          ...needed('address', 'addr'),
          maxLength: 300,
          autoComplete: 'street-address',
        })}
        <PlaceFields position={position} change={change} isAtSea={suggestion.isAtSea}>
          {field('latitude', t.latitude, {
            inputMode: 'decimal',
            placeholder: '52.52',
            error: placeFault('latitude'),
          })}
          {field('longitude', t.longitude, {
            inputMode: 'decimal',
            placeholder: '13.40',
            error: placeFault('longitude'),
          })}
        </PlaceFields>
        <ZoneField
          value={timeZone}
          onChange={(chosen) => change('timeZone', chosen)}
          suggestion={suggestion.timeZone}
          description={values.timeZone === '' && timeZone !== '' ? t.fromPlace : undefined}
          error={faultOf('timeZoneId') ?? missing(timeZone, t.chooseZone)}
        />
        <CurrencyField
          value={currency}
          onChange={(chosen) => change('currency', chosen)}
          description={values.currency === '' && currency !== '' ? t.fromPlace : undefined}
          error={faultOf('money') ?? missing(currency, t.chooseCurrency)}
        />
        {field('capacity', t.capacity, { ...needed('capacity', 'capacity'), inputMode: 'decimal' })}
        <Choices>
          <legend>{t.tariffs}</legend>
          <Soft>{t.pricesHint}</Soft>
          {field('importPrice', t.importPrice(currency), {
            inputMode: 'decimal',
            description: t.importPriceHint,
          })}
          {field('exportPrice', t.exportPrice(currency), {
            inputMode: 'decimal',
            description: t.exportPriceHint,
          })}
          <details>
            <summary>{t.morePrices}</summary>
            {field('price', t.price(currency), { inputMode: 'decimal', description: t.priceHint })}
          </details>
        </Choices>
        {field('collector', t.collector, { maxLength: 64, error: faultOf('sn') ?? collectorFault })}
        <div>
          <Button type="submit" loading={isPending}>
            {t.create}
          </Button>
        </div>
        {collectorFault === undefined && <ManageFault error={error} known={FIELDS} />}
      </Card>
    </Page>
  );
}
