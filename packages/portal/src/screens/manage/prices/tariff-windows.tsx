import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { TariffWindow, WeekDay } from '@helioport/contract';
import type { ReactNode } from 'react';
import { DateTimeField } from '../../../parts/forms/date-time-field.tsx';
import { useFormats } from '../../../i18n/formats.ts';
import styles from '../manage.module.css';
import { decimal, DECIMAL_FIELD } from '../text-fields.tsx';
import { texts } from '../texts/index.ts';

const DAYS = {
  all: undefined,
  work: ['mon', 'tue', 'wed', 'thu', 'fri'],
  weekend: ['sat', 'sun'],
} as const satisfies Readonly<Record<string, readonly WeekDay[] | undefined>>;

/** Hours with a price of their own, as they are typed. */
export interface WindowRow {
  readonly key: number;
  readonly start: string;
  readonly end: string;
  readonly days: keyof typeof DAYS;
  readonly price: string;
}

/** What is typed as the server takes it; a day that ends at midnight ends at 24:00. */
export const windowsOf = (rows: readonly WindowRow[]): object[] =>
  rows.map(({ start, end, days, price }) => {
    const number = price.trim() === '' ? Number.NaN : Number(decimal(price));
    return {
      start,
      end: end === '00:00' ? '24:00' : end,
      ...(DAYS[days] && { days: DAYS[days] }),
      pricePerKwh: number,
    };
  });

/** Hours with a price of their own, in words. */
export function useWindowText(currency: string): (window: TariffWindow) => string {
  const t = texts.useTexts();
  const formats = useFormats();
  return ({ start, end, days, months, pricePerKwh }) => {
    const when = [
      days && formats.list(days.map((day) => t.weekDays[day])),
      months && t.inMonths(formats.list(months.map(String))),
    ]
      .filter(Boolean)
      .join(' · ');
    return `${start}–${end}${when && ` (${when})`}: ${formats.price(pricePerKwh, currency)}`;
  };
}

interface TariffWindowsProps {
  readonly rows: readonly WindowRow[];
  readonly onChange: (rows: readonly WindowRow[]) => void;
}

/** The hours with a price of their own, one line each. */
export function TariffWindows({ rows, onChange }: TariffWindowsProps): ReactNode {
  const t = texts.useTexts();
  const change = (i: number, more: Partial<WindowRow>): void =>
    onChange(rows.map((row, at) => (at === i ? { ...row, ...more } : row)));
  const required = { required: true, withAsterisk: false } as const;
  return (
    <>
      {rows.map((row, i) => (
        <fieldset key={row.key} className={styles.window}>
          <legend>{t.window(i + 1)}</legend>
          <DateTimeField
            type="time"
            {...required}
            label={t.windowStart}
            value={row.start}
            onChange={(event) => change(i, { start: event.currentTarget.value })}
          />
          <DateTimeField
            type="time"
            {...required}
            label={t.windowEnd}
            value={row.end}
            onChange={(event) => change(i, { end: event.currentTarget.value })}
          />
          <NativeSelect
            label={t.windowDays}
            value={row.days}
            onChange={(event) =>
              change(i, { days: event.currentTarget.value as WindowRow['days'] })
            }
            data={(['all', 'work', 'weekend'] as const).map((value) => ({
              value,
              label: t.days[value],
            }))}
          />
          <TextInput
            {...required}
            {...DECIMAL_FIELD}
            label={t.pricePerKwh}
            value={row.price}
            onChange={(event) => change(i, { price: event.currentTarget.value })}
          />
          <Button
            variant="subtle"
            aria-label={`${t.remove}: ${t.window(i + 1)}`}
            onClick={() => onChange(rows.filter((_, at) => at !== i))}
          >
            {t.remove}
          </Button>
        </fieldset>
      ))}
      <div>
        <Button
          variant="subtle"
          onClick={() =>
            onChange([
              ...rows,
              { key: (rows.at(-1)?.key ?? 0) + 1, start: '', end: '', days: 'all', price: '' },
            ])
          }
        >
          {t.addWindow}
        </Button>
      </div>
    </>
  );
}
