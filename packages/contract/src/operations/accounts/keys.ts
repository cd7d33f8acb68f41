import { an, ownRecord, ownRecords } from '../../records/own.ts';
import { nothing } from '../../compat/field-kinds/containers.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { exactText, flag, id, integer, listInput, textInput } from '../../scalars.ts';
import { identityErrors, secondFactor } from './identity.ts';
import { whose } from './users.ts';

// A key cannot create keys: otherwise, somebody with a stolen key could keep access after that key is disabled.
const common = {
  family: 'keys',
  permission: 'manage',
  doors: ['portal', 'operator'],
  own: true,
} as const;
const exampleKey = '1300386381676644600';

export const keyCreate = defineOperation({
  ...common,
  id: 'key/create',
  write: true,
  summary: 'Creates a key pair; its secret is shown only once.',
  description:
    'A key pair that the operator creates is active at once. A signed-in user must give the password again, and a second factor if there is one, and the key pair becomes active at the user’s next log-in.',
  request: {
    email: whose,
    password: meaning(
      'the signed-in user’s password; not for the operator',
      exactText(4096, 'password'),
    ),
    secondFactor,
    label: meaning('what the key pair is for', textInput(100, 'label')),
    canControl: meaning(
      '0: the key pair can only read; 1, the default: it can also change things',
      flag('canControl'),
    ),
    plantIds: meaning(
      'the only plants that the key pair may access; by default, all that the user may see',
      listInput(1000, 'plantIds'),
    ),
    networks: meaning(
      'the only networks from which the key pair is accepted, in CIDR notation; by default, any',
      listInput(100, 'networks'),
    ),
    expiresAt: meaning(
      'when the key pair expires, in epoch milliseconds',
      integer({ min: 0 }, 'expiresAt'),
    ),
  },
  response: ownRecord<{ readonly keyId: string; readonly keySecret: string }>('a key pair', {
    keyId: an.text('KeyID'),
    keySecret: an.text('KeySecret'),
  }),
  errors: ['accountUnknown', ...identityErrors],
  example: {
    request: { label: 'home', password: 'meadow lane in june' },
    data: { keyId: exampleKey, keySecret: '0123456789abcdef0123456789abcdef' },
  },
});

export interface ListedKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly email: string;
  readonly label: string;
  readonly canControl: boolean;
  readonly plantIds: readonly string[] | null;
  readonly cidrs: readonly string[] | null;
  readonly pending: boolean;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly disabledAt: number | null;
  readonly lastUsedAt: number | null;
  readonly lastUsedAddress: string | null;
  readonly lastUsedPath: string | null;
}

export const keyList = defineOperation({
  ...common,
  permission: 'read',
  id: 'key/list',
  write: false,
  summary: 'Lists key pairs without their secrets, oldest first.',
  request: { email: whose },
  response: ownRecords<ListedKey>('a key pair', {
    keyId: an.text('KeyID'),
    accountId: an.text('id of the user'),
    email: an.text('e-mail address of the user'),
    label: an.text('what the key pair is for'),
    canControl: an.flag('whether the key pair can change things'),
    plantIds: an.texts('the only plants that the key pair may access'),
    cidrs: an.texts('the only networks from which the key pair is accepted'),
    pending: an.flag('whether the key pair is waiting for its user’s next log-in to become active'),
    createdAt: an.instant('when the key pair was created'),
    expiresAt: an.instant('when the key pair expires'),
    disabledAt: an.instant('when the key pair was disabled'),
    lastUsedAt: an.instant('when the key pair was last used, to the minute'),
    lastUsedAddress: an.text('address from which the key pair was last used'),
    lastUsedPath: an.text('path for which the key pair was last used'),
  }),
  errors: ['invalidValue', 'noPermission', 'accountUnknown'],
  example: {
    request: {},
    data: [
      {
        keyId: exampleKey,
        accountId: '1300386381676640001',
        email: 'ada@example.org',
        label: 'home',
        canControl: true,
        pending: false,
        createdAt: 1_700_000_000_000,
      },
    ],
  },
});

export const keyDisable = defineOperation({
  ...common,
  id: 'key/disable',
  write: true,
  summary: 'Disables a key pair, with effect from the next request on.',
  request: { keyId: required(meaning('KeyID of the key pair', id('keyId'))) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { keyId: exampleKey }, data: null },
});
