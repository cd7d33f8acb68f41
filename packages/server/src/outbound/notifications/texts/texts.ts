import type { Language } from '@helioport/contract';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import type { NotificationTexts } from './notification-texts.ts';
import { zh } from './zh.ts';

export type { NotificationTexts } from './notification-texts.ts';

/** What messages say, by language. */
export const notificationTexts: Readonly<Record<Language, NotificationTexts>> = { en, de, es, zh };
