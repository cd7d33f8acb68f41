import { inEnglish } from '../../../i18n/catalogue.ts';
import type { Texts } from './en.ts';

export const texts = inEnglish<Texts>(() => import('./en.ts'));
