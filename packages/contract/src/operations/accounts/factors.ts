import { an, ownRecord } from '../../records/own.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { exactText, id, textInput } from '../../scalars.ts';
import { identity, identityErrors, passkeyResponse } from './identity.ts';

const common = {
  family: 'accounts',
  permission: 'manage',
  doors: ['portal'],
  own: true,
  operatorsToo: true,
} as const;
const exampleId = '1300386381676644900';
const exampleIdentity = { password: 'meadow lane in june' };
const exampleCodes = ['h7q2-mz9a-tq9x-k4sv', 'b3cd-efgh-2345-6789'];

export interface FactorList {
  readonly totpSince: number | null;
  readonly recoveryCodesLeft: number;
  readonly passkeys: readonly {
    readonly id: string;
    readonly name: string;
    readonly createdAt: number;
    readonly lastUsedAt: number | null;
  }[];
  readonly passkeysPossible: boolean;
}

/** Recovery codes, where new ones were made. */
export interface MadeCodes {
  readonly recoveryCodes: readonly string[] | undefined;
}

const recoveryCodes = an.texts('new recovery codes, each valid once; shown only now');

export const factorList = defineOperation({
  ...common,
  permission: 'read',
  id: 'factor/list',
  write: false,
  summary: 'Lists the caller’s own second factors.',
  request: {},
  response: ownRecord<FactorList>('the second factors', {
    totpSince: an.instant('when the authenticator app was set up'),
    recoveryCodesLeft: an.number('how many recovery codes were not used yet'),
    passkeys: an.objects('passkeys: id, name, createdAt and lastUsedAt'),
    passkeysPossible: an.flag('whether passkeys can be used here at all'),
  }),
  errors: ['noPermission'],
  example: {
    request: {},
    data: {
      totpSince: 1_700_000_000_000,
      recoveryCodesLeft: 10,
      passkeys: [],
      passkeysPossible: true,
    },
  },
});

export const totpBegin = defineOperation({
  ...common,
  id: 'totp/begin',
  write: true,
  summary:
    'Makes a secret for an authenticator app. It counts once `totp/confirm` was sent a code of the app.',
  request: identity,
  response: ownRecord<{ readonly secret: string; readonly uri: string }>('the secret', {
    secret: an.text('the secret in base32, to be typed'),
    uri: an.text('the same as an otpauth address, to be shown as a QR code'),
  }),
  errors: identityErrors,
  example: {
    request: exampleIdentity,
    data: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Helioport:ada%40example.org?issuer=Helioport&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    },
  },
});

export const totpConfirm = defineOperation({
  ...common,
  id: 'totp/confirm',
  write: true,
  summary: 'Sets up the authenticator app: from now on, log-ins ask for a second factor.',
  request: { code: required(meaning('six digits that the app shows', textInput(10, 'code'))) },
  response: ownRecord<MadeCodes>('the outcome', { recoveryCodes }),
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'wrongFactor', 'tooManyRequests'],
  example: { request: { code: '492039' }, data: { recoveryCodes: exampleCodes } },
});

export const totpRemove = defineOperation({
  ...common,
  id: 'totp/remove',
  write: true,
  summary: 'Removes the authenticator app.',
  request: identity,
  response: nothing,
  errors: identityErrors,
  example: { request: { ...exampleIdentity, secondFactor: '492039' }, data: null },
});

export const recoveryRenew = defineOperation({
  ...common,
  id: 'recovery/renew',
  write: true,
  summary: 'Replaces the recovery codes.',
  request: identity,
  response: ownRecord<MadeCodes>('the new codes', { recoveryCodes }),
  errors: identityErrors,
  example: {
    request: { ...exampleIdentity, secondFactor: '492039' },
    data: { recoveryCodes: exampleCodes },
  },
});

export const passkeyBegin = defineOperation({
  ...common,
  id: 'passkey/begin',
  write: false,
  summary: 'Returns what a browser needs to make a passkey, which `passkey/add` adds.',
  request: identity,
  response: ownRecord<{ readonly options: object }>('the request', {
    options: {
      type: 'object',
      description: 'argument of navigator.credentials.create (WebAuthn), as JSON',
    },
  }),
  errors: identityErrors,
  example: {
    request: exampleIdentity,
    data: { options: { challenge: 'AQ', rp: { id: 'portal.example.org', name: 'Helioport' } } },
  },
});

export const passkeyAdd = defineOperation({
  ...common,
  id: 'passkey/add',
  write: true,
  summary: 'Adds a passkey: from now on, log-ins with the password ask for a second factor.',
  request: {
    name: required(meaning('name of the passkey', textInput(100, 'name'))),
    response: passkeyResponse,
  },
  response: ownRecord<MadeCodes & { readonly id: string }>('the passkey', {
    id: an.text('id of the passkey'),
    recoveryCodes,
  }),
  errors: ['missingParameter', 'invalidValue', 'noPermission', 'wrongFactor'],
  example: {
    request: { name: 'Phone', response: '{"id":"AQ"}' },
    data: { id: exampleId, recoveryCodes: exampleCodes },
  },
});

const passkeyId = required(meaning('id of the passkey', id('id')));

export const passkeyRename = defineOperation({
  ...common,
  id: 'passkey/rename',
  write: true,
  summary: 'Renames a passkey.',
  request: {
    id: passkeyId,
    name: required(meaning('name of the passkey', exactText(200, 'name'))),
  },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { id: exampleId, name: 'Old phone' }, data: null },
});

export const passkeyRemove = defineOperation({
  ...common,
  id: 'passkey/remove',
  write: true,
  summary: 'Removes a passkey; it is refused from then on.',
  request: { id: passkeyId, ...identity },
  response: nothing,
  errors: identityErrors,
  example: { request: { id: exampleId, ...exampleIdentity, secondFactor: '492039' }, data: null },
});
