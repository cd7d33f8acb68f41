import { Button, NativeSelect } from '@mantine/core';
import type { TariffUse, WireData } from '@helioport/contract';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Fields, Form, Note } from '../../../components/layout.tsx';
import { DateTimeField } from '../../../parts/forms/date-time-field.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { clearSentText } from '../../../parts/clear-sent-text.ts';
import { toast } from '../../../parts/toast.tsx';
import { useChange } from '../../../wire/queries.ts';
import { serverNow } from '../../../wire/server-clock.ts';
import { ManageFault } from '../fault.tsx';
import { decimal, useTextFields } from '../text-fields.tsx';
import { TariffWindows, windowsOf, type WindowRow } from './tariff-windows.tsx';
import { texts } from '../texts/index.ts';

const empty = { price: '', day: '' };

interface TariffFormProps {
  readonly plantId: string;
  /** The plant's. */
  readonly zone: string;
  readonly tariffs: WireData<'tariff/list'>;
}

/** A new price, from a time on, with prices of their own for some hours. */
export function TariffForm({ plantId, zone, tariffs }: TariffFormProps): ReactNode {
  const t = texts.useTexts();
  const formats = useFormats();
  const { mutate, error, isPending } = useChange('tariff/set');
  const { values, change, field, faultOf } = useTextFields(() => empty, error);
  const [use, setUse] = useState<TariffUse>('import');
  const isFirst = !tariffs.some((other) => other.use === use);
  const [chosenBegin, setBegin] = useState<string>();
  // A first price is mostly the one that has always been paid.
  const begin = chosenBegin ?? (isFirst ? 'beginning' : 'now');
  const [rows, setRows] = useState<readonly WindowRow[]>([]);
  // Hours are not taken over from one price to the next.
  const hoursEnd =
    rows.length === 0 &&
    tariffs.some((other) => other.use === use && (other.windows?.length ?? 0) > 0);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate(
      {
        plantId,
        use,
        pricePerKwh: decimal(values.price),
        ...(begin !== 'now' && { from: begin === 'day' ? values.day : 'beginning' }),
        ...(rows.length > 0 && { windows: windowsOf(rows) }),
      },
      {
        onSuccess: ({ fromAt = 0 }) => {
          toast.show(
            begin === 'now' || fromAt > serverNow()
              ? t.tariffPlanned(formats.dateTime(fromAt, zone))
              : t.tariffSaved,
          );
          change('price', clearSentText(values.price));
          setRows((now) => (now === rows ? [] : now));
        },
      },
    );
  };
  return (
    <Form onSubmit={submit} line aria-label={t.newPrice}>
      <h3>{t.newPrice}</h3>
      <Fields>
        <NativeSelect
          label={t.priceOf}
          value={use}
          onChange={(event) => setUse(event.currentTarget.value as TariffUse)}
          data={[
            { value: 'import', label: t.uses.import },
            { value: 'export', label: t.uses.export },
            { value: 'production', label: t.uses.production },
          ]}
        />
        {field(
          'price',
          t.pricePerKwh,
          { required: true, withAsterisk: false, inputMode: 'decimal' },
          'pricePerKwh',
        )}
        <NativeSelect
          label={t.validFrom}
          value={begin}
          onChange={(event) => setBegin(event.currentTarget.value)}
          data={[
            { value: 'now', label: t.fromNow },
            { value: 'day', label: t.fromDay },
            { value: 'beginning', label: t.sinceEver },
          ]}
        />
        {begin === 'day' && (
          <DateTimeField
            type="date"
            required
            withAsterisk={false}
            label={t.firstDay}
            value={values.day}
            onChange={(event) => change('day', event.currentTarget.value)}
            error={faultOf('from')}
          />
        )}
      </Fields>
      <TariffWindows rows={rows} onChange={setRows} />
      {isFirst && <Note>{begin === 'beginning' ? t.firstCounts : t.noneBefore}</Note>}
      {hoursEnd && <Note>{t.hoursEnd}</Note>}
      <ManageFault error={error} known={['pricePerKwh', ...(begin === 'day' ? ['from'] : [])]} />
      <div>
        <Button type="submit" loading={isPending}>
          {t.setPrice}
        </Button>
      </div>
    </Form>
  );
}
