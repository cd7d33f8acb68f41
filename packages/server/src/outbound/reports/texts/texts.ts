import type { Language } from '@helioport/contract';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import type { ReportTexts } from './report-texts.ts';
import { zh } from './zh.ts';

export type { ReportTexts } from './report-texts.ts';

/** What reports say, by language. */
export const reportTexts: Readonly<Record<Language, ReportTexts>> = { en, de, es, zh };
