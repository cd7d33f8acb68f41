import { useMemo } from 'react';
import { useLanguage } from './active-language.tsx';
import { regionalTag } from './languages.ts';
import { formatsOf, type Formats } from './formats-of.ts';

export { UNKNOWN, type Formats, type Shown } from './formats-of.ts';

/** How figures and times are written in the active language, as in the browser's region. */
export function useFormats(): Formats {
  const { language } = useLanguage();
  return useMemo(() => formatsOf(regionalTag(language, navigator.languages)), [language]);
}
