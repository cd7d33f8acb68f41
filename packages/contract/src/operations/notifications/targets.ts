import { nothing } from '../../compat/field-kinds/containers.ts';
import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { exactText, id, integer, textInput } from '../../scalars.ts';

const common = {
  family: 'notifications',
  permission: 'read',
  doors: ['portal'],
  own: true,
} as const;
const errors = ['missingParameter', 'invalidValue', 'noPermission'] as const;

const EXAMPLE_ID = '1390000000000000061';

/** A browser that gets push messages. */
export interface PushShown {
  readonly id: string;
  readonly label: string;
  readonly createdAt: number;
  readonly sentAt: number | null;
}

export const pushSubscribe = defineOperation({
  ...common,
  id: 'push/subscribe',
  write: true,
  summary: 'Subscribes a browser to push messages about alarms.',
  description:
    'The values are those of the browser’s PushSubscription. A browser that was subscribed before, by whomever, gets a new subscription instead.',
  request: {
    endpoint: required(
      meaning('endpoint of the push service, https://...', exactText(1000, 'endpoint')),
    ),
    p256dh: required(meaning('public key of the browser, base64url', exactText(100, 'p256dh'))),
    auth: required(meaning('authentication secret, base64url', exactText(50, 'auth'))),
    label: meaning('name of the browser or device', textInput(100, 'label')),
  },
  response: ownRecord<Pick<PushShown, 'id'>>('the subscription', {
    id: an.text('id of the subscription'),
  }),
  errors,
  example: {
    request: {
      endpoint: 'https://push.example/send/4Qn2Vn0',
      p256dh:
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      label: 'Firefox on the desk',
    },
    data: { id: EXAMPLE_ID },
  },
});

export const pushList = defineOperation({
  ...common,
  id: 'push/list',
  write: false,
  summary: 'Lists the browsers that get push messages.',
  request: {},
  response: ownRecords<PushShown>('a browser', {
    id: an.text('id of the subscription'),
    label: an.text('name of the browser or device'),
    createdAt: an.instant('when it was subscribed'),
    sentAt: an.instant('when it was last sent a message'),
  }),
  errors: ['noPermission'],
  example: {
    request: {},
    data: [{ id: EXAMPLE_ID, label: 'Firefox on the desk', createdAt: 1_793_963_100_000 }],
  },
});

const removal = <const Id extends string>(operationId: Id, summary: string, what: string) =>
  defineOperation({
    ...common,
    id: operationId,
    write: true,
    summary,
    request: { id: required(meaning(`id of the ${what}`, id('id'))) },
    response: nothing,
    errors,
    example: { request: { id: EXAMPLE_ID }, data: null },
  });

export const pushRemove = removal('push/remove', 'Ends a browser’s push messages.', 'subscription');

/** A program of an account's own that is notified of alarms. */
export interface WebhookShown {
  readonly id: string;
  readonly url: string;
  readonly createdAt: number;
  readonly deliveredAt: number | null;
  readonly failedAt: number | null;
  readonly failure: string | null;
  readonly connectionError: string | null;
  readonly failingSince: number | null;
  readonly nextAttemptAt: number | null;
  readonly waitingMessages: number;
  readonly goneAt: number | null;
}

export const webhookAdd = defineOperation({
  ...common,
  id: 'webhook/add',
  write: true,
  summary: 'Adds a webhook: alarms are posted there, in the form of Standard Webhooks.',
  description:
    'The answer has the signing secret; it is not shown again. The host must be on the public internet unless the operator allows others.',
  request: { url: required(meaning('https://host/path', exactText(2000, 'url'))) },
  response: ownRecord<{ readonly id: string; readonly secret: string }>('the webhook', {
    id: an.text('id of the webhook'),
    secret: an.text('signing secret of Standard Webhooks'),
  }),
  errors,
  example: {
    request: { url: 'https://home.example/alarms' },
    data: { id: EXAMPLE_ID, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  },
});

export const webhookList = defineOperation({
  ...common,
  id: 'webhook/list',
  write: false,
  summary: 'Lists webhooks, and how they fare.',
  request: {},
  response: ownRecords<WebhookShown>('a webhook', {
    id: an.text('id of the webhook'),
    url: an.text('address'),
    createdAt: an.instant('when it was added'),
    deliveredAt: an.instant('when it last took a message'),
    failedAt: an.instant('when an attempt last failed'),
    failure: an.text('why, unless a message was taken since'),
    connectionError: an.text(
      'code of the error if the connection failed: ECONNREFUSED, ECONNRESET, CERT_HAS_EXPIRED, ...',
    ),
    failingSince: an.instant('since when every attempt has failed'),
    nextAttemptAt: an.instant('when a message that was not taken is tried again'),
    waitingMessages: an.number('messages that were not taken so far'),
    goneAt: an.instant('when it said that it wants nothing more (410); nothing is sent there'),
  }),
  errors: ['noPermission'],
  example: {
    request: {},
    data: [
      {
        id: EXAMPLE_ID,
        url: 'https://home.example/alarms',
        createdAt: 1_793_963_100_000,
        waitingMessages: 0,
      },
    ],
  },
});

export const webhookRotate = defineOperation({
  ...common,
  id: 'webhook/rotate',
  write: true,
  summary:
    'Gives a webhook a new signing secret; messages are signed with the former one too, until it ends.',
  request: {
    id: required(meaning('id of the webhook', id('id'))),
    overlapHours: meaning(
      'how long messages are signed with the former secret too; 24 by default',
      integer({ min: 0, max: 720 }, 'overlapHours'),
    ),
  },
  response: ownRecord<{
    readonly id: string;
    readonly secret: string;
    readonly formerEndsAt: number;
  }>('the webhook', {
    id: an.text('id of the webhook'),
    secret: an.text('the new signing secret'),
    formerEndsAt: an.instant('when the former secret ends'),
  }),
  errors,
  example: {
    request: { id: EXAMPLE_ID },
    data: {
      id: EXAMPLE_ID,
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDa4AaLFTXGlc=',
      formerEndsAt: 1_794_049_500_000,
    },
  },
});

export const webhookRemove = removal('webhook/remove', 'Removes a webhook.', 'webhook');
