import { sql, type RawBuilder } from 'kysely';
import { Failure, invalidValue } from '../../kernel/failure.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import type { Instant, Tables } from '../database.ts';

/** How many rows of a table something may have: an account, an application, a device ... */
export interface Bound {
  readonly table: keyof Tables;
  /** The columns that say whose rows are counted. */
  readonly per: readonly string[];
  /** As many may be added; what exists stays, even if there are more. */
  readonly most: number;
  /** Which rows count at an instant; all if left out. */
  readonly counted?: (now: Instant) => RawBuilder<boolean>;
  readonly refusal: (most: number) => Failure;
}

const given = (field: string, expected: (most: number) => string): Bound['refusal'] => {
  return (most) => invalidValue(field, expected(most));
};
const isOpen = (now: Instant) => sql<boolean>`${sql.ref('expiresAt')} > ${now}`;
const unset = (column: string) => () => sql<boolean>`${sql.ref(column)} is null`;
const is = (column: string, value: string) => () => sql<boolean>`${sql.ref(column)} = ${value}`;

const DAY_MS = 86_400_000;

/** Every number of rows that is bounded. `within` enforces them; nothing else may count rows in order to refuse some. */
export const bounds = {
  plants: {
    table: 'plant',
    per: ['ownerId'],
    most: 20_000,
    counted: unset('archivedAt'),
    refusal: given('account', (most) => `an account with fewer than ${most} plants`),
  },
  keptPlants: {
    table: 'plant',
    per: ['ownerId'],
    // Plants that are archived stay, so nobody makes room by archiving.
    most: 60_000,
    refusal: given(
      'account',
      (most) => `an account with fewer than ${most} plants, archived ones included`,
    ),
  },
  keyPairs: {
    table: 'keyPair',
    per: ['accountId'],
    most: 50,
    counted: (now) =>
      sql<boolean>`${sql.ref('disabledAt')} is null and (${sql.ref('expiresAt')} is null or ${isOpen(now)})`,
    refusal: given(
      'account',
      (most) => `an account with fewer than ${most} key pairs: disable one that is not used`,
    ),
  },
  openCommands: {
    table: 'command',
    per: ['deviceId'],
    most: 100,
    counted: unset('endedAt'),
    refusal: (most) =>
      new Failure('tooManyRequests', {
        data: { retryAfterSeconds: 10 },
        message: `${most} commands are already waiting for this device`,
      }),
  },
  openAlarms: {
    table: 'alarm',
    per: ['deviceId'],
    // All of a device are looked at when it reports.
    most: 200,
    counted: unset('endAt'),
    refusal: (most) =>
      new Failure('tooManyRequests', {
        data: { retryAfterSeconds: 60 },
        message: `${most} alarms of this device are open already: clear those that have ended`,
      }),
  },
  newAlarms: {
    table: 'alarm',
    per: ['sn'],
    // One that comes and goes every minute, three times over.
    most: 5_000,
    counted: (now) => sql<boolean>`${sql.ref('id')} >= ${firstIdAt(now - DAY_MS)}`,
    refusal: (most) =>
      new Failure('tooManyRequests', {
        data: { retryAfterSeconds: 3_600 },
        message: `this device has reported ${most} alarms within a day`,
      }),
  },
  passkeys: {
    table: 'passkey',
    per: ['accountId'],
    // Each costs a little with every log-in.
    most: 20,
    refusal: given('account', (most) => `at most ${most} passkeys`),
  },
  supportPermissions: {
    table: 'supportPermission',
    per: ['accountId'],
    most: 1,
    counted: (now) => sql<boolean>`${sql.ref('endedAt')} is null and ${isOpen(now)}`,
    refusal: given('account', () => 'an account that permits nothing yet'),
  },
  exports: {
    table: 'accountExport',
    per: ['accountId'],
    most: 1,
    counted: () => sql<boolean>`${sql.ref('state')} <> ${'over'}`,
    refusal: given('account', () => 'an account without an export'),
  },
  applications: {
    table: 'application',
    per: ['ownerId'],
    most: 20,
    refusal: given('name', (most) => `at most ${most} applications of one account`),
  },
  waitingApplications: {
    table: 'application',
    per: ['ownerId'],
    most: 3,
    counted: is('status', 'submitted'),
    refusal: given(
      'name',
      (most) => `at most ${most} applications that wait: amend or withdraw one`,
    ),
  },
  clientSecrets: {
    table: 'applicationSecret',
    per: ['applicationId'],
    most: 20,
    counted: (now) => sql<boolean>`${sql.ref('expiresAt')} is null or ${isOpen(now)}`,
    refusal: given('clientId', (most) => `at most ${most} secrets: end one that is not used`),
  },
  destinations: {
    table: 'destination',
    per: ['applicationId'],
    most: 20,
    refusal: given('application', (most) => `an application with fewer than ${most} destinations`),
  },
  runningReplays: {
    table: 'replay',
    per: ['destinationId'],
    most: 100,
    counted: is('state', 'running'),
    refusal: () =>
      new Failure('tooManyRequests', {
        data: { retryAfterSeconds: 60 },
        message: 'too many replays are running',
      }),
  },
  strategies: {
    table: 'strategy',
    per: ['applicationId', 'accountId'],
    most: 10_000,
    counted: (now) => sql<boolean>`${sql.ref('endedAt')} is null and ${sql.ref('endAt')} > ${now}`,
    refusal: given('reference', (most) => `fewer than ${most} strategies that have not ended`),
  },
  pushSubscriptions: {
    table: 'pushSubscription',
    per: ['accountId'],
    most: 20,
    refusal: given('endpoint', (most) => `an account with fewer than ${most} browsers`),
  },
  webhooks: {
    table: 'newsWebhook',
    per: ['accountId'],
    most: 5,
    refusal: given('url', (most) => `an account with fewer than ${most} webhooks`),
  },
  openInvitations: {
    table: 'invitation',
    per: ['fromAccountId'],
    most: 1_000,
    counted: (now) => sql<boolean>`${is('state', 'open')()} and ${isOpen(now)}`,
    refusal: given('email', (most) => `at most ${most} unanswered invitations: withdraw some`),
  },
  companyMembers: {
    table: 'companyMember',
    per: ['companyId'],
    // As many rows as a plant that it gets adds to what they may see.
    most: 100,
    refusal: given('id', (most) => `a company of at most ${most} people`),
  },
  companyInvitations: {
    table: 'companyInvitation',
    per: ['companyId'],
    most: 100,
    counted: isOpen,
    refusal: given('email', (most) => `at most ${most} unanswered invitations: withdraw some`),
  },
  companyPlants: {
    table: 'companyPlant',
    per: ['companyId'],
    // As many rows as somebody who joins it adds to what they may see.
    most: 10_000,
    refusal: given('id', (most) => `a company of at most ${most} plants`),
  },
  collectors: {
    table: 'device',
    per: ['accountId'],
    // Those that were unbound again count, too.
    most: 1_000,
    refusal: given('plantId', (most) => `an account with fewer than ${most} collectors of its own`),
  },
  plantDevices: {
    table: 'device',
    per: ['plantId'],
    // What is calculated of a plant reads all of them.
    most: 5_000,
    refusal: given('sn', (most) => `a plant with fewer than ${most} devices`),
  },
  collectorTokens: {
    table: 'collectorToken',
    per: ['collectorId'],
    most: 20,
    counted: (now) => sql<boolean>`${sql.ref('expiresAt')} is null or ${isOpen(now)}`,
    refusal: given('sn', (most) => `a collector with fewer than ${most} tokens: revoke them`),
  },
  plantZones: {
    table: 'plantZone',
    per: ['plantId'],
    most: 1_000,
    refusal: given(
      'timeZone',
      (most) => `a plant whose time zone changed fewer than ${most} times`,
    ),
  },
} as const satisfies Record<string, Bound>;

export type BoundName = keyof typeof bounds;

/** Rows of which only the newest are kept, since a writer that adds one must not be refused. */
export interface BoundedRows {
  readonly table: keyof Tables;
  readonly per: readonly string[];
  /** Its primary key, as far as `per` does not name it. */
  readonly key: string;
  readonly newest: string;
  readonly most: number;
}

/** Every table of which only the newest rows are kept. */
export const kept = {
  sessions: {
    table: 'session',
    per: ['accountId', 'entrance'],
    key: 'hash',
    newest: 'id',
    // The owner of a demo has a session for each visitor.
    most: 5_000,
  },
  knownBrowsers: {
    table: 'knownBrowser',
    per: ['accountId'],
    key: 'hash',
    newest: 'lastAt',
    most: 200,
  },
  consentTickets: {
    table: 'consentTicket',
    per: ['sessionHash'],
    key: 'hash',
    newest: 'expiresAt',
    most: 50,
  },
} as const satisfies Record<string, BoundedRows>;

export type KeptName = keyof typeof kept;
