import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { WireData } from '@helioport/contract';
import { useState, type FormEvent, type ReactNode } from 'react';
import { Form, Note } from '../../../components/layout.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import { toast } from '../../../parts/toast.tsx';
import { useChange } from '../../../wire/queries.ts';
import { ManageFault, useFieldFault } from '../fault.tsx';
import styles from '../manage.module.css';
import { decimal, DECIMAL_FIELD } from '../text-fields.tsx';
import { texts } from '../texts/index.ts';
import { arraysOf, rowsOf, type ArrayRow } from './rows.ts';

const ARRAYS_AT_MOST = 100;
const FIELDS = ['tiltDegrees', 'azimuthDegrees', 'capacityKwp'] as const;
/** By how much the arrays together may differ from the plant without a word. */
const ROUNDING = 0.02;

interface ArraysFormProps {
  readonly plantId: string;
  /** Of the plant. */
  readonly capacityKwp: number;
  readonly known: WireData<'plant/arrays'>;
  readonly inverters: readonly { readonly sn: string; readonly name: string }[];
}

/** The arrays, one line each. What is typed stays while the page is refreshed. */
export function ArraysForm({ plantId, capacityKwp, known, inverters }: ArraysFormProps): ReactNode {
  const t = texts.useTexts().arrays;
  const { remove } = texts.useTexts();
  const formats = useFormats();
  const { mutate, error, isPending } = useChange('plant/setArrays');
  const faultOf = useFieldFault(error);
  const { estimated } = known;
  const isEstimated = known.arrays.length === 0 && estimated.length > 0;
  const [rows, setRows] = useState(() =>
    rowsOf(isEstimated ? estimated : known.arrays, capacityKwp),
  );
  const change = (i: number, more: Partial<ArrayRow>): void =>
    setRows((old) => old.map((row, at) => (at === i ? { ...row, ...more } : row)));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate({ plantId, arrays: arraysOf(rows) }, { onSuccess: () => toast.show(t.saved) });
  };
  const sumKwp = rows.reduce((sum, { capacity }) => sum + (Number(decimal(capacity)) || 0), 0);
  const differs =
    rows.length > 0 && capacityKwp > 0 && Math.abs(sumKwp / capacityKwp - 1) > ROUNDING;
  const said = rows.flatMap((_, i) => FIELDS.map((name) => `arrays[${i}].${name}`));
  return (
    <Form onSubmit={submit} line aria-label={t.title}>
      {known.source === 'plant' && known.arrays.length > 0 && <Note>{t.fromPlant}</Note>}
      {isEstimated && <Note data-figure="estimated">{t.estimated}</Note>}
      {rows.map((row, i) => {
        const input = (name: (typeof FIELDS)[number], key: 'tilt' | 'azimuth' | 'capacity') => (
          <TextInput
            required
            withAsterisk={false}
            {...DECIMAL_FIELD}
            label={t[key]}
            value={row[key]}
            onChange={(event) => change(i, { [key]: event.currentTarget.value })}
            error={faultOf(`arrays[${i}].${name}`)}
          />
        );
        return (
          <fieldset key={row.key} className={styles.array}>
            <legend>{t.array(i + 1)}</legend>
            {input('tiltDegrees', 'tilt')}
            {input('azimuthDegrees', 'azimuth')}
            {input('capacityKwp', 'capacity')}
            {inverters.length > 0 && (
              <NativeSelect
                label={t.inverter}
                value={row.sn}
                onChange={(event) => change(i, { sn: event.currentTarget.value })}
                data={[
                  { value: '', label: t.anyInverter },
                  ...inverters.map(({ sn, name }) => ({ value: sn, label: name })),
                  ...(row.sn !== '' && !inverters.some(({ sn }) => sn === row.sn) ? [row.sn] : []),
                ]}
              />
            )}
            <Button
              variant="subtle"
              aria-label={`${remove}: ${t.array(i + 1)}`}
              onClick={() => setRows(rows.filter((_, at) => at !== i))}
            >
              {remove}
            </Button>
          </fieldset>
        );
      })}
      <Note>{t.directions}</Note>
      {differs && (
        <p role="status">
          {t.differs(`${formats.number(sumKwp, 2)} kWp`, `${formats.number(capacityKwp, 2)} kWp`)}
        </p>
      )}
      <ManageFault error={error} known={said} />
      <div>
        <Button
          variant="subtle"
          disabled={rows.length >= ARRAYS_AT_MOST}
          onClick={() => setRows([...rows, ...rowsOf([], 0, (rows.at(-1)?.key ?? 0) + 1)])}
        >
          {t.add}
        </Button>
        {estimated.length > 0 && !isEstimated && (
          <Button
            variant="subtle"
            onClick={() => setRows(rowsOf(estimated, 0, (rows.at(-1)?.key ?? 0) + 1))}
          >
            {t.takeEstimated}
          </Button>
        )}
      </div>
      <div>
        <Button type="submit" loading={isPending}>
          {t.save}
        </Button>
      </div>
    </Form>
  );
}
