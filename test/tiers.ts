/**
 * Suites that run on SQLite alone per commit and on both engines in `npm run prove`, by what they are about. Others run on PostgreSQL per commit what these
 * have stored there, and what can differ there is not among them: locks, races, plans, faults (docs/adr/0077-second-engine-per-commit.md).
 */
export const ON_ONE_ENGINE: Readonly<Record<string, readonly string[]>> = {
  'Who may do what: one rule for both, whose statements rights, closing, doors and strategies run':
    [
      'access/effort.test.ts',
      'commands/access.test.ts',
      'forwarding/access.test.ts',
      'gateway/withdrawn.test.ts',
      'management/access.test.ts',
      'management/ownership.test.ts',
    ],
  'What is refused before anything is stored': [
    'bad-input.test.ts',
    'forwarding/refusals.test.ts',
    'gateway/bombs.test.ts',
    'management/bad-input.test.ts',
    'oauth/tokens/token-requests.test.ts',
    'user-api/limits.test.ts',
  ],
  'Accounts and log-in: forms, times and work per password': [
    'accounts/accounts.test.ts',
    'accounts/former-password.test.ts',
    'accounts/mail-tokens/reset.test.ts',
    'accounts/mail-tokens/sign-up.test.ts',
    'accounts/named-plants.test.ts',
    'accounts/password-again.test.ts',
    'accounts/proven.test.ts',
    'accounts/sending.test.ts',
    'commands/log-in.test.ts',
    'oauth/authorize/consent.test.ts',
    'oauth/authorize/log-in.test.ts',
    'oauth/authorize/session-over.test.ts',
    'oauth/resource.test.ts',
    'oauth/tokens/housekeeping.test.ts',
    'portal/console/console-door.test.ts',
    'portal/reset.test.ts',
    'user-api/timing.test.ts',
  ],
  'Rules, sums and figures over rows that were read': [
    'alarms/every-rule.test.ts',
    'alarms/past.test.ts',
    'alarms/resume.test.ts',
    'alarms/watch.test.ts',
    'devices/ranking.test.ts',
    'devices/show.test.ts',
    'figures/bounds.property.test.ts',
    'figures/figures.test.ts',
    'figures/money.test.ts',
    'figures/recent-curves.test.ts',
    'notifications/alarms.test.ts',
    'states/pace.test.ts',
    'states/states.test.ts',
    'telemetry/counter-arrival.test.ts',
    'telemetry/money.property.test.ts',
    'telemetry/rollups.property.test.ts',
  ],
  'Clients, samples and programs, beside which the same operations are asked': [
    'cli/plants-and-devices.test.ts',
    'clients/documented-commands.test.ts',
    'clients/oauth-helper.test.ts',
    'clients/sdk-client.test.ts',
    'clients/verify-agrees.test.ts',
    'operations/each-operation.test.ts',
    'reference/answers.test.ts',
    'reference/samples.test.ts',
  ],
  'Courses of commands, destinations and forms, whose races and kills are on both': [
    'commands/control.test.ts',
    'commands/gateway.test.ts',
    'commands/meter.test.ts',
    'commands/withdrawn.test.ts',
    'forwarding/destinations.test.ts',
    'forwarding/snapshot.test.ts',
    'gateway/readings.test.ts',
    'management/addresses.test.ts',
    'management/devices.test.ts',
    'management/invitations.test.ts',
    'operations/lists/lists.test.ts',
    'portal/live.test.ts',
  ],
};

/** Suites that run per commit with a share of their counts, looks or histories, and in `npm run prove` with all, beside its proofs. */
export const AT_FULL_COUNT: readonly string[] = [
  'closing/steps.test.ts',
  'commands/model.test.ts',
  'forwarding/model.test.ts',
  'ingest/together.test.ts',
  'management/races.test.ts',
  'oauth/authorize/browser.test.ts',
  'performance/simulated-fleet.test.ts',
  'series/crashes.test.ts',
  'strategies/model.test.ts',
];

/**
 * Files that `npm test` leaves to the proofs, unless they are asked for, by what they are about. The brief round has them too, so that `.ci/run` runs them
 * before every merge.
 */
export const BESIDE_PROOFS: Readonly<Record<string, readonly string[]>> = {
  'Install, build and start what is published as others do, with their own programs and minutes of work: package managers, compilers, brokers':
    [
      'app/production.test.ts',
      'app/readme.test.ts',
      'forwarding/examples.test.ts',
      'oauth/libraries/client-libraries.test.ts',
      'sdk/published-package.test.ts',
    ],
};

/** Proofs that a brief round leaves out. */
export const NOT_BRIEFLY: readonly string[] = [
  // Build packages and images with programs of their own, which take minutes to install.
  'prove/release/**',
  // Have their brief round in test/families.
  'prove/families/**',
];

const listed = new Set(Object.values(ON_ONE_ENGINE).flat());

/** Says whether a test file, by its path, runs on SQLite alone per commit. */
export const isOnOneEngine = (path: string): boolean =>
  listed.has(path.slice(path.lastIndexOf('/test/') + '/test/'.length));
