import { catalogue } from '../../../i18n/catalogue.ts';
import type { Texts } from './en.ts';

export const texts = catalogue<Texts>({
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  zh: () => import('./zh.ts'),
});
