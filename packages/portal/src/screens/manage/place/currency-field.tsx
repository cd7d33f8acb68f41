import { useMemo, type ReactNode } from 'react';
import { useLanguage } from '../../../i18n/active-language.tsx';
import { texts } from '../texts/index.ts';
import { SearchedSelect } from './searched-select.tsx';

interface CurrencyFieldProps {
  readonly value: string;
  readonly onChange: (currency: string) => void;
  /** Where the value comes from, if nobody chose it. */
  readonly description?: string | undefined;
  readonly error: string | undefined;
}

/** The currency of a plant, found by its code or by its name. */
export function CurrencyField({
  value,
  onChange,
  description,
  error,
}: CurrencyFieldProps): ReactNode {
  const t = texts.useTexts();
  const { language } = useLanguage();
  const data = useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'currency' });
    return Intl.supportedValuesOf('currency').map((code) => ({
      value: code,
      label: `${code} · ${names.of(code)}`,
    }));
  }, [language]);
  return (
    <SearchedSelect
      label={t.currency}
      placeholder={t.chooseCurrency}
      nothingFoundMessage={t.noCurrency}
      value={value}
      onChange={onChange}
      data={data}
      description={description}
      error={error}
    />
  );
}
