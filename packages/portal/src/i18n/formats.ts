import { useMemo } from 'react';
import { useLanguage } from './active-language.tsx';
import { formatsOf, type Formats } from './formats-of.ts';

export { UNKNOWN, type Formats, type Shown } from './formats-of.ts';

/** How figures and times are written in the active language. */
export function useFormats(): Formats {
  const { language } = useLanguage();
  return useMemo(() => formatsOf(language), [language]);
}
