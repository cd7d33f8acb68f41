import type { EventKind } from '../../events.ts';
import { an, ownRecords } from '../../records/own.ts';
import { exampleInverter, examplePlant } from '../../examples.ts';
import { answers, recordExampleOf, maybe, record, type InOf } from '../../records/kind.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { defineOperation, type Scope } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { id, listInput } from '../../scalars.ts';
import { whose } from './users.ts';

const common = {
  family: 'authorizations',
  permission: 'manage',
  doors: ['portal', 'operator'],
  own: true,
} as const;
const exampleGrant = '1300386381676644700';

export interface ListedGrant {
  readonly id: string;
  readonly applicationId: string;
  readonly applicationName: string;
  readonly purpose: string;
  readonly homePage: string | null;
  readonly scopes: readonly Scope[];
  readonly plantIds: readonly string[] | null;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly refreshedAt: number | null;
  readonly usedAt: number | null;
  readonly livesUntil: number | null;
  readonly revokedAt: number | null;
  readonly revokedBy: string | null;
  readonly forwardedKinds: readonly EventKind[] | null;
  readonly forwardedSince: number | null;
  readonly forwardedAt: number | null;
}

export const grantList = defineOperation({
  ...common,
  permission: 'read',
  id: 'grant/list',
  write: false,
  summary: 'Lists a user’s authorizations of applications, active ones first.',
  request: { email: whose },
  response: ownRecords<ListedGrant>('an authorization', {
    id: an.text('id of the authorization'),
    applicationId: an.text('id of the application'),
    applicationName: an.text('name of the application'),
    purpose: an.text('what the application is for, as its developer says'),
    homePage: an.text('where its developer tells about it'),
    scopes: an.texts('what was granted'),
    plantIds: an.texts('the plants that the authorization is restricted to'),
    createdAt: an.instant('when the authorization was first given'),
    changedAt: an.instant('when the authorization was last changed'),
    refreshedAt: an.instant('when the authorization’s tokens were last renewed, to the day'),
    usedAt: an.instant('when the application last asked for something, to the minute'),
    livesUntil: an.instant('when the authorization ends unless its tokens are renewed first'),
    revokedAt: an.instant('when the authorization was ended'),
    revokedBy: an.text(
      'who ended the authorization: account:ID, key:ID, operator, or service for one that was not renewed in time',
    ),
    forwardedKinds: an.texts('kinds of events that the application is sent as they happen'),
    forwardedSince: an.instant('since when events are sent to the application'),
    forwardedAt: an.instant('when the application last took an event, of whichever owner'),
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'accountUnknown'],
  example: {
    request: {},
    data: [
      {
        id: exampleGrant,
        applicationId: '1300386381676644710',
        applicationName: 'Yield Watch',
        purpose: 'Compares yields',
        scopes: ['access_data'],
        createdAt: 1_700_000_000_000,
        changedAt: 1_700_000_000_000,
      },
    ],
  },
});

const activity = record('something that an application did, or that was done about it', {
  id: an.text('id of the event', '1300386381676644500'),
  grantId: an.text('id of the authorization', exampleGrant),
  at: an.instant('when it happened', 1_793_963_100_000),
  kind: an.text(
    'what happened: an event of the audit trail that the application caused, grant.given, grant.narrowed or grant.narrowedForYou (by others than the owner), strategy.endedByYou, strategy.endedByHelioport, strategy.endedByOthers, strategy.paused, or setting.putBack',
    'device.commanded',
  ),
  plantId: maybe(an.text('id of the plant', examplePlant.id)),
  sn: maybe(an.text('serial number of the device that was written to', exampleInverter.sn)),
  parameter: maybe(an.text('the parameter that was written', '157')),
  value: maybe(an.text('what was written', '20')),
  name: maybe(an.text('name of the strategy')),
  left: maybe(
    record('what the application may do after a decision', {
      scopes: an.texts('its scopes'),
      plantIds: maybe(an.texts('the plants; unknown: all of the owner’s')),
    }),
  ),
});
export type Activity = InOf<typeof activity>;

export const grantActivity = defineOperation({
  ...common,
  permission: 'read',
  id: 'grant/activity',
  write: false,
  summary:
    'Lists what applications did with the caller’s authorizations, how these were given and restricted, what others did to their strategies, and what was put back after them: one authorization after the other, newest first in each.',
  description: 'As far as the latest thousand events of the account’s audit trail tell.',
  request: { email: whose },
  response: answers(activity),
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'accountUnknown'],
  example: { request: {}, data: [recordExampleOf(activity)] },
});

export interface ListedUse {
  readonly day: string;
  readonly reads: number;
  readonly writes: number;
  readonly commands: number;
  readonly forwarded: number;
}

export const grantUses = defineOperation({
  ...common,
  permission: 'read',
  id: 'grant/uses',
  write: false,
  summary:
    'Lists what an application did with an authorization in the last 30 days, or in the last 30 before it ended, newest first.',
  description:
    'Days are those of the account’s time zone; days on which nothing happened are left out. Counts are kept for 90 days. Requests are counted in memory and stored once a minute, so that a server that is killed loses a minute of them at most.',
  request: { id: required(meaning('id of the authorization', id('id'))) },
  response: ownRecords<ListedUse>('a day', {
    day: an.text('the day, yyyy-mm-dd'),
    reads: an.number('requests that read'),
    writes: an.number('requests that change something'),
    commands: an.number('settings of devices that the application asked to be written'),
    forwarded: an.number('events that the application took as they happened'),
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { id: exampleGrant },
    data: [{ day: '2026-11-06', reads: 288, writes: 2, commands: 5, forwarded: 0 }],
  },
});

export const grantNarrow = defineOperation({
  ...common,
  id: 'grant/narrow',
  write: true,
  summary:
    'Takes away a part of what an application was allowed, with effect from the next request on.',
  description:
    'What is not sent stays as it is. More than before can be granted only where the application asks for it.',
  request: {
    id: required(meaning('id of the authorization', id('id'))),
    scopes: meaning(
      'what is still allowed: some of the scopes that were granted',
      listInput(10, 'scopes'),
    ),
    plantIds: meaning(
      'the only plants that are still covered: some of those that were',
      listInput(10_000, 'plantIds'),
    ),
  },
  needsOneOf: ['scopes', 'plantIds'],
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { id: exampleGrant, scopes: ['access_data'] }, data: null },
});

export const grantRevoke = defineOperation({
  ...common,
  id: 'grant/revoke',
  write: true,
  summary: 'Ends an authorization: its tokens and codes are refused from the next request on.',
  request: { id: required(meaning('id of the authorization', id('id'))) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { id: exampleGrant }, data: null },
});
