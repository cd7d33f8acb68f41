import { nothing } from '../../fields/parts/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { choice } from '../../scalars.ts';

/** The languages of pages and e-mails, by their own names. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', zh: '中文' } as const;
export type Language = keyof typeof languages;
export const languageTags = Object.keys(languages) as readonly Language[];
export const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

export const accountLanguage = defineOperation({
  family: 'accounts',
  permission: 'manage',
  doors: ['portal'],
  own: true,
  operatorsToo: true,
  id: 'account/language',
  write: true,
  summary: 'Sets the language of the caller’s own pages, e-mails and messages.',
  request: { language: required(meaning('the language', choice(languageTags, 'language'))) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { language: 'de' }, data: null },
});
