import { examplePlant } from '../../examples.ts';
import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning } from '../../parameters.ts';
import { languageChoices, languageTags, type Language } from '../accounts/account.ts';
import { choice, flag, integer, listInput, textInput } from '../../scalars.ts';

const common = {
  family: 'notifications',
  permission: 'read',
  doors: ['portal'],
  own: true,
} as const;

/** What an account is notified of, and what it needs to know to choose. */
export interface NotificationsShown {
  /** Where e-mails go. */
  readonly email: string;
  /** Whether the operator has set a mail server. */
  readonly mailAvailable: boolean;
  /** With which browsers subscribe; base64url. */
  readonly pushKey: string;
  readonly alarmsByMail: boolean;
  readonly weekly: boolean;
  readonly changes: boolean;
  readonly minLevel: number;
  /** null = all plants. */
  readonly plantIds: readonly string[] | null;
  readonly quietFrom: string | null;
  readonly quietTo: string | null;
  readonly urgentPasses: boolean;
  readonly webhooksQuiet: boolean;
  readonly language: Language;
  /** The zone of quiet hours and mornings. */
  readonly timeZone: string;
}

const fields = {
  email: an.text('where e-mails go'),
  mailAvailable: an.flag('whether this installation can send e-mails'),
  pushKey: an.text(
    'public key with which browsers subscribe to push messages, base64url (RFC 8292)',
  ),
  alarmsByMail: an.flag('whether alarms are sent by e-mail'),
  weekly: an.flag('whether a summary of the week is sent by e-mail'),
  changes: an.flag(
    'whether settings of own devices that others changed are sent by e-mail, the next morning',
  ),
  minLevel: an.number('the lowest level of alarms that are sent: 1 tip, 2 general, 3 emergency'),
  plantIds: an.texts('the plants whose alarms are sent; absent: all'),
  quietFrom: an.text('beginning of the quiet hours, HH:MM; absent: none'),
  quietTo: an.text('end of the quiet hours, HH:MM'),
  urgentPasses: an.flag('whether emergencies are sent in quiet hours too'),
  webhooksQuiet: an.flag('whether webhooks have the quiet hours too'),
  language: an.text(`the account’s language: ${languageTags.join(', ')}`),
  timeZone: an.text('the account’s time zone, in which quiet hours and mornings are'),
} as const;

const shown = {
  email: 'ada@example.org',
  mailAvailable: true,
  pushKey:
    'BMnZ3wv4y0J2qmTjXBmvIVmHyQQkzpLZBZ0ZvV3lHJ2uyR7Zy0JY0T0dYb4Ld8d3W6rYH1Yv8S3n5m6v0xQK9nA',
  alarmsByMail: true,
  weekly: true,
  changes: true,
  minLevel: 2,
  quietFrom: '22:00',
  quietTo: '07:00',
  urgentPasses: true,
  webhooksQuiet: false,
  language: 'en',
  timeZone: 'Europe/Berlin',
} as const;

export const notificationSettings = defineOperation({
  ...common,
  id: 'notifications/settings',
  write: false,
  summary: 'Shows which notifications of plants an account wants, and how.',
  request: {},
  response: ownRecord<NotificationsShown>('the settings', fields),
  errors: ['noPermission'],
  example: { request: {}, data: shown },
});

export const setNotifications = defineOperation({
  ...common,
  id: 'notifications/set',
  write: true,
  summary:
    'Replaces what an account wants to be notified of. What is not sent is set to its default.',
  request: {
    alarmsByMail: meaning('1: alarms are sent by e-mail; 0 by default', flag('alarmsByMail')),
    weekly: meaning(
      '1: a summary of the week is sent on Monday mornings; 0 by default',
      flag('weekly'),
    ),
    changes: meaning(
      '1: settings of own devices that others changed are sent the next morning at 07:00; 0 by default',
      flag('changes'),
    ),
    minLevel: meaning(
      'the lowest level of alarms that are sent: 1 tip, 2 general (the default), 3 emergency',
      integer({ min: 1, max: 3 }, 'minLevel'),
    ),
    plantIds: meaning('only alarms of these plants; all by default', listInput(1_000, 'plantIds')),
    quietFrom: meaning(
      'beginning of the quiet hours on the account’s clock, HH:MM; none by default',
      textInput(5, 'quietFrom'),
    ),
    quietTo: meaning('their end, HH:MM', textInput(5, 'quietTo')),
    urgentPasses: meaning(
      '0: not even emergencies are sent in quiet hours; 1 by default',
      flag('urgentPasses'),
    ),
    webhooksQuiet: meaning(
      '1: webhooks have the quiet hours too; 0 by default',
      flag('webhooksQuiet'),
    ),
    language: meaning(
      'language of the account, as with `account/language`; unchanged by default',
      choice(languageChoices, 'language'),
    ),
  },
  allOrNoneOf: ['quietFrom', 'quietTo'],
  response: ownRecord<NotificationsShown>('the settings', fields),
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: {
      alarmsByMail: 1,
      weekly: 1,
      changes: 1,
      quietFrom: '22:00',
      quietTo: '07:00',
      plantIds: examplePlant.id,
    },
    data: { ...shown, plantIds: [examplePlant.id] },
  },
});

/** What became of a test message on its way. */
export interface NotificationTestResult {
  readonly channel: 'mail' | 'push' | 'webhook';
  /** Id of the subscription or the webhook. */
  readonly id: string | null;
  readonly delivered: boolean;
  readonly reason: string | null;
  readonly connectionError: string | null;
}

export const notificationTest = defineOperation({
  ...common,
  id: 'notifications/test',
  write: false,
  summary: 'Sends a test message now, in every way that the account has set up.',
  request: {},
  response: ownRecords<NotificationTestResult>('what became of one message', {
    channel: an.text('mail, push or webhook'),
    id: an.text('id of the subscription or the webhook'),
    delivered: an.flag(
      'whether it was taken; an e-mail is handed to the mail server in the next seconds',
    ),
    reason: an.text('why not'),
    connectionError: an.text(
      'code of the error if the connection failed: ECONNREFUSED, ECONNRESET, CERT_HAS_EXPIRED, ...',
    ),
  }),
  errors: ['noPermission', 'tooManyRequests'],
  example: { request: {}, data: [{ channel: 'mail', delivered: true }] },
});
