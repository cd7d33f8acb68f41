import type { Language } from '@helioport/contract';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import type { PageTexts } from './page-texts.ts';
import { zh } from './zh.ts';

/** The texts of the pages. */
export const texts: Readonly<Record<Language, PageTexts>> = { en, de, es, zh };
