import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { choice, exactText, flag, id, integer, textInput, timeZone } from '../../scalars.ts';
import { identity, identityErrors } from './identity.ts';

const operator = {
  family: 'accounts',
  permission: 'manage',
  doors: ['operator'],
  own: true,
} as const;
const operators = { ...operator, doors: ['operator', 'console'] } as const;
const personal = { ...operator, doors: ['portal', 'operator'], operatorsToo: true } as const;
const errors = ['missingParameter', 'invalidValue', 'accountUnknown'] as const;

export const accountRoles = ['owner', 'installer', 'developer', 'operator'] as const;
export type AccountRole = (typeof accountRoles)[number];

/** The user for whom the operator acts; signed-in users act for themselves. */
export const whose = meaning(
  'e-mail address of the user; only for the operator: signed-in users act for themselves',
  textInput(254, 'email'),
);

// This only limits how much has to be checked. The rules for passwords set the real maximum.
const PASSWORD_AT_MOST = 4096;
const email = required(meaning('e-mail address of the user', textInput(254, 'email')));
const chosen = meaning(
  'the new password; by default, one is generated',
  exactText(PASSWORD_AT_MOST, 'password'),
);
const endAllAccess = meaning(
  '1: key pairs and authorizations end as well, not only log-ins',
  flag('endAllAccess'),
);

const exampleId = '1300386381676640001';
const exampleEmail = 'ada@example.org';

export interface NamedUser {
  readonly id: string;
  readonly email: string;
}

export interface UserWithPassword extends NamedUser {
  /** The password, if it was generated; it cannot be shown again. */
  readonly password?: string;
}

export interface NewUser extends UserWithPassword {
  readonly role: AccountRole;
}

const named = { id: an.text('id of the user'), email: an.text('e-mail address') };
const once = { password: an.text('the password, if one was generated; shown only once') };

export const userAdd = defineOperation({
  ...operator,
  id: 'user/add',
  write: true,
  summary: 'Adds a user.',
  request: {
    email,
    role: meaning('role of the user; owner by default', choice(accountRoles, 'role')),
    name: meaning(
      'name of the user; by default, the part of the address before the @',
      textInput(100, 'name'),
    ),
    password: chosen,
    withoutPassword: meaning(
      '1: no password is generated; the user chooses one by a link, or is given one later',
      flag('withoutPassword'),
    ),
    timeZone: meaning(
      'time zone of the user; by default, that of the installation',
      timeZone('timeZone'),
    ),
  },
  atMostOneOf: ['password', 'withoutPassword'],
  response: ownRecord<NewUser>('the new user', {
    ...named,
    role: an.text('role of the user'),
    ...once,
  }),
  errors,
  example: {
    request: { email: exampleEmail, role: 'owner' },
    data: { id: exampleId, email: exampleEmail, role: 'owner', password: 'h7Q2mZ0aTq9XkB4sVd1c' },
  },
});

export interface ListedUser extends NamedUser {
  readonly name: string;
  readonly role: AccountRole;
  readonly timeZone: string;
  readonly createdAt: number;
  readonly disabledAt: number | null;
  readonly removeAt: number | null;
}

export const userList = defineOperation({
  ...operator,
  id: 'user/list',
  write: false,
  summary: 'Lists all users.',
  request: {},
  response: ownRecords<ListedUser>('a user', {
    ...named,
    name: an.text('name'),
    role: an.text('role of the user'),
    timeZone: an.text('time zone'),
    createdAt: an.instant('when the user was added'),
    disabledAt: an.instant('when the user was disabled'),
    removeAt: an.instant('when the personal data of a closed account is removed'),
  }),
  errors: [],
  example: {
    request: {},
    data: [
      {
        id: exampleId,
        email: exampleEmail,
        name: 'ada',
        role: 'owner',
        timeZone: 'Europe/Berlin',
        createdAt: 1_700_000_000_000,
      },
    ],
  },
});

export const userDisable = defineOperation({
  ...operators,
  id: 'user/disable',
  write: true,
  summary:
    'Disables a user: from the next request on, the user’s log-ins, key pairs and applications are refused.',
  request: { email },
  response: ownRecord<NamedUser>('the user', named),
  errors,
  example: { request: { email: exampleEmail }, data: { id: exampleId, email: exampleEmail } },
});

export const userClose = defineOperation({
  ...operator,
  id: 'user/close',
  write: true,
  summary: 'Closes the account of a user, as the user can in the portal with `account/close`.',
  request: { email },
  response: ownRecord<NamedUser & { readonly removeAt: number }>('the user', {
    ...named,
    removeAt: an.instant('when personal data is removed'),
  }),
  errors,
  example: {
    request: { email: exampleEmail },
    data: { id: exampleId, email: exampleEmail, removeAt: 1_701_209_600_000 },
  },
});

export const userReopen = defineOperation({
  ...operator,
  id: 'user/reopen',
  write: true,
  summary:
    'Takes the closing of an account back, before its data is removed. Key pairs, authorizations and shares stay ended.',
  description:
    'Shortly after the closing of an account with many shares, it stays disabled until the last of them has ended.',
  request: { email },
  response: ownRecord<NamedUser>('the user', named),
  errors,
  example: { request: { email: exampleEmail }, data: { id: exampleId, email: exampleEmail } },
});

export const userEnable = defineOperation({
  ...operators,
  id: 'user/enable',
  write: true,
  summary: 'Enables a disabled user again.',
  request: { email },
  response: ownRecord<NamedUser>('the user', named),
  errors,
  example: { request: { email: exampleEmail }, data: { id: exampleId, email: exampleEmail } },
});

export const userRole = defineOperation({
  ...operator,
  id: 'user/role',
  write: true,
  summary: 'Gives a user another role, and ends the user’s log-ins.',
  description:
    'An account with the role operator sees the service’s health, accounts and collectors at the console, and no plants: it must have none, and its key pairs and authorizations end.',
  request: { email, role: required(meaning('the new role', choice(accountRoles, 'role'))) },
  response: ownRecord<NamedUser & { readonly role: AccountRole }>('the user', {
    ...named,
    role: an.text('role of the user'),
  }),
  errors,
  example: {
    request: { email: exampleEmail, role: 'operator' },
    data: { id: exampleId, email: exampleEmail, role: 'operator' },
  },
});

export const userResetFactors = defineOperation({
  ...operators,
  id: 'user/resetFactors',
  write: true,
  summary:
    'Removes a user’s authenticator app, recovery codes and passkeys, and ends the user’s log-ins: the password alone is asked for until new ones are set up.',
  request: { email },
  response: ownRecord<NamedUser>('the user', named),
  errors,
  example: { request: { email: exampleEmail }, data: { id: exampleId, email: exampleEmail } },
});

export const userResetLink = defineOperation({
  ...operators,
  doors: ['console'],
  id: 'user/resetLink',
  write: true,
  summary: 'Sends a user an e-mail with a link that replaces the password. Operators never see it.',
  request: { email },
  response: ownRecord<NamedUser>('the user', named),
  errors: [...errors, 'noPermission'],
  example: { request: { email: exampleEmail }, data: { id: exampleId, email: exampleEmail } },
});

export const userPassword = defineOperation({
  ...operator,
  id: 'user/password',
  write: true,
  summary: 'Replaces a user’s password and ends the user’s log-ins.',
  request: { email, password: chosen, endAllAccess },
  response: ownRecord<UserWithPassword>('the user', { ...named, ...once }),
  errors,
  example: {
    request: { email: exampleEmail, password: 'meadow lane in june' },
    data: { id: exampleId, email: exampleEmail },
  },
});

export const passwordChange = defineOperation({
  ...personal,
  doors: ['portal'],
  id: 'password/change',
  write: true,
  summary: 'Replaces the caller’s own password and ends all of the caller’s log-ins.',
  request: {
    ...identity,
    newPassword: required(meaning('the new password', exactText(PASSWORD_AT_MOST, 'newPassword'))),
    endAllAccess,
  },
  response: ownRecord<NamedUser>('the user', named),
  errors: identityErrors,
  example: {
    request: { password: 'meadow lane in june', newPassword: 'meadow lane in july' },
    data: { id: exampleId, email: exampleEmail },
  },
});

export interface UserEvent {
  readonly id: string;
  readonly at: number;
  readonly kind: string;
  readonly actor: string;
  readonly address: string | null;
  readonly data: object;
}

export const userEvents = defineOperation({
  ...personal,
  permission: 'read',
  id: 'user/events',
  write: false,
  summary:
    'Lists the audit trail of an account, its keys, plants and authorizations, newest first.',
  request: {
    email: whose,
    limit: meaning(
      'maximum number of events; 100 by default',
      integer({ min: 1, max: 1000 }, 'limit'),
    ),
    before: meaning('only events before the one with this id', id('before')),
  },
  response: ownRecords<UserEvent>('an event', {
    id: an.text('id of the event'),
    at: an.instant('when it happened'),
    kind: an.text('what happened'),
    actor: an.text('who did it'),
    address: an.text('network address from which the request came; of one’s own requests alone'),
    data: { type: 'object', description: 'details of the event' },
  }),
  errors: [...errors, 'noPermission'],
  example: {
    request: { limit: 1 },
    data: [
      {
        id: '1300386381676644500',
        at: 1_700_000_000_000,
        kind: 'account.created',
        actor: 'operator',
        data: { role: 'owner' },
      },
    ],
  },
});
