import { totpContext } from '../../identity/accounts/factors/totp.ts';
import { answerContext } from '../../identity/accounts/once.ts';
import { codeContext } from '../../identity/oauth/consent/consent-tickets.ts';
import { secretsContext } from '../../outbound/forwarding/destinations/settings.ts';
import { pushContext } from '../../outbound/notifications/settings/subscriptions.ts';
import { PUSH_KEYS } from '../../outbound/notifications/outlets/push-keys.ts';

/** A row of any table, as far as it is read here. */
export type SealedRow = Readonly<Record<string, any>>;

/** A column whose values are encrypted with the master key. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** What a value is encrypted for; undefined = this row has none. */
  context(row: SealedRow): string | undefined;
}

/** Every column that holds what is encrypted with the master key. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'keyPair', column: 'secret', key: ['id'], context: ({ id }) => id },
  {
    table: 'totp',
    column: 'secret',
    key: ['accountId'],
    context: ({ accountId }) => totpContext(accountId),
  },
  { table: 'mail', column: 'letter', key: ['id'], context: ({ id }) => id },
  {
    table: 'onceMark',
    column: 'answer',
    key: ['holder', 'digest'],
    context: ({ holder, digest }) => answerContext({ holder, digest }),
  },
  {
    table: 'consentTicket',
    column: 'sealedCode',
    key: ['hash'],
    context: ({ hash }) => codeContext(hash),
  },
  {
    table: 'destination',
    column: 'secrets',
    key: ['id'],
    context: ({ id }) => secretsContext(id),
  },
  {
    table: 'newsWebhook',
    column: 'secrets',
    key: ['id'],
    context: ({ id }) => secretsContext(id),
  },
  {
    table: 'pushSubscription',
    column: 'sealed',
    key: ['id'],
    context: ({ id }) => pushContext(id),
  },
  {
    table: 'installation',
    column: 'value',
    key: ['name'],
    context: ({ name }) => (name === PUSH_KEYS ? name : undefined),
  },
];
