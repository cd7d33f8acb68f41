import { exampleCollector, examplePage } from '../examples.ts';
import { an, ownRecord, ownRecords } from '../records/own.ts';
import { page } from '../compat/field-kinds/containers.ts';
import { defineOperation, type Response } from '../operation.ts';
import { meaning } from '../parameters.ts';
import { paging } from '../requests.ts';
import { choice, id, instant, integer, textInput } from '../scalars.ts';
import { accountRoles, type AccountRole } from './accounts/users.ts';

const common = {
  family: 'service',
  permission: 'manage',
  write: false,
  doors: ['operator', 'console'],
  own: true,
} as const;
const { pageNo, pageSize } = paging;

const pageOfOwn = <R extends object, Data>({ schema, project }: Response<R, Data>) =>
  page({ schema, project, text: (one: R) => JSON.stringify(project(one)) });

export interface FoundAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: AccountRole;
  readonly createdAt: number;
  readonly disabledAt: number | null;
  readonly hasSecondFactor: boolean;
  readonly sessions: number;
  readonly lastAt: number | null;
}

const foundAccounts = pageOfOwn(
  ownRecord<FoundAccount>('an account', {
    id: an.text('id of the account'),
    email: an.text('e-mail address'),
    name: an.text('name'),
    role: an.text('role of the user'),
    createdAt: an.instant('when the account was added'),
    disabledAt: an.instant('when the account was disabled'),
    hasSecondFactor: an.flag('whether log-ins ask for a second factor'),
    sessions: an.number('in how many places somebody is logged in'),
    lastAt: an.instant('when one of these sessions was last used, to a few minutes'),
  }),
);

export const accountStates = ['active', 'disabled'] as const;

export const serviceAccounts = defineOperation({
  ...common,
  id: 'service/accounts',
  summary: 'Searches the accounts, by e-mail address.',
  request: {
    search: meaning(
      'only accounts with this text in their address or name; upper and lower case are alike',
      textInput(254, 'search'),
    ),
    role: meaning('only accounts with this role', choice(accountRoles, 'role')),
    state: meaning('only active or only disabled accounts', choice(accountStates, 'state')),
    pageNo,
    pageSize,
  },
  response: foundAccounts,
  errors: ['invalidValue'],
  example: {
    request: { search: 'ada' },
    data: foundAccounts.project(
      examplePage<FoundAccount>({
        id: '1300386381676640001',
        email: 'ada@example.org',
        name: 'ada',
        role: 'owner',
        createdAt: 1_700_000_000_000,
        disabledAt: null,
        hasSecondFactor: true,
        sessions: 2,
        lastAt: 1_700_000_300_000,
      }),
    ),
  },
});

/** `waiting`: nobody has bound it; `silent`: it should report and does not. */
export const collectorStates = ['waiting', 'reporting', 'silent'] as const;
export type CollectorState = (typeof collectorStates)[number];

export interface FoundCollector {
  readonly id: string;
  readonly sn: string;
  readonly model: string | null;
  readonly state: CollectorState;
  readonly lastReportAt: number | null;
  readonly clockOffsetSeconds: number | null;
  readonly tokens: number;
  readonly devices: number;
  readonly refused: number;
  readonly createdAt: number;
}

const foundCollectors = pageOfOwn(
  ownRecord<FoundCollector>('a collector', {
    id: an.text('id of the collector'),
    sn: an.text('serial number'),
    model: an.text('model'),
    state: an.text(
      'waiting: nobody has bound it; reporting; silent: it should report and does not',
    ),
    lastReportAt: an.instant('when it last reported, to the minute'),
    clockOffsetSeconds: an.number(
      'how many seconds its clock is ahead of the server’s; negative if it is behind',
    ),
    tokens: an.number('number of its valid tokens'),
    devices: an.number('number of devices for which it reports'),
    refused: an.number('number of serial numbers in its reports that are refused'),
    createdAt: an.instant('when it was added'),
  }),
);

export const serviceCollectors = defineOperation({
  ...common,
  id: 'service/collectors',
  summary: 'Searches the collectors, by serial number; nothing tells where they stand.',
  request: {
    search: meaning(
      'only collectors with this text in their serial number; upper and lower case are alike',
      textInput(64, 'search'),
    ),
    state: meaning('only collectors in this state', choice(collectorStates, 'state')),
    pageNo,
    pageSize,
  },
  response: foundCollectors,
  errors: ['invalidValue'],
  example: {
    request: { state: 'reporting' },
    data: foundCollectors.project(
      examplePage<FoundCollector>({
        id: exampleCollector.id,
        sn: exampleCollector.sn,
        model: null,
        state: 'reporting',
        lastReportAt: 1_700_000_000_000,
        clockOffsetSeconds: 0,
        tokens: 1,
        devices: 4,
        refused: 0,
        createdAt: 1_690_000_000_000,
      }),
    ),
  },
});

export interface ServiceHealth {
  readonly version: string;
  readonly engine: string;
  readonly databaseBytes: number;
  readonly freeBytes: number | null;
  readonly clockDifferenceMs: number;
  readonly lanes: readonly LaneHealth[];
  readonly mailsWaiting: number;
  readonly oldestMailAt: number | null;
  readonly mailFault: string | null;
  readonly forwarding: ForwardingHealth;
  readonly collectors: Readonly<Record<CollectorState | 'lately', number>>;
  readonly accounts: Readonly<Record<(typeof accountStates)[number] | 'loggedIn', number>>;
  readonly limits: readonly LimitInForce[];
}

/** The work of one kind, of all instances. */
export interface LaneHealth {
  readonly kind: string;
  readonly due: number;
  readonly running: number;
  readonly oldestDueSeconds: number;
  /** Tasks whose last run failed. */
  readonly failing: number;
}

export interface ForwardingHealth {
  readonly destinations: number;
  readonly failing: number;
  /** Names of the applications whose destinations do not answer. */
  readonly failingApplications: readonly string[];
  readonly behindSeconds: number;
  readonly waitingDevices: number;
  readonly deadLetters: number;
}

/** A limit as the server has been started with; null = none. */
export interface LimitInForce {
  readonly setting: string;
  readonly value: number | null;
}

export const serviceHealth = defineOperation({
  ...common,
  id: 'service/health',
  summary:
    'Shows the service’s health: database, work, e-mails, forwarding, and how many collectors and accounts there are.',
  description:
    'Work, e-mails, forwarding and counts are those of all instances; free space and limits those of the instance that answers.',
  request: {},
  response: ownRecord<ServiceHealth>('the service’s health', {
    version: an.text('version of the server'),
    engine: an.text('sqlite or postgres'),
    databaseBytes: an.number('size of the database'),
    freeBytes: an.number(
      'free space on the disk of the embedded database; unknown with PostgreSQL',
    ),
    clockDifferenceMs: an.number('how far the database’s clock is ahead of this instance’s'),
    lanes: an.objects('work by kind: kind, due, running, oldestDueSeconds, failing'),
    mailsWaiting: an.number('e-mails that were not sent yet'),
    oldestMailAt: an.instant('when the oldest of them was queued'),
    mailFault: an.text('why an attempt to send one failed'),
    forwarding: {
      type: 'object',
      description:
        'destinations, and over all of them failing, failingApplications (the names of theirs), behindSeconds (the worst), waitingDevices, deadLetters',
    },
    collectors: {
      type: 'object',
      description:
        'number of collectors: waiting, reporting, silent, and lately: those that reported within a quarter of an hour',
    },
    accounts: {
      type: 'object',
      description:
        'number of accounts: active, disabled, and loggedIn: those with a session at the portal',
    },
    limits: an.objects(
      'limits that the server was started with: setting, value; without a value there is no limit',
    ),
  }),
  errors: [],
  example: {
    request: {},
    data: {
      version: '0.1.0',
      engine: 'sqlite',
      databaseBytes: 7_340_032,
      clockDifferenceMs: 0,
      lanes: [{ kind: 'sweep', due: 0, running: 0, oldestDueSeconds: 0, failing: 0 }],
      mailsWaiting: 0,
      forwarding: {
        destinations: 1,
        failing: 0,
        failingApplications: [],
        behindSeconds: 0,
        waitingDevices: 0,
        deadLetters: 0,
      },
      collectors: { waiting: 1, reporting: 3, silent: 0, lately: 3 },
      accounts: { active: 4, disabled: 0, loggedIn: 2 },
      limits: [{ setting: 'HELIOPORT_RATE_LIMIT', value: 10 }],
    },
  },
});

export interface TrailEvent {
  readonly id: string;
  readonly at: number;
  readonly kind: string;
  readonly actor: string;
  readonly actorEmail: string | null;
  readonly email: string | null;
  readonly address: string | null;
  readonly data: object;
}

export const serviceTrail = defineOperation({
  ...common,
  id: 'service/trail',
  summary: 'Searches the audit trail of all accounts, newest first.',
  description:
    'At the console, events about plants and devices are left out, and so are plants in the details of others.',
  request: {
    from: meaning('only events from this instant on', instant('from')),
    to: meaning('only events before this instant', instant('to')),
    kind: meaning('only events of this kind', textInput(100, 'kind')),
    actor: meaning(
      'only what this account did: its e-mail address; or operator for the command line, service for the service itself',
      textInput(254, 'actor'),
    ),
    email: meaning(
      'only events about the account with this e-mail address',
      textInput(254, 'email'),
    ),
    before: meaning('only events before the one with this id', id('before')),
    limit: meaning(
      'maximum number of events; 50 by default',
      integer({ min: 1, max: 200 }, 'limit'),
    ),
  },
  response: ownRecords<TrailEvent>('an event', {
    id: an.text('id of the event'),
    at: an.instant('when it happened'),
    kind: an.text('what happened'),
    actor: an.text('who did it'),
    actorEmail: an.text('e-mail address of who did it, for an account'),
    email: an.text('e-mail address of the account that it concerns'),
    address: an.text('network address from which the request came'),
    data: { type: 'object', description: 'details of the event' },
  }),
  errors: ['invalidValue', 'accountUnknown'],
  example: {
    request: { kind: 'account.created', limit: 1 },
    data: [
      {
        id: '1300386381676644500',
        at: 1_700_000_000_000,
        kind: 'account.created',
        actor: 'operator',
        email: 'ada@example.org',
        data: { email: 'ada@example.org', role: 'owner' },
      },
    ],
  },
});
