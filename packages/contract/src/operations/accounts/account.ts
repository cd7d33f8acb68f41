import { an, ownRecord } from '../../records/own.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { choice, timeZone } from '../../scalars.ts';
import { identity, identityErrors } from './identity.ts';

/** The languages of pages and e-mails, by their own names. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', zh: '中文' } as const;
export type Language = keyof typeof languages;
export const languageTags = Object.keys(languages) as readonly Language[];
/** Of an account, also that of whatever browser it is used in; messages are in English then. */
export const languageChoices = [...languageTags, 'browser'] as const;
export const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

const common = { family: 'accounts', permission: 'manage', doors: ['portal'], own: true } as const;

export const accountLanguage = defineOperation({
  ...common,
  operatorsToo: true,
  id: 'account/language',
  write: true,
  summary: 'Sets the language of the caller’s own pages, e-mails and messages.',
  request: {
    language: required(
      meaning(
        'the language; browser: that of each browser, and English in messages',
        choice(languageChoices, 'language'),
      ),
    ),
  },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { language: 'de' }, data: null },
});

export const accountTimeZone = defineOperation({
  ...common,
  operatorsToo: true,
  id: 'account/timeZone',
  write: true,
  summary:
    'Sets the time zone of the caller’s account, by whose clock quiet hours, summaries and times outside plants go.',
  request: { timeZone: required(meaning('the time zone', timeZone('timeZone'))) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { timeZone: 'Europe/Berlin' }, data: null },
});

/** How much ends when an account is closed. */
export interface ClosingConsequences {
  readonly plants: number;
  readonly archivedPlants: number;
  readonly sharesGiven: number;
  readonly sharesReceived: number;
  readonly keys: number;
  readonly authorizations: number;
  readonly strategies: number;
  readonly commands: number;
  readonly invitations: number;
  readonly applications: number;
  readonly destinations: number;
  readonly browsers: number;
  readonly webhooks: number;
}

export const accountClosing = defineOperation({
  ...common,
  permission: 'read',
  id: 'account/closing',
  write: false,
  summary: 'Says in numbers what closing the caller’s own account means.',
  request: {},
  response: ownRecord<ClosingConsequences & { readonly retentionDays: number }>('what ends', {
    plants: an.number(
      'plants that are hidden at once and archived when the data is removed; hand them over first if somebody else is to keep them',
    ),
    archivedPlants: an.number('plants that are in the archive'),
    sharesGiven: an.number('shares that others have of its plants; they are notified'),
    sharesReceived: an.number('shares that it has of others’ plants'),
    keys: an.number('key pairs that can be used'),
    authorizations: an.number('authorizations of applications'),
    strategies: an.number(
      'strategies under way in its plants; the devices get their former settings back',
    ),
    commands: an.number('commands of the account that have not ended'),
    invitations: an.number('open invitations, sent and received'),
    applications: an.number('applications that it has registered'),
    destinations: an.number('destinations to which events of these are forwarded'),
    browsers: an.number('browsers that get push messages'),
    webhooks: an.number('webhooks for notifications'),
    retentionDays: an.number('for how many days the operator can take the closing back'),
  }),
  errors: ['noPermission'],
  example: {
    request: {},
    data: {
      plants: 2,
      sharesGiven: 1,
      keys: 1,
      authorizations: 1,
      strategies: 0,
      retentionDays: 14,
    },
  },
});

export const accountClose = defineOperation({
  ...common,
  id: 'account/close',
  write: true,
  summary: 'Closes the caller’s own account.',
  description:
    'All access ends at once: sessions, key pairs, authorizations, shares given and received, invitations, strategies, commands that were not sent, e-mails and messages that wait. ' +
    'After `HELIOPORT_CLOSED_RETENTION`, personal data is removed for good; until then, the operator can take the closing back.',
  request: identity,
  response: ownRecord<{ readonly removeAt: number }>('the closing', {
    removeAt: an.instant('when personal data is removed'),
  }),
  errors: identityErrors,
  example: { request: { password: 'meadow lane in june' }, data: { removeAt: 1_701_209_600_000 } },
});
