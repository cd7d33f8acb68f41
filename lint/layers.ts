/** What a folder may import besides itself. Read by oxlint.config.ts and test/architecture.test.ts. */
export interface Layer {
  /** Folders, from the root of the repository. */
  readonly imports: readonly string[];
  /** Folders of which only types may be imported. */
  readonly types: readonly string[];
}

const server = (name: string): string => `packages/server/src/${name}`;

const CONTRACT = 'packages/contract/src';
const REFERENCE = 'packages/reference/src';
const SDK = 'packages/sdk/src';
const ALARM_WORDS = `${CONTRACT}/alarm-words`;
const AUDIT_KINDS = `${CONTRACT}/audit`;
const DIAGNOSIS = `${SDK}/diagnosis`;
const COLLECTOR = 'packages/collector/src';
const SIMULATOR = 'packages/simulator/src';
const PORTAL = 'packages/portal/src';
const KERNEL = server('kernel');
const CONFIG = server('config');
const STORAGE = server('storage');
const CALENDAR = server('calendar');
const CASSANDRA = server('series/cassandra');
const OPERATIONS = server('operations');
const EDGES_HTTP = server('edges/http');
const LISTENERS = server('edges/listeners');

/** Features, lowest first: each may import the ones before it. */
const FEATURES = [
  'events',
  'work',
  'mail',
  'accounts',
  'plants',
  'oauth',
  'devices',
  'collectors',
  'energy',
  'series',
  'ingest',
  'moving',
  'telemetry',
  'alarms',
  'figures',
  'commands',
  'strategies',
  'forwarding',
  'exports',
  'news',
  'closing',
].map(server);

const EDGES = [
  'edges/user-api',
  'edges/oauth-api',
  'edges/authorization',
  'edges/portal',
  'edges/gateway',
  'edges/mqtt',
].map(server);

/** The portal's folders, lowest first. Screens know nothing of one another; only the app knows which there are. */
const PORTAL_LAYERS = ['i18n', 'wire', 'session', 'parts', 'screens', 'app'].map(
  (name) => `${PORTAL}/${name}`,
);

const SCREENS = `${PORTAL}/screens`;

const layer = (imports: readonly string[], types: readonly string[] = []): Layer => ({
  imports,
  types,
});

const inward = [CONTRACT, KERNEL, CALENDAR, OPERATIONS, ...FEATURES];

/** Every folder with restricted imports. Files outside these folders (app.ts, parts.ts) may import everything. */
export const layers: Readonly<Record<string, Layer>> = {
  [CONTRACT]: layer([]),
  [REFERENCE]: layer([CONTRACT]),
  [SDK]: layer([CONTRACT]),
  // What explains a refused signature; also part of the portal, so it knows nothing of the client.
  [DIAGNOSIS]: layer([CONTRACT]),
  [COLLECTOR]: layer([CONTRACT]),
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
  ...Object.fromEntries(
    FEATURES.map((feature, i) => [
      feature,
      layer([CONTRACT, KERNEL, CALENDAR, STORAGE, ...FEATURES.slice(0, i)], [CONFIG]),
    ]),
  ),
  // The one folder that knows the driver; the rest of the series does not know of it.
  [CASSANDRA]: layer([CONTRACT, KERNEL, server('energy'), server('series')], [CONFIG, STORAGE]),
  [OPERATIONS]: layer([CONTRACT, KERNEL, CALENDAR, ...FEATURES], [STORAGE]),
  [EDGES_HTTP]: layer([...inward, REFERENCE], [STORAGE, CONFIG]),
  ...Object.fromEntries(
    EDGES.map((edge) => [edge, layer([...inward, EDGES_HTTP, REFERENCE], [STORAGE, CONFIG])]),
  ),
  [LISTENERS]: layer([...inward, CONFIG, EDGES_HTTP, ...EDGES, REFERENCE], [STORAGE]),
  [server('processes')]: layer([KERNEL, CONFIG, EDGES_HTTP, LISTENERS], [server('app.ts')]),
  // `helioport verify` examines a request with the signed interface's own checks.
  [server('cli')]: layer([
    server('app.ts'),
    server('installation.ts'),
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
    server('edges/user-api'),
  ]),
};

/** Packages that only some folders may import. */
export const packageRooms: Readonly<Record<string, readonly string[]>> = {
  fastify: [server('edges')],
  kysely: [STORAGE, ...FEATURES, server('cli'), server('app.ts')],
  pg: [STORAGE],
  'mqtt-packet': [server('edges/mqtt')],
  commander: [server('cli')],
  yaml: [server('devices')],
  mqtt: [COLLECTOR, server('edges/mqtt'), server('forwarding')],
  'rocketmq-client-nodejs': [server('forwarding')],
  'cassandra-driver': [CASSANDRA],
  nodemailer: [server('mail')],
  'hyparquet-writer': [server('exports')],
  'web-push': [server('news')],
  'prom-client': [server('edges'), server('processes'), server('app.ts'), server('parts.ts')],
  react: [PORTAL],
  uplot: [`${PORTAL}/parts`],
};

/** Folders of the workspace packages, by the name that imports use. */
export const workspaces: Readonly<Record<string, string>> = {
  '@helioport/contract': CONTRACT,
  '@helioport/reference': REFERENCE,
  '@helioport/sdk': SDK,
  '@helioport/sdk/diagnosis': DIAGNOSIS,
  '@helioport/collector': COLLECTOR,
  '@helioport/simulator': SIMULATOR,
  '@helioport/server': 'packages/server/src',
};
