import { an, ownRecord, ownRecords } from '../records/own.ts';
import { record, type InOf } from '../records/kind.ts';
import { nothing } from '../compat/field-kinds/containers.ts';
import { defineOperation } from '../operation.ts';
import { meaning, required } from '../parameters.ts';
import { code, exactText, id, integer } from '../scalars.ts';
import { forwardingAdd } from './forwarding/destinations.ts';
import { identity, identityErrors } from './accounts/identity.ts';
import {
  applicationFields,
  callbackWarnings,
  clientSecrets,
  exampleApplication,
  exampleClientId,
  refusalFields,
  registration,
  type ApplicationDetail,
  type ApplicationShown,
  type RefusalShown,
} from './applications.ts';

// What people do about the applications that they develop. Nothing here tells of an owner.
const common = {
  family: 'applications',
  permission: 'manage',
  doors: ['portal'],
  own: true,
} as const;
const errors = ['missingParameter', 'invalidValue', 'noPermission'] as const;

const clientId = required(
  meaning('client_id of one of one’s own applications', code(24, 'clientId')),
);
const { name, purpose, homePage, redirectUri, scopes, challengeRequired } = registration;

type Submitted = Pick<ApplicationShown, 'clientId' | 'state'> & {
  readonly warnings: readonly string[];
};
const submitted = ownRecord<Submitted>('the application', {
  clientId: applicationFields.clientId,
  state: applicationFields.state,
  warnings: callbackWarnings,
});
const exampleSubmitted = { clientId: exampleClientId, state: 'submitted', warnings: [] } as const;

export const developerApply = defineOperation({
  ...common,
  id: 'developer/apply',
  write: true,
  summary: 'Applies to the operator for an application. It can do nothing until it is approved.',
  description:
    'A few applications of one account may wait at the same time. Secrets are made once the application is approved.',
  request: {
    name: required(name),
    purpose: required(purpose),
    redirectUri: required(redirectUri),
    scopes: required(scopes),
    homePage,
    challengeRequired,
  },
  response: submitted,
  errors,
  example: {
    request: {
      name: 'Yield Watch',
      purpose: 'Compares yields',
      redirectUri: 'https://yield.example/callback',
      scopes: 'access_data',
    },
    data: exampleSubmitted,
  },
});

export const developerAmend = defineOperation({
  ...common,
  id: 'developer/amend',
  write: true,
  summary:
    'Changes what an application was submitted with, while it waits or after it was rejected, and submits it again.',
  description: 'The name stays: withdraw the application to apply with another one.',
  request: { clientId, purpose, redirectUri, scopes, homePage, challengeRequired },
  needsOneOf: ['purpose', 'redirectUri', 'scopes', 'homePage', 'challengeRequired'],
  response: submitted,
  errors,
  example: {
    request: { clientId: exampleClientId, purpose: 'Compares yields of a village' },
    data: exampleSubmitted,
  },
});

export const developerWithdraw = defineOperation({
  ...common,
  id: 'developer/withdraw',
  write: true,
  summary: 'Withdraws an application that was never approved; its name is free again.',
  request: { clientId },
  response: nothing,
  errors,
  example: { request: { clientId: exampleClientId }, data: null },
});

export const developerList = defineOperation({
  ...common,
  id: 'developer/list',
  write: false,
  summary: 'Lists one’s own applications and what became of them, newest first.',
  request: {},
  response: ownRecords<ApplicationShown>('an application', applicationFields),
  errors: [],
  example: { request: {}, data: [exampleApplication] },
});

const consents = record('authorizations in numbers', {
  living: an.number('valid now', 12),
  withControl: an.number('of these, with the scope control_device', 2),
  forSomePlants: an.number('of these, for some plants only', 3),
  givenLately: an.number('given in the last 30 days', 4),
  endedLately: an.number('ended in the last 30 days', 1),
});
export type ConsentCounts = InOf<typeof consents>;

export interface OwnApplication extends ApplicationDetail {
  readonly consents: ConsentCounts;
}

export const developerShow = defineOperation({
  ...common,
  id: 'developer/show',
  write: false,
  summary:
    'Shows one of one’s own applications: when its secrets were used, and how many owners have allowed it something.',
  request: { clientId },
  response: ownRecord<OwnApplication>('an application', {
    ...applicationFields,
    secrets: clientSecrets,
    consents,
  }),
  errors,
  example: {
    request: { clientId: exampleClientId },
    data: {
      ...exampleApplication,
      secrets: [],
      consents: consents.example,
    },
  },
});

export const developerRotateSecret = defineOperation({
  ...common,
  id: 'developer/rotateSecret',
  write: true,
  summary:
    'Makes a secret for an approved application, the first one too; it is shown only once. Existing secrets stay valid for a while.',
  request: {
    clientId,
    ...identity,
    overlapDays: meaning(
      'how many days existing secrets stay valid; 30 by default, 0: they end now',
      integer({ min: 0, max: 90 }, 'overlapDays'),
    ),
  },
  response: ownRecord<{
    readonly clientId: string;
    readonly clientSecret: string;
    readonly earlierSecretsEndAt: number;
  }>('the application’s credentials', {
    clientId: an.text('client_id'),
    clientSecret: an.text('client_secret'),
    earlierSecretsEndAt: an.instant('when earlier secrets end'),
  }),
  errors: identityErrors,
  example: {
    request: { clientId: exampleClientId, password: 'meadow lane in june' },
    data: {
      clientId: exampleClientId,
      clientSecret: 'k8vQ2nYx7LmR3fBzT5cW1hJdP9sXaE4uG6tZ0rNi',
      earlierSecretsEndAt: 1_702_592_000_000,
    },
  },
});

export const developerAddDestination = defineOperation({
  ...common,
  id: 'developer/addDestination',
  write: true,
  summary:
    'Adds a destination of events to one of one’s own applications; it begins with a snapshot of everything that the application may see.',
  description:
    'As `forwarding/add` of the application, but with the password of its developer in place of its credentials: events must not go elsewhere because a session was stolen.',
  request: {
    clientId,
    ...identity,
    url: forwardingAdd.request.url,
    kinds: forwardingAdd.request.kinds,
    topic: forwardingAdd.request.topic,
    username: forwardingAdd.request.username,
    brokerPassword: meaning(
      'MQTT and RocketMQ: password or secret key',
      exactText(256, 'brokerPassword'),
    ),
  },
  response: forwardingAdd.response,
  errors: identityErrors,
  example: {
    request: {
      clientId: exampleClientId,
      password: 'meadow lane in june',
      url: 'https://yield.example/events',
    },
    data: forwardingAdd.example.data,
  },
});

export const developerEndSecret = defineOperation({
  ...common,
  id: 'developer/endSecret',
  write: true,
  summary:
    'Ends a secret of one of one’s own applications at once, such as one that has leaked; the others stay.',
  request: {
    clientId,
    secretId: required(
      meaning('id of the secret, as in `secrets` of developer/show', id('secretId')),
    ),
  },
  response: nothing,
  errors,
  example: { request: { clientId: exampleClientId, secretId: '1300386381676644417' }, data: null },
});

export const developerErrors = defineOperation({
  ...common,
  id: 'developer/errors',
  write: false,
  summary: 'Lists what one of one’s own applications was refused recently, newest first.',
  request: { clientId },
  response: ownRecords<RefusalShown>('a refusal', refusalFields),
  errors,
  example: { request: { clientId: exampleClientId }, data: [] },
});
