import type { Language } from '@helioport/contract';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import type { NewsTexts } from './news-texts.ts';
import { zh } from './zh.ts';

export type { NewsTexts } from './news-texts.ts';

/** What messages say, by language. */
export const newsTexts: Readonly<Record<Language, NewsTexts>> = { en, de, es, zh };
