/** What a folder may import besides itself. Read by oxlint.config.ts and test/architecture.test.ts. */
export interface Layer {
  /** Folders, from the root of the repository. */
  readonly imports: readonly string[];
  /** Folders of which only types may be imported. */
  readonly types: readonly string[];
}

const server = (name: string): string => `packages/server/src/${name}`;

const CONTRACT = 'packages/contract/src';
const DEVICES = 'packages/devices/src';
const REFERENCE = 'packages/reference/src';
const SDK = 'packages/sdk/src';
const ALARM_WORDS = `${CONTRACT}/alarm-words`;
const AUDIT_KINDS = `${CONTRACT}/audit`;
const DIAGNOSIS = `${SDK}/diagnosis`;
const COLLECTOR = 'packages/collector/src';
const SIMULATOR = 'packages/simulator/src';
const PORTAL = 'packages/portal/src';
/**
 * The server's wings and their rooms, lowest first. A room imports the rooms of lower wings and those before it in
 * its own wing; the wing `interfaces` has rules of its own below.
 */
export const WINGS = {
  platform: ['kernel', 'config', 'storage', 'calendar', 'egress', 'events', 'work'],
  identity: ['mail', 'accounts', 'oauth'],
  fleet: ['plants', 'devices', 'collectors'],
  measurements: [
    'energy',
    'expected',
    'series',
    'bindings',
    'telemetry',
    'weather',
    'ingest',
    'moving',
    'figures',
  ],
  control: ['commands', 'strategies'],
  outbound: [
    'alarms',
    'performance',
    'sinks',
    'delivery',
    'forwarding',
    'notifications',
    'reports',
  ],
  'data-rights': ['exports', 'closing'],
  interfaces: ['operations', 'edges', 'cli'],
} as const;

const roomsOf = (wing: keyof typeof WINGS): string[] =>
  WINGS[wing].map((room) => server(`${wing}/${room}`));

const KERNEL = server('platform/kernel');
const CONFIG = server('platform/config');
const STORAGE = server('platform/storage');
const CALENDAR = server('platform/calendar');
const EGRESS = server('platform/egress');
const CASSANDRA = server('measurements/series/cassandra');
const OPERATIONS = server('interfaces/operations');
const EDGES_HTTP = server('interfaces/edges/http');
const LISTENERS = server('interfaces/edges/listeners');
const CLI = server('interfaces/cli');
const COMPOSE = server('compose');

/** Rooms with queries, lowest first: what stands on storage, up to the interfaces. */
const FEATURES = [
  server('platform/events'),
  server('platform/work'),
  ...roomsOf('identity'),
  ...roomsOf('fleet'),
  ...roomsOf('measurements'),
  ...roomsOf('control'),
  ...roomsOf('outbound'),
  ...roomsOf('data-rights'),
];

const EDGES = [
  'interfaces/edges/user-api',
  'interfaces/edges/oauth-api',
  'interfaces/edges/authorization',
  'interfaces/edges/portal',
  'interfaces/edges/gateway',
  'interfaces/edges/mqtt',
].map(server);

/** The portal's folders, lowest first. Screens know nothing of one another; only the app knows which there are. */
const PORTAL_LAYERS = [
  'i18n',
  'components',
  'focus',
  'wire',
  'session',
  'parts',
  'screens',
  'app',
].map((name) => `${PORTAL}/${name}`);

const SCREENS = `${PORTAL}/screens`;

const layer = (imports: readonly string[], types: readonly string[] = []): Layer => ({
  imports,
  types,
});

const inward = [CONTRACT, DEVICES, KERNEL, CALENDAR, EGRESS, OPERATIONS, ...FEATURES];

/** Every folder with restricted imports. Files outside these folders (app.ts) may import everything. */
export const layers: Readonly<Record<string, Layer>> = {
  [CONTRACT]: layer([]),
  [DEVICES]: layer([CONTRACT]),
  [REFERENCE]: layer([CONTRACT]),
  [SDK]: layer([CONTRACT]),
  // What explains a refused signature; also part of the portal, so it knows nothing of the client.
  [DIAGNOSIS]: layer([CONTRACT]),
  [COLLECTOR]: layer([CONTRACT, DEVICES]),
  [SIMULATOR]: layer([CONTRACT, COLLECTOR]),
  // Only types: the portal must not ship the declarations themselves.
  ...Object.fromEntries(
    PORTAL_LAYERS.map((folder, i) => [
      folder,
      layer(
        [
          ...PORTAL_LAYERS.slice(0, i),
          ...(folder === SCREENS ? [ALARM_WORDS, AUDIT_KINDS, DIAGNOSIS] : []),
        ],
        [CONTRACT],
      ),
    ]),
  ),
  [`${PORTAL}/offline`]: layer([]),
  [KERNEL]: layer([CONTRACT]),
  [CONFIG]: layer([CONTRACT, KERNEL]),
  [STORAGE]: layer([KERNEL, CONTRACT], [CONFIG]),
  [CALENDAR]: layer([CONTRACT, KERNEL]),
  [EGRESS]: layer([CONTRACT, KERNEL]),
  ...Object.fromEntries(
    FEATURES.map((feature, i) => [
      feature,
      layer(
        [CONTRACT, DEVICES, KERNEL, CALENDAR, EGRESS, STORAGE, ...FEATURES.slice(0, i)],
        [CONFIG],
      ),
    ]),
  ),
  // The one folder that knows the driver; the rest of the series does not know of it.
  [CASSANDRA]: layer(
    [CONTRACT, KERNEL, server('measurements/energy'), server('measurements/series')],
    [CONFIG, STORAGE],
  ),
  [OPERATIONS]: layer(
    [
      CONTRACT,
      DEVICES,
      KERNEL,
      CALENDAR,
      EGRESS,
      `${STORAGE}/transactions/transaction.ts`,
      ...FEATURES,
    ],
    [STORAGE],
  ),
  [EDGES_HTTP]: layer([...inward, REFERENCE], [STORAGE, CONFIG]),
  ...Object.fromEntries(
    EDGES.map((edge) => [edge, layer([...inward, EDGES_HTTP, REFERENCE], [STORAGE, CONFIG])]),
  ),
  [LISTENERS]: layer([...inward, CONFIG, EDGES_HTTP, ...EDGES, REFERENCE], [STORAGE]),
  // Constructs everything, and is imported by what starts a process.
  [COMPOSE]: layer([
    ...inward,
    CONFIG,
    STORAGE,
    CASSANDRA,
    EDGES_HTTP,
    LISTENERS,
    ...EDGES,
    REFERENCE,
  ]),
  [server('processes')]: layer([KERNEL, CONFIG, EDGES_HTTP, LISTENERS], [server('app.ts')]),
  // `helioport verify` examines a request with the signed interface's own checks.
  // `helioport serve` starts the processes.
  [CLI]: layer([
    server('app.ts'),
    COMPOSE,
    server('processes'),
    SDK,
    DIAGNOSIS,
    COLLECTOR,
    SIMULATOR,
    REFERENCE,
    CONFIG,
    STORAGE,
    ...inward,
    EDGES_HTTP,
    LISTENERS,
    server('interfaces/edges/user-api'),
  ]),
};

/** Packages that only some folders may import. */
export const packageRooms: Readonly<Record<string, readonly string[]>> = {
  fastify: [server('interfaces/edges')],
  kysely: [STORAGE, ...FEATURES, CLI, server('app.ts')],
  pg: [STORAGE],
  'mqtt-packet': [server('interfaces/edges/mqtt')],
  commander: [CLI],
  yaml: [DEVICES, COLLECTOR],
  mqtt: [COLLECTOR, server('interfaces/edges/mqtt'), server('outbound/sinks')],
  'rocketmq-client-nodejs': [server('outbound/sinks')],
  'cassandra-driver': [CASSANDRA],
  nodemailer: [server('identity/mail')],
  'hyparquet-writer': [server('data-rights/exports')],
  'web-push': [server('outbound/notifications')],
  'prom-client': [server('interfaces/edges'), server('processes'), server('app.ts'), COMPOSE],
  react: [PORTAL],
  uplot: [`${PORTAL}/parts`],
};

/** Folders of the workspace packages, by the name that imports use. */
export const workspaces: Readonly<Record<string, string>> = {
  '@helioport/contract': CONTRACT,
  '@helioport/devices': DEVICES,
  '@helioport/reference': REFERENCE,
  '@helioport/sdk': SDK,
  '@helioport/sdk/diagnosis': DIAGNOSIS,
  '@helioport/collector': COLLECTOR,
  '@helioport/collector/collect': COLLECTOR,
  '@helioport/simulator': SIMULATOR,
  '@helioport/server': 'packages/server/src',
};
