import { Select } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useLanguage } from '../../../i18n/active-language.tsx';
import { texts } from '../texts/index.ts';

interface CurrencyFieldProps {
  readonly value: string;
  readonly onChange: (currency: string) => void;
  readonly error: string | undefined;
}

// All of them at once would keep phones busy.
const SHOWN_AT_MOST = 50;

/** The currency of a plant, found by its code or by its name. */
export function CurrencyField({ value, onChange, error }: CurrencyFieldProps): ReactNode {
  const t = texts.useTexts();
  const { language } = useLanguage();
  const data = useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'currency' });
    return Intl.supportedValuesOf('currency').map((code) => ({ value: code, label: `${code} · ${names.of(code)}` }));
  }, [language]);
  return (
    <Select
      label={t.currency}
      required
      searchable
      limit={SHOWN_AT_MOST}
      placeholder={t.chooseCurrency}
      nothingFoundMessage={t.noCurrency}
      value={value || null}
      onChange={(code) => code !== null && onChange(code)}
      data={data}
      error={error}
      maxDropdownHeight={320}
    />
  );
}
