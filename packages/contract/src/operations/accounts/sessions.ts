import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { id } from '../../scalars.ts';
import { whose } from './users.ts';

const common = {
  family: 'accounts',
  permission: 'manage',
  doors: ['portal', 'operator'],
  own: true,
  operatorsToo: true,
} as const;
/** Also those of others, at the console. */
const ofAnybody = { ...common, doors: [...common.doors, 'console'] } as const;
const exampleSession = '1300386381676644800';

export interface ShownSession {
  readonly id: string;
  readonly entrance: 'oauth' | 'portal';
  readonly current: boolean;
  readonly createdAt: number;
  readonly lastAt: number;
  readonly expiresAt: number;
  readonly address: string | null;
  readonly userAgent: string | null;
}

export const sessionList = defineOperation({
  ...ofAnybody,
  permission: 'read',
  id: 'session/list',
  write: false,
  summary: 'Lists where a user is logged in, newest first.',
  request: { email: whose },
  response: ownRecords<ShownSession>('a session', {
    id: an.text('id of the session'),
    entrance: an.text('where the user logged in: portal, or oauth for the authorization pages'),
    current: an.flag('whether the request was sent in this session'),
    createdAt: an.instant('when the user logged in'),
    lastAt: an.instant('when the session was last used, to a few minutes'),
    expiresAt: an.instant('when the session ends unless it is used before'),
    address: an.text('address from which the user logged in'),
    userAgent: an.text('what the browser called itself'),
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'accountUnknown'],
  example: {
    request: {},
    data: [
      {
        id: exampleSession,
        entrance: 'portal',
        current: true,
        createdAt: 1_700_000_000_000,
        lastAt: 1_700_000_300_000,
        expiresAt: 1_700_605_100_000,
        address: '203.0.113.7',
      },
    ],
  },
});

export const sessionEnd = defineOperation({
  ...common,
  id: 'session/end',
  write: true,
  summary: 'Ends a session: its user has to log in again.',
  request: { id: required(meaning('id of the session', id('id'))) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { id: exampleSession }, data: null },
});

export const sessionEndOthers = defineOperation({
  ...ofAnybody,
  id: 'session/endOthers',
  write: true,
  summary: 'Ends all sessions of a user except the one in which the request was sent.',
  request: { email: whose },
  response: ownRecord<{ readonly ended: number }>('the outcome', {
    ended: an.number('how many sessions were ended'),
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'accountUnknown'],
  example: { request: {}, data: { ended: 2 } },
});
